import { and, eq, sql } from 'drizzle-orm';
import { sales } from '~/db/schema/billing';
import { activity } from '~/db/schema/team';
import type { Refund } from '../../../adapters/payments/objects';
import { AppError } from '../../../base/errors';
import { formatMoney, toDecimal } from '../../../base/money';
import { authorize } from '../../../policy/authorize';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import { lookupHeldAccount } from '../../payouts/queries';
import { findProductRecord, type ProductRow } from '../../products/queries';
import { recordActivity } from '../../team/activity';
import { refundChanged, refundTooHigh, saleDisputed, saleElsewhere, saleNotFound } from '../base/errors';
import type { SaleRow } from '../base/queries';
import { isFailed } from '../base/refund-states';
import type { RefundSale } from '../base/schema';
import { refundOf } from '../base/take-back-payment';
import { syncRefunds } from './refunds';
import { tellBuyer } from './tell-refund';

/**
 * Gives a payment back, in part or completely. `refundedMinor` is the refunded amount that the page showed: a second
 * click, or another window, gets the same refund or an error, never a second one. Access stays, except to an audio
 * series that is refunded completely. @throws product.not_found, buyer.sale_not_found, buyer.sale_disputed,
 * buyer.refund_changed, buyer.refund_too_high, the errors of the payments port
 */
export async function refundSale(ctx: Ctx, input: RefundSale): Promise<void> {
  const { product } = await findProductRecord(ctx, input.id, input.kind);
  const show = authorize(ctx, 'product.manageBuyers', product);
  const sale = await findRefundable(ctx, show, input);
  const minor = input.amount ?? sale.amountMinor - input.refundedMinor;
  const refund = await giveBack(ctx, sale, minor).catch(async (error: unknown) => {
    // refunded in another place, so the page is out of date
    await syncRefunds(ctx, sale.paymentId);
    throw error instanceof AppError && error.code === 'payments.conflict' ? refundChanged() : error;
  });
  await transact(ctx, (tx) => reportRefund(tx, { show, sale, refund }));
  await syncRefunds(ctx, sale.paymentId);
}

/**
 * The refund of this request, which may exist although its answer was lost: the provider forgets keys after a day, so
 * the reference names the request. A refund that failed later needs another key, or the provider repeats its answer.
 */
async function giveBack(ctx: Ctx, sale: SaleRow, minor: number): Promise<Refund> {
  const payments = ctx.ports.payments.on(sale.sellerAccount);
  const request = `sale/${sale.id}/refund/${sale.refundedMinor}/${minor}`;
  const listed = await payments.listRefunds(sale.paymentId);
  const isOwn = ({ reference }: Refund) => reference.request === request;
  const known = listed.find((refund) => isOwn(refund) && !isFailed(refund.status));
  if (known) return known;
  const given = listed.filter(({ status }) => !isFailed(status));
  if (given.reduce((sum, { amount }) => sum + amount.minor, 0) !== sale.refundedMinor) throw refundChanged();
  const terms = {
    amount: { minor, currency: sale.currency },
    reason: 'requested',
    ...refundOf(sale, { request }),
  } as const;
  return payments.refund(sale.paymentId, terms, `${request}/${listed.filter(isOwn).length}`);
}

async function findRefundable(ctx: Ctx, show: ProductRow, input: RefundSale): Promise<SaleRow> {
  const [sale] = await ctx.db
    .select()
    .from(sales)
    .where(and(eq(sales.id, input.saleId), eq(sales.productId, show.id), eq(sales.creatorId, show.creatorId)));
  if (!sale) throw saleNotFound();
  if (sale.disputedAt) throw saleDisputed();
  if (sale.sellerAccount && !(await lookupHeldAccount(ctx, sale.sellerAccount))) throw saleElsewhere();
  const left = sale.amountMinor - input.refundedMinor;
  if ((input.amount ?? left) > left || left <= 0)
    throw refundTooHigh({ left: formatMoney({ minor: Math.max(0, left), currency: sale.currency }, ctx.locale) });
  if (sale.refundedMinor !== input.refundedMinor) throw refundChanged();
  return sale;
}

type Refunded = { show: ProductRow; sale: SaleRow; refund: Refund };

/** The log and the buyer get each refund once, even if the form was sent several times. */
async function reportRefund(tx: TxCtx, { show, sale, refund }: Refunded): Promise<void> {
  await tx.db.select({ id: sales.id }).from(sales).where(eq(sales.id, sale.id)).for('update');
  const isReported = and(
    eq(activity.creatorId, show.creatorId),
    eq(activity.action, 'buyer.refunded'),
    eq(activity.subjectId, sale.id),
    sql`${activity.params} ->> 'refund' = ${refund.id}`,
  );
  if ((await tx.db.$count(activity, isReported)) > 0) return;
  const { currency } = sale;
  const amount = `${toDecimal(refund.amount.minor)} ${currency.toUpperCase()}`;
  const params = { name: show.name, amount, refund: refund.id };
  await recordActivity(tx, { creatorId: show.creatorId, action: 'buyer.refunded', subjectId: sale.id, params });
  await tellBuyer(tx, sale, refund);
}
