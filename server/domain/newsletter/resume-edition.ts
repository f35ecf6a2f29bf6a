import { and, eq, sql } from 'drizzle-orm';
import { editionRecipients, editions } from '~/db/schema/newsletter';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { deliverEdition } from '../../queue/jobs/newsletter';
import { type Ctx, transact } from '../../runtime/ctx';
import { requireVerifiedEmail } from '../accounts/logins/verify-email';
import { markCreatorChanged } from '../creators/mark-creator-changed';
import { lockCreator } from '../creators/queries';
import { requirePublishing } from '../creators/suspend-publishing';
import { requireRoomForEmails } from '../plans/quotas';
import { recordActivity } from '../team/activity';
import { editionNotEnded, nobodyLeft } from './errors';
import { requireNewsletter } from './newsletter-settings';
import { lockOrdinary } from './queries';
import { mayResume } from './rules';
import type { FindEdition } from './schema';

/**
 * Sends an edition that was cancelled or stopped to those of its frozen recipients who still wait. Who has the email, or
 * whose email has failed, gets nothing. The rule that stopped it holds on: if the next results are bad, too, it stops again.
 * Its emails count in the month in which it was started, as all of them do.
 * @throws newsletter.edition_not_found, newsletter.edition_not_ended, newsletter.nobody_left, plan.max_emails,
 * newsletter.settings_not_defined, account.email_not_verified, creator.publishing_stopped, common.role_not_allowed
 */
export async function resumeEdition(ctx: Ctx, { id }: FindEdition): Promise<void> {
  const { id: creatorId } = authorize(ctx, 'creator.resumeEdition', currentCreator(ctx));
  await requireVerifiedEmail(ctx);
  await transact(ctx, async (tx) => {
    const { status, startedAt, title, revision, recipients } = await lockOrdinary(tx, { creatorId, id });
    if (!mayResume(status) || startedAt === null) throw editionNotEnded();
    await requireNewsletter(tx, creatorId);
    await lockCreator(tx, creatorId);
    await requirePublishing(tx, creatorId);
    const own = eq(editionRecipients.editionId, id);
    const waits = and(own, sql`${editionRecipients.state} in ('waiting', 'leased')`);
    if ((await tx.db.$count(editionRecipients, waits)) === 0) throw nobodyLeft();
    const total = await tx.db.$count(editionRecipients, own);
    await requireRoomForEmails(tx, { creatorId, more: Math.max(0, total - recipients), at: startedAt });
    await tx.reach('edition.checked');
    const state = { status: 'sending', endedAt: null, recipients: total, revision: revision + 1 } as const;
    await tx.db
      .update(editions)
      .set({ ...state, updatedAt: tx.now() })
      .where(eq(editions.id, id));
    await tx.jobs.enqueue(deliverEdition, { editionId: id });
    await markCreatorChanged(tx, creatorId);
    await recordActivity(tx, { creatorId, action: 'edition.resumed', subjectId: id, params: { name: title } });
  });
}
