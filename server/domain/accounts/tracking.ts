import type { Language } from '~/locales/languages';
import type { Ctx } from '../../ctx';
import { type CurrentUser, currentUser } from './queries';

/** What identifies the user to tracking, without what names them. */
type TrackedUser = Pick<
  CurrentUser,
  'id' | 'country' | 'currency' | 'isEmailVerified' | 'type' | 'creator' | 'trial' | 'plan'
>;
export type TrackingData = { user: TrackedUser | null; language: Language };

/** What tracking may know: of a visitor, only the language (spec §3, tracking payload). */
export async function trackingData(ctx: Ctx): Promise<TrackingData> {
  return { user: ctx.actor.type === 'user' ? await currentUser(ctx) : null, language: ctx.language };
}
