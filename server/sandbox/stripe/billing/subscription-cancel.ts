import type Stripe from 'stripe';
import type { Work } from '../engine/account-work';
import { prorate as prorateAmount } from '../money/proportions';
import { idOf } from '../wire/objects';
import { collectInvoice } from './invoice-collection';
import { draftInvoice, finalizeInvoice } from './invoice-lifecycle';
import { prorationLine } from './invoice-lines';
import { itemOf } from './subscription-items';

/**
 * What a cancellation bills: with `prorate`, the credit for the unused time; with `invoiceNow`, an invoice of it and of
 * the pending prorations. Without an invoice, the credit goes to the customer's balance.
 */
export async function billEnd(
  work: Work,
  subscription: Stripe.Subscription,
  { prorate, invoiceNow }: { prorate: boolean; invoiceNow: boolean },
): Promise<void> {
  const customer = await work.find('customer', idOf(subscription.customer));
  const credit = prorate ? unusedCredit(work, subscription) : 0;
  if (!invoiceNow) {
    customer.balance -= credit;
    return;
  }
  const lines = [...(work.hidden(subscription).pending ?? [])];
  const line = { subscription, item: itemOf(subscription), amount: 0 - credit, at: work.now() };
  if (credit > 0) lines.push(await prorationLine(work, 'Unused', line));
  work.hidden(subscription).pending = [];
  if (lines.length === 0) return;
  const period = { start: work.now(), end: work.now() };
  const reason = 'subscription_update' as const;
  const invoice = await draftInvoice(work, { customer, subscription, reason, lines, period });
  await finalizeInvoice(work, invoice, customer);
  if (invoice.status !== 'paid') await collectInvoice(work, invoice, { offSession: true });
}

/** The credit for canceling now. */
function unusedCredit(work: Work, subscription: Stripe.Subscription): number {
  const { current_period_start: start, current_period_end: end } = itemOf(subscription);
  const cost = work.hidden(subscription).cost ?? 0;
  return prorateAmount(cost, Math.max(0, end - work.now()), end - start);
}
