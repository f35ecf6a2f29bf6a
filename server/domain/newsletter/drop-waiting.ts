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
  // rows that a worker has locked are left to it: it locks the step last, so waiting for it could end in a deadlock
  const found = tx.db
    .select({ editionId: editionRecipients.editionId, contactId: editionRecipients.contactId })
    .from(editionRecipients)
    .where(and(inArray(editionRecipients.editionId, stepIds), or(isWaiting, isLost)))
    .orderBy(editionRecipients.editionId, editionRecipients.contactId)
    .for('update', { skipLocked: true });
  await tx.db.execute(sql`
    with found as (${found})
    update ${editionRecipients} r set state = case when r.state = 'waiting' then 'skipped' else 'unknown' end,
      answer = case when r.state = 'waiting' then 'off' end, due_at = null, settled_at = ${now.toISOString()}::timestamptz
    from found where r.edition_id = found.edition_id and r.contact_id = found.contact_id`);
}
