import type { Reference } from '../../../adapters/payments/objects';
import type { PaymentsPort } from '../../../adapters/payments/port';
import { AppError } from '../../../base/errors';
import type { Ctx } from '../../../runtime/ctx';
import { type CheckoutRow, lookupSale, type SaleRow } from './queries';
import { isFailed } from './refund-states';

/** Objects that a refused checkout has created at the provider. */
type Started = { subscription?: string; payment?: string };

/**
 * Cancels and refunds the objects of a refused checkout: buyers must not pay for nothing. Repeating it is harmless. A
 * refund that fails later is repeated by a job (refunds/return-refused.ts).
 */
export async function takeBack(ctx: Ctx, checkout: CheckoutRow, { subscription, payment }: Started): Promise<void> {
  const { id, account } = checkout;
  const payments = ctx.ports.payments.on(account);
  if (subscription) await payments.cancel(subscription, 'now', `checkout/${id}/refuse`).catch(ignoreConflict);
  if (payment) await returnPayment(ctx, checkout, { payment, attempt: 0 });
}

type Return = { payment: string; attempt: number };

/** Each attempt gives the payment back once, as its number of earlier refunds tells. */
export async function returnPayment(
  ctx: Ctx,
  { id, account }: CheckoutRow,
  { payment, attempt }: Return,
): Promise<void> {
  const payments = ctx.ports.payments.on(account);
  const sale = await lookupSale(ctx, payment);
  const own = (await payments.listRefunds(payment)).filter(({ reference }) => reference.checkout === id);
  if (own.length > attempt || own.some(({ status }) => !isFailed(status))) return;
  const key = `checkout/${id}/refund/${payment}`;
  await payments
    .refund(payment, refundOf(sale, { checkout: id }), attempt === 0 ? key : `${key}/${attempt}`)
    .catch((error) => ignoreIfReturned(payments, payment, error));
}

/** The provider also refuses a refund for want of money in our balance: then the buyer still waits for it. */
async function ignoreIfReturned(payments: PaymentsPort, payment: string, error: unknown): Promise<void> {
  ignoreConflict(error);
  const { amount, refunded, disputed } = await payments.fetch.payment(payment);
  if (refunded.minor < amount.minor && !disputed) throw error;
}

type Fee = Pick<SaleRow, 'sellerAccount' | 'commissionMinor'>;

/**
 * Refunds a payment in our name. On the creator's own account, our fee goes back with it; the reference tells such
 * refunds from the creator's own refunds at the provider, which leave us the fee.
 */
export const refundOf = (sale: Fee | null, reference: Reference) =>
  sale?.sellerAccount && sale.commissionMinor > 0
    ? { reference: { ...reference, fee: 'returned' }, returnFee: true }
    : { reference };

/** The subscription has ended, or the payment was refunded, before. */
function ignoreConflict(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'payments.conflict')) throw error;
}
