import { and, eq, inArray } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { type PayoutStatus, payouts } from '~/db/schema/payouts';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { type Operator, recordOperation } from '../operators/record-operation';
import { forgetAddress } from './erase-payouts';
import { inTransferFile, wrongState } from './errors';
import { enterPayoutPaid, enterPayoutReversed } from './ledger';
import { issuePaper } from './papers';
import { findPayout, type PayoutRow } from './queries';
import { tellCreator } from './tell-creator';

/** An operator's action on a payout. Each function writes who did it, in the same transaction. */
type Step = { operator: Operator; id: string };

/** Approves the amount for a transfer. @throws payout.not_found, payout.wrong_state */
export const approvePayout = (ctx: Ctx, step: Step): Promise<PayoutRow> =>
  settlePayout(ctx, step, async (tx, payout) => {
    const fresh = await advanceStatus(tx, payout, {
      from: ['requested'],
      to: { status: 'approved', approvedAt: tx.now() },
    });
    await recordOperation(tx, step.operator, { action: 'payouts.approved', ...target(fresh) });
    return fresh;
  });

/** Marks the payout as transferred. @throws payout.not_found, payout.wrong_state */
export const markPayoutPaid = (ctx: Ctx, step: Step): Promise<PayoutRow> =>
  settlePayout(ctx, step, async (tx, payout) => {
    const fresh = await advanceStatus(tx, payout, { from: ['approved'], to: { status: 'paid', paidAt: tx.now() } });
    await enterPayoutPaid(tx, fresh);
    await issuePaper(tx, fresh, 'invoice');
    await recordOperation(tx, step.operator, { action: 'payouts.paid', ...target(fresh) });
    await tellCreator(tx, fresh, 'payout_paid');
    await forgetAddress(tx, fresh);
    return fresh;
  });

/**
 * Declines a payout before the transfer, or records that the bank has returned it: the amount is available again, and
 * the creator may request it again in the same month. A payout in a file of transfers may have been transferred; by
 * naming the `file`, operators confirm that it was not.
 * @throws payout.not_found, payout.wrong_state, payout.in_transfer_file
 */
export const reversePayout = (ctx: Ctx, { reason, file, ...step }: Reversal): Promise<PayoutRow> =>
  settlePayout(ctx, step, async (tx, payout) => {
    const { transferFile } = payout;
    if (payout.status === 'approved' && transferFile && transferFile !== file)
      throw inTransferFile({ file: transferFile });
    const wasPaid = payout.status === 'paid';
    const to = { status: 'reversed', reversedAt: tx.now(), reason } as const;
    const fresh = await advanceStatus(tx, payout, { from: ['requested', 'approved', 'paid'], to });
    await enterPayoutReversed(tx, fresh, { wasPaid });
    if (wasPaid) await issuePaper(tx, fresh, 'credit_note');
    await recordOperation(tx, step.operator, { action: 'payouts.reversed', ...target(fresh, { reason }) });
    await tellCreator(tx, fresh, 'payout_returned');
    await forgetAddress(tx, fresh);
    return fresh;
  });

type Reversal = Step & { reason: string; file?: string };

/** Locks the creator's row first, like a request. */
function settlePayout(
  ctx: Ctx,
  { id }: Step,
  work: (tx: TxCtx, payout: PayoutRow) => Promise<PayoutRow>,
): Promise<PayoutRow> {
  return transact(ctx, async (tx) => {
    const { creatorId } = await findPayout(tx, id);
    await tx.db.select({ id: creators.id }).from(creators).where(eq(creators.id, creatorId)).for('no key update');
    return work(tx, await findPayout(tx, id));
  });
}

type Change = { from: PayoutStatus[]; to: Partial<typeof payouts.$inferInsert> & { status: PayoutStatus } };

async function advanceStatus(tx: TxCtx, payout: PayoutRow, { from, to }: Change): Promise<PayoutRow> {
  const [row] = await tx.db
    .update(payouts)
    .set({ ...to, updatedAt: tx.now() })
    .where(and(eq(payouts.id, payout.id), inArray(payouts.status, from)))
    .returning();
  if (!row) throw wrongState({ status: payout.status, next: to.status });
  return row;
}

function target({ publicId, amountMinor, currency }: PayoutRow, more: Record<string, string> = {}) {
  return { target: `payout/${publicId}`, details: { amountMinor, currency, ...more } };
}
