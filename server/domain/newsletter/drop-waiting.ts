import { and, eq, inArray, lte, or, sql } from 'drizzle-orm';
import { editionRecipients } from '~/db/schema/newsletter';
import type { TxCtx } from '../../runtime/ctx';

/**
 * Drops the emails of steps that wait. Leases that have ended are of a worker that was killed, perhaps after it has sent
 * their emails.
 */
export async function dropWaiting(tx: TxCtx, stepIds: number[]): Promise<void> {
  const now = tx.now();
  const isWaiting = eq(editionRecipients.state, 'waiting');
  const isLost = and(eq(editionRecipients.state, 'leased'), lte(editionRecipients.dueAt, now));
  await tx.db
    .update(editionRecipients)
    .set({
      state: sql`case when ${isWaiting} then 'skipped' else 'unknown' end`,
      answer: sql`case when ${isWaiting} then 'off' end`,
      ...{ dueAt: null, settledAt: now },
    })
    .where(and(inArray(editionRecipients.editionId, stepIds), or(isWaiting, isLost)));
}
