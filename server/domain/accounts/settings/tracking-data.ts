import type { Language } from '~/locales/languages';
import { pick } from '../../../base/fields';
import type { Ctx } from '../../../runtime/ctx';
import { type CurrentUser, currentUser } from '../base/queries';

/** Identifies the user to tracking, without names or descriptions of the person. */
const TRACKED = ['id', 'country', 'currency', 'isEmailVerified', 'type', 'trial', 'plan'] as const;
type TrackedUser = Pick<CurrentUser, (typeof TRACKED)[number]> & { creator: { id: number } | null };
export type TrackingData = { user: TrackedUser | null; language: Language };

/** The data that tracking may get: only the language for visitors (spec §3, tracking payload). */
export async function trackingData(ctx: Ctx): Promise<TrackingData> {
  const user = ctx.actor.type === 'user' ? await currentUser(ctx) : null;
  const creator = user?.creator ? { id: user.creator.id } : null;
  return { user: user && { ...pick(user, TRACKED), creator }, language: ctx.language };
}
