import type Stripe from 'stripe';
import type { Work } from '../engine/account-work';
import { prorate as prorateAmount } from '../money/proportions';
import { idOf } from '../wire/objects';
import { collectInvoice } from './invoice-collection';
import { draftInvoice, finalizeInvoice } from './invoice-lifecycle';
import { prorationLine } from './invoice-lines';
import { itemOf } from './subscription-items';

/**
 * Bills a cancellation: with `prorate`, a credit for the unused time; with `invoiceNow`, an invoice of this credit and
 * of the pending prorations. Without an invoice, the credit goes to the customer's balance.
 */
export async function billEnd(
  work: Work,
  subscription: Stripe.Subscription,
  { prorate, invoiceNow }: { prorate: boolean; invoiceNow: boolean },
): Promise<void> {
  const customer = await work.find('customer', idOf(subscription.customer));
  if (!invoiceNow) {
    customer.balance -= prorate ? unusedCredit(subscription, work.hidden(subscription).cost, work.now()) : 0;
    return;
  }
  const invoice = await draftEnd(work, subscription, prorate ? work.now() : null);
  if (!invoice) return;
  await finalizeInvoice(work, invoice, customer);
  if (invoice.status !== 'paid') await collectInvoice(work, invoice, { offSession: true });
}

/**
 * The draft of the final invoice; null if there is nothing to bill. @param since the start of the time that is credited
 */
export async function draftEnd(
  work: Work,
  subscription: Stripe.Subscription,
  since: number | null,
): Promise<Stripe.Invoice | null> {
  const hidden = work.hidden(subscription);
  const credit = since === null ? 0 : unusedCredit(subscription, hidden.cost, since);
  const lines = [...(hidden.pending ?? [])];
  const line = { subscription, item: itemOf(subscription), amount: 0 - credit, at: since ?? work.now() };
  if (credit > 0) lines.push(await prorationLine(work, 'Unused', line));
  hidden.pending = [];
  if (lines.length === 0) return null;
  const customer = await work.find('customer', idOf(subscription.customer));
  const period = { start: work.now(), end: work.now() };
  return draftInvoice(work, { customer, subscription, reason: 'subscription_update', lines, period });
}

/** The credit for the time from a moment on. @param cost the price of the present period after discounts */
function unusedCredit(subscription: Stripe.Subscription, cost = 0, since: number): number {
  const { current_period_start: start, current_period_end: end } = itemOf(subscription);
  return prorateAmount(cost, Math.max(0, end - since), end - start);
}
