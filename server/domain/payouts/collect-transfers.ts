import { and, asc, desc, eq, inArray, isNull } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { type PayoutStatus, payouts } from '~/db/schema/payouts';
import { TRANSFER_LIMITS } from '../../limits/payouts';
import { type Ctx, transact } from '../../runtime/ctx';
import { type Operator, recordOperation } from '../operators/record-operation';
import { payoutNotFound, transferFileUsed } from './errors';
import type { PayoutRow } from './queries';

export type PayoutForOperator = { payout: PayoutRow; creator: { name: string; domain: string } };

/** The oldest first; for all states, the newest first. */
export function listForOperator({ db }: Pick<Ctx, 'db'>, status: PayoutStatus | null): Promise<PayoutForOperator[]> {
  return db
    .select({ payout: payouts, creator: { name: creators.name, domain: creators.domain } })
    .from(payouts)
    .innerJoin(creators, eq(creators.id, payouts.creatorId))
    .where(status === null ? undefined : eq(payouts.status, status))
    .orderBy(status === null ? desc(payouts.id) : asc(payouts.id))
    .limit(TRANSFER_LIMITS.listed);
}

/** @throws payout.not_found */
export async function findForOperator({ db }: Pick<Ctx, 'db'>, publicId: string): Promise<PayoutForOperator> {
  const [row] = await db
    .select({ payout: payouts, creator: { name: creators.name, domain: creators.domain } })
    .from(payouts)
    .innerJoin(creators, eq(creators.id, payouts.creatorId))
    .where(eq(payouts.publicId, publicId));
  if (!row) throw payoutNotFound();
  return row;
}

/**
 * Collects the approved payouts in euros to a bank account that are in no file of transfers yet. A lost file is written
 * again by its name while one of its payouts waits. @returns the oldest first. @throws payout.transfer_file_used
 */
export function collectTransfers(ctx: Ctx, { operator, file }: { operator: Operator; file: string }) {
  return transact(ctx, async (tx) => {
    const known = await transfersIn(tx, file);
    if (known.length > 0) return known;
    // the bank rejects a known file name
    if ((await tx.db.$count(payouts, eq(payouts.transferFile, file))) > 0) throw transferFileUsed({ file });
    const isDue = and(
      ...[eq(payouts.status, 'approved'), eq(payouts.currency, 'eur'), eq(payouts.method, 'iban')],
      isNull(payouts.transferFile),
    );
    const due = tx.db
      .select({ id: payouts.id })
      .from(payouts)
      .where(isDue)
      .orderBy(asc(payouts.id))
      .limit(TRANSFER_LIMITS.perFile)
      .for('update');
    const taken = await tx.db
      .update(payouts)
      .set({ transferFile: file, updatedAt: tx.now() })
      .where(inArray(payouts.id, due))
      .returning({ id: payouts.id });
    if (taken.length === 0) return [];
    const details = { payouts: taken.length };
    await recordOperation(tx, operator, { action: 'payouts.sepa', target: `transfers/${file}`, details });
    return transfersIn(tx, file);
  });
}

/** The payouts in a file that still wait. */
export function transfersIn({ db }: Pick<Ctx, 'db'>, file: string): Promise<PayoutRow[]> {
  return db
    .select()
    .from(payouts)
    .where(and(eq(payouts.transferFile, file), eq(payouts.status, 'approved')))
    .orderBy(asc(payouts.id))
    .limit(TRANSFER_LIMITS.perFile);
}
