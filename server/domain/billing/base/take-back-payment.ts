import type { Reference } from '../../../adapters/payments/objects';
import type { PaymentsPort } from '../../../adapters/payments/port';
import { AppError } from '../../../base/errors';
import type { Ctx } from '../../../runtime/ctx';
import { type CheckoutRow, lookupSale, type SaleRow } from './queries';

/** Objects that a refused checkout has created at the provider. */
type Started = { subscription?: string; payment?: string };

/** Cancels and refunds the objects of a refused checkout: buyers must not pay for nothing. Repeating it is harmless. */
export async function takeBack(
  ctx: Ctx,
  { id, account }: CheckoutRow,
  { subscription, payment }: Started,
): Promise<void> {
  const payments = ctx.ports.payments.on(account);
  const sale = payment ? await lookupSale(ctx, payment) : null;
  if (subscription) await payments.cancel(subscription, 'now', `checkout/${id}/refuse`).catch(ignoreConflict);
  if (payment)
    await payments
      .refund(payment, refundOf(sale, { checkout: id }), `checkout/${id}/refund/${payment}`)
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
