import { type Ctx, transact } from '../../../runtime/ctx';
import { lookupOwnCheckout, onCheckoutsAccount } from '../base/queries';
import { recordSale } from '../base/sales';
import { takeBack } from '../base/take-back-payment';
import { closeRow } from '../checkout/checkouts';
import { settleCheckout } from '../checkout/settle-checkout';
import { applyPaidChange } from '../plan-billing/confirm-plan';
import { syncRefunds } from '../refunds/refunds';
import { syncPlanOfSale, syncSubscription } from '../subscriptions/subscriptions';
import { syncCards } from './cards';

/** Writes the state of a payment page: paid, closed, or still open. */
export async function syncCheckout(at: Ctx, providerId: string): Promise<void> {
  const ctx = await onCheckoutsAccount(at, providerId);
  const found = await ctx.ports.payments.fetch.checkout(providerId);
  const row = await lookupOwnCheckout(ctx, found.reference.checkout);
  if (!row) return ctx.log.debug({ checkout: providerId }, 'event about a payment page of another installation');
  if (found.status === 'expired') return transact(ctx, (tx) => closeRow(tx, row));
  if (!found.settled && found.kind !== 'setup') return;
  if (found.kind === 'setup' && found.status === 'open') return;
  if (found.subscription) await syncSubscription(ctx, found.subscription);
  else if (found.payment) await syncPayment(ctx, found.payment);
  // nothing to pay: a coupon of 100%, or a stored card
  else await transact(ctx, (tx) => settleCheckout(tx, { checkoutId: row.id, subscription: null }));
  if (found.customer) await syncCards(ctx, found.customer);
}

/** Writes a payment without a subscription; subscriptions have invoices. */
export async function syncPayment(ctx: Ctx, providerId: string): Promise<void> {
  const payment = await ctx.ports.payments.fetch.payment(providerId);
  await ctx.reach('payment.fetched');
  const row = await lookupOwnCheckout(ctx, payment.reference.checkout);
  if (!row || row.terms.every !== null || payment.status !== 'succeeded') return;
  const checkout = await transact(ctx, (tx) => settleCheckout(tx, { checkoutId: row.id, subscription: null }));
  await syncPlanOfSale(ctx, checkout, payment.createdAt);
  await recordSale(ctx, { payment, invoice: null, checkout, subscription: null });
  if (checkout.refusedFor) await takeBack(ctx, checkout, { payment: providerId });
  else if (!checkout.terms.planChange || (await applyPaidChange(ctx, checkout, providerId)) === 'applied') return;
  await syncRefunds(ctx, providerId);
}
