import { inArray, lt, sql } from 'drizzle-orm';
import { webhookEndpoints, webhookEvents, webhookMilestones } from '~/db/schema/webhooks';
import { earlier } from '../../base/time';
import { WEBHOOK_LIMITS } from '../../limits/webhooks';
import type { Ctx } from '../../runtime/ctx';

/**
 * Deletes events after 30 days, with their deliveries and the log. Those that still wait are of endpoints that were
 * switched off for as long. Milestones without an endpoint are counted from the start again.
 */
export async function sweepEvents({ db, now }: Ctx): Promise<void> {
  const isOld = lt(webhookEvents.happenedAt, earlier(now(), WEBHOOK_LIMITS.kept));
  const limit = WEBHOOK_LIMITS.deletedAtOnce;
  for (let isMore = true; isMore; ) {
    const old = db
      .select({ id: webhookEvents.id })
      .from(webhookEvents)
      .where(isOld)
      .orderBy(webhookEvents.id)
      .limit(limit);
    const rows = await db
      .delete(webhookEvents)
      .where(inArray(webhookEvents.id, old))
      .returning({ id: webhookEvents.id });
    isMore = rows.length === limit;
  }
  await db.delete(webhookMilestones).where(sql`not exists (select from ${webhookEndpoints} e
    where e.creator_id = ${webhookMilestones.creatorId} and e.disabled_at is null)`);
}
