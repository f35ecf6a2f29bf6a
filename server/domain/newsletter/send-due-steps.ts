import { and, asc, eq, exists, gt, isNotNull, lte, sql } from 'drizzle-orm';
import { editionRecipients, editions } from '~/db/schema/newsletter';
import { AUTOMATION_LIMITS } from '../../limits/newsletter';
import { sendDueSteps as continueLater, deliverStep } from '../../queue/jobs/newsletter';
import { type Ctx, transact } from '../../runtime/ctx';

/**
 * The job of every minute: enqueues the delivery of each step with emails that are due, of all creators. A lost delivery
 * is found by the next one, so no email has a job of its own.
 */
export async function sendDueSteps(ctx: Ctx, { after = 0 }: { after?: number }): Promise<void> {
  const isDue = exists(
    ctx.db
      .select({ id: editionRecipients.contactId })
      .from(editionRecipients)
      .where(
        and(
          eq(editionRecipients.editionId, editions.id),
          // literal, so that the partial index is used
          sql`${editionRecipients.state} in ('waiting', 'leased')`,
          lte(editionRecipients.dueAt, ctx.now()),
        ),
      ),
  );
  await transact(ctx, async (tx) => {
    const found = await tx.db
      .select({ editionId: editions.id })
      .from(editions)
      .where(and(sql`${editions.status} = 'sending'`, isNotNull(editions.automationId), gt(editions.id, after), isDue))
      .orderBy(asc(editions.id))
      .limit(AUTOMATION_LIMITS.due);
    await tx.jobs.enqueueAll(deliverStep, found);
    const last = found.at(-1);
    if (last && found.length === AUTOMATION_LIMITS.due) await tx.jobs.enqueue(continueLater, { after: last.editionId });
  });
}
