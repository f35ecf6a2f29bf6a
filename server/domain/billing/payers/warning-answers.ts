import { and, asc, eq, isNull } from 'drizzle-orm';
import { refunds, sales, subscriptions } from '~/db/schema/billing';
import { creators } from '~/db/schema/creators';
import { paymentWarnings } from '~/db/schema/payment-warnings';
import type { Refund } from '../../../adapters/payments/objects';
import { RECONCILIATION_LIMITS } from '../../../limits/reconciliation';
import { type Ctx, transact } from '../../../runtime/ctx';
import { type Operator, recordOperation } from '../../operators/record-operation';
import { saleDisputed, warningNotFound } from '../base/errors';
import type { SaleRow } from '../base/queries';
import { isFailed } from '../base/refund-states';
import { refundOf } from '../base/take-back-payment';
import { closeWarning } from '../provider-sync/payment-warnings';
import { syncRefunds } from '../refunds/refunds';
import { tellBuyer, tellCreator } from '../refunds/tell-refund';
import { queueEnds } from '../subscriptions/end-subscriptions';

export type OpenWarning = { warning: typeof paymentWarnings.$inferSelect; sale: SaleRow; creator: string };

/** Warnings about payments that wait for an answer, the oldest first. */
export const listOpenWarnings = ({ db }: Pick<Ctx, 'db'>): Promise<OpenWarning[]> =>
  db
    .select({ warning: paymentWarnings, sale: sales, creator: creators.domain })
    .from(paymentWarnings)
    .innerJoin(sales, eq(sales.id, paymentWarnings.saleId))
    .innerJoin(creators, eq(creators.id, sales.creatorId))
    .where(isNull(paymentWarnings.closedAt))
    .orderBy(asc(paymentWarnings.warnedAt), asc(paymentWarnings.providerId))
    .limit(RECONCILIATION_LIMITS.shown);

type Answer = { operator: Operator; id: string };

/**
 * Gives all that is left of the payment back before the bank takes it, and ends what it pays for. Repeating it is
 * harmless. @throws warning.not_found, buyer.sale_disputed, the errors of the payments port
 */
export async function refundWarned(ctx: Ctx, { operator, id }: Answer): Promise<void> {
  const sale = await findSale(ctx, id);
  if (sale.disputedAt) throw saleDisputed();
  const refund = (await giveBack(ctx, sale, id)) ?? (await lookupRefund(ctx, sale, id));
  await ctx.reach('warning.refunded');
  await transact(ctx, async (tx) => {
    await recordOperation(tx, operator, { action: 'warnings.refunded', target: `warning/${id}`, details: {} });
    await closeWarning(tx, id);
    if (refund) await tellBuyer(tx, sale, refund);
    if (refund) await tellCreator(tx, sale, refund);
    if (sale.subscriptionId === null) return;
    // the next payment of the same card would be reported, too
    const isRunning = and(eq(subscriptions.id, sale.subscriptionId), isNull(subscriptions.endedAt));
    await queueEnds(tx, isRunning, { reason: 'disputed', when: 'now' });
  });
  await syncRefunds(ctx, sale.paymentId);
}

/** Refunds what is left of the payment; null if nothing is. */
async function giveBack(ctx: Ctx, sale: SaleRow, id: string): Promise<Refund | null> {
  const left = { minor: sale.amountMinor - sale.refundedMinor, currency: sale.currency };
  if (left.minor === 0) return null;
  const request = { amount: left, reason: 'fraudulent', ...refundOf(sale, { warning: id }) } as const;
  // a refund that failed later needs another key, or the provider repeats its answer
  const attempt = await ctx.db.$count(refunds, eq(refunds.saleId, sale.id));
  return ctx.ports.payments.refund(sale.paymentId, request, `warning/${id}/refund/${attempt}`);
}

/** The refund of an earlier attempt that ended before it told the buyer and the creator. */
async function lookupRefund(ctx: Ctx, sale: SaleRow, id: string): Promise<Refund | null> {
  const listed = await ctx.ports.payments.listRefunds(sale.paymentId);
  return listed.find(({ reference, status }) => reference.warning === id && !isFailed(status)) ?? null;
}

/** Keeps the payment. @throws warning.not_found */
export async function keepWarned(ctx: Ctx, { operator, id, reason }: Answer & { reason: string }): Promise<void> {
  await findSale(ctx, id);
  await transact(ctx, async (tx) => {
    await recordOperation(tx, operator, { action: 'warnings.kept', target: `warning/${id}`, details: { reason } });
    await closeWarning(tx, id);
  });
}

async function findSale({ db }: Ctx, id: string): Promise<SaleRow> {
  const [row] = await db
    .select({ sale: sales })
    .from(paymentWarnings)
    .innerJoin(sales, eq(sales.id, paymentWarnings.saleId))
    .where(eq(paymentWarnings.providerId, id));
  if (!row) throw warningNotFound();
  return row.sale;
}
