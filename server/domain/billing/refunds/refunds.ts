import { and, eq, inArray, isNull, ne, not, or, sql } from 'drizzle-orm';
import { refunds, sales } from '~/db/schema/billing';
import { checkouts } from '~/db/schema/checkouts';
import type { Refund } from '../../../adapters/payments/objects';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import { endAccess } from '../../access/grant-access';
import { enterRefund, enterRefundFailure } from '../../payouts/ledger';
import { lookupSale, type SaleRow } from '../base/queries';
import { FAILED, isFailed } from '../base/refund-states';
import { cancelGift } from '../gifts/endings';
import { issueCreditNotes } from './credit-notes';
import { repeatFailed } from './refund-parts';
import { repeatReturns } from './repeat-returns';

/** Money that has left, or will leave. */
const counts = ({ status }: Pick<Refund, 'status'>) => !isFailed(status);

/**
 * Writes the refunds of a payment. A purchase or a gift that is refunded completely ends. The refunded amount is the
 * sum of all known refunds: of two concurrent lists, the older one may be written last, and it lacks the newest refund.
 */
export async function syncRefunds(ctx: Ctx, payment: string): Promise<void> {
  const sale = await lookupSale(ctx, payment);
  if (!sale) return;
  const found = await ctx.ports.payments.on(sale.sellerAccount).listRefunds(payment);
  await ctx.reach('refunds.listed');
  await transact(ctx, async (tx) => {
    await tx.db.select({ id: sales.id }).from(sales).where(eq(sales.id, sale.id)).for('update');
    const failed = await newlyFailed(tx, sale, found);
    await enterRefunds(tx, sale, { found, fresh: await writeRefunds(tx, sale, found) });
    await issueCreditNotes(tx, sale);
    await repeatFailed(tx, found);
    await repeatReturns(tx, sale, { found, failed });
    const refundedMinor = await refundedOf(tx, sale);
    await tx.db.update(sales).set({ refundedMinor, updatedAt: tx.now() }).where(eq(sales.id, sale.id));
    if (refundedMinor === sale.amountMinor) await endPaidOnce(tx, sale);
  });
}

/** The refunds that have failed and are not stored as failed. @param sale locked */
async function newlyFailed(tx: TxCtx, { id }: SaleRow, found: Refund[]): Promise<Set<string>> {
  const known = await tx.db
    .select({ id: refunds.providerId })
    .from(refunds)
    .where(and(eq(refunds.saleId, id), hasFailed()));
  const failed = new Set(found.filter(({ status }) => isFailed(status)).map((refund) => refund.id));
  for (const row of known) failed.delete(row.id);
  return failed;
}

/** @returns the refunds that were unknown */
async function writeRefunds(tx: TxCtx, sale: SaleRow, found: Refund[]): Promise<Set<string>> {
  if (found.length === 0) return new Set();
  const rows = found.map(({ id, amount, status, createdAt }) => ({
    providerId: id,
    saleId: sale.id,
    amountMinor: amount.minor,
    status,
    refundedAt: createdAt,
    createdAt: tx.now(),
    updatedAt: tx.now(),
  }));
  const written = await tx.db
    .insert(refunds)
    .values(rows)
    .onConflictDoUpdate({
      target: refunds.providerId,
      set: {
        status: sql`case when ${hasFailed()} then ${refunds.status} else excluded.status end`,
        updatedAt: tx.now(),
      },
    })
    .returning({ id: refunds.providerId, isFresh: sql<boolean>`xmax = 0` });
  return new Set(written.filter(({ isFresh }) => isFresh).map(({ id }) => id));
}

const hasFailed = () => inArray(refunds.status, FAILED);

async function refundedOf(tx: TxCtx, { id }: SaleRow): Promise<number> {
  const [row] = await tx.db
    .select({ minor: sql<number>`coalesce(sum(${refunds.amountMinor}), 0)`.mapWith(Number) })
    .from(refunds)
    .where(and(eq(refunds.saleId, id), not(hasFailed())));
  return row!.minor;
}

type FoundRefunds = { found: Refund[]; fresh: Set<string> };

/**
 * The oldest first, after those in the books, because rounding depends on earlier refunds. On a creator's account, only
 * refunds that return our fee.
 */
async function enterRefunds(tx: TxCtx, sale: SaleRow, { found, fresh }: FoundRefunds): Promise<void> {
  const rank = ({ id, createdAt }: Refund) => (fresh.has(id) ? createdAt.getTime() : 0);
  const inOrder = found.toSorted((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : 1));
  let soFarMinor = 0;
  for (const refund of inOrder) {
    const { id, amount, taken, createdAt } = refund;
    const withThis = soFarMinor + amount.minor;
    const isOurs = !sale.sellerAccount || Boolean(refund.reference.fee);
    // a refund that has already failed in its first event may have left our balance meanwhile
    if (isOurs && (counts(refund) || taken))
      await enterRefund(tx, sale, { id, minor: amount.minor, soFarMinor: withThis, at: createdAt });
    if (isOurs && !counts(refund)) await enterRefundFailure(tx, sale, { id, at: tx.now() });
    if (counts(refund)) soFarMinor = withThis;
  }
}

/** Ends a one-time purchase or a gift. */
export async function endPaidOnce(tx: TxCtx, sale: SaleRow): Promise<void> {
  if (sale.purpose === 'gift' && sale.checkoutId !== null) await cancelGift(tx, sale.checkoutId);
  else await endPurchase(tx, sale);
}

async function endPurchase(tx: TxCtx, { purpose, every, userId, productId, checkoutId }: SaleRow): Promise<void> {
  if (purpose !== 'show' || every !== null || userId === null || productId === null) return;
  // the refund of a second payment leaves the first purchase
  const isOther = await paidOtherwise(tx, { userId, productId, checkoutId });
  if (!isOther) await endAccess(tx, { userId, productId, source: 'purchase' });
}

type Purchase = { userId: number; productId: number; checkoutId: string | null };

/** Whether another settled checkout has paid for the same purchase and was not refunded. */
async function paidOtherwise(tx: TxCtx, { userId, productId, checkoutId }: Purchase): Promise<boolean> {
  const isRefunded = eq(sales.refundedMinor, sales.amountMinor);
  const [row] = await tx.db
    .select({ id: checkouts.id })
    .from(checkouts)
    .leftJoin(sales, eq(sales.checkoutId, checkouts.id))
    .where(
      and(
        eq(checkouts.userId, userId),
        eq(checkouts.productId, productId),
        eq(checkouts.purpose, 'show'),
        eq(checkouts.status, 'settled'),
        isNull(checkouts.refusedFor),
        checkoutId === null ? undefined : ne(checkouts.id, checkoutId),
        or(isNull(sales.id), not(isRefunded)),
      ),
    )
    .limit(1);
  return row !== undefined;
}
