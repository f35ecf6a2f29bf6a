import type { Language } from '~/locales/languages';
import { pick } from '../../../base/fields';
import type { Ctx } from '../../../runtime/ctx';
import { type CurrentUser, currentUser } from '../base/queries';

/** What identifies the user to tracking, without what names or describes the person. */
const TRACKED = ['id', 'country', 'currency', 'isEmailVerified', 'type', 'trial', 'plan'] as const;
type TrackedUser = Pick<CurrentUser, (typeof TRACKED)[number]> & { creator: { id: number } | null };
export type TrackingData = { user: TrackedUser | null; language: Language };

/** What tracking may know: of a visitor, only the language (spec §3, tracking payload). */
export async function trackingData(ctx: Ctx): Promise<TrackingData> {
  const user = ctx.actor.type === 'user' ? await currentUser(ctx) : null;
  const creator = user?.creator ? { id: user.creator.id } : null;
  return { user: user && { ...pick(user, TRACKED), creator }, language: ctx.language };
}
