import type Stripe from 'stripe';
import type { Work } from '../engine/account-work';
import { TRIAL_WARNING } from '../engine/due-dates';
import { idOf } from '../wire/objects';
import { periodAround } from './billing-dates';
import { removeEndedDiscounts } from './discounts';
import { draftInvoice, voidInvoice } from './invoice-lifecycle';
import { periodLine } from './invoice-lines';
import { closeSubscription, endSubscription, stopCollecting } from './subscription-end';
import { itemOf } from './subscription-items';
import { setPeriodCost } from './subscription-start';

/** Processes a due subscription: announces the trial's end, resumes collection, ends it or renews it. */
export async function processSubscription(work: Work, subscription: Stripe.Subscription): Promise<void> {
  const now = work.now();
  if (subscription.status === 'incomplete') return expireIncomplete(work, subscription);
  if (subscription.pause_collection?.resumes_at && subscription.pause_collection.resumes_at <= now) {
    subscription.pause_collection = null;
    work.emitUpdate(subscription);
  }
  const hidden = work.hidden(subscription);
  const { trial_end } = subscription;
  if (subscription.status === 'trialing' && trial_end !== null && trial_end - TRIAL_WARNING <= now && !hidden.warned) {
    hidden.warned = true;
    if (trial_end > now) work.emit('customer.subscription.trial_will_end', subscription);
  }
  if (subscription.cancel_at !== null && subscription.cancel_at <= now) return endOnSchedule(work, subscription);
  if (itemOf(subscription).current_period_end <= now) await renewSubscription(work, subscription);
}

/** Pending prorations are invoiced when the subscription ends ("Cancel a subscription": pending prorations). */
async function endOnSchedule(work: Work, subscription: Stripe.Subscription): Promise<void> {
  await stopCollecting(work, subscription);
  const { pending: lines = [] } = work.hidden(subscription);
  if (lines.length > 0) {
    const { current_period_start: start, current_period_end: end } = itemOf(subscription);
    const customer = await work.find('customer', idOf(subscription.customer));
    const period = { start, end };
    await draftInvoice(work, { customer, subscription, reason: 'subscription_cycle', lines, period });
  }
  closeSubscription(work, subscription, 'cancellation_requested');
}

async function expireIncomplete(work: Work, subscription: Stripe.Subscription): Promise<void> {
  subscription.status = 'incomplete_expired';
  subscription.ended_at = work.now();
  const invoice = subscription.latest_invoice ? await work.get('invoice', idOf(subscription.latest_invoice)) : null;
  if (invoice?.status === 'open') voidInvoice(work, invoice);
  work.emitUpdate(subscription);
}

/** Starts the next period. Its invoice stays a draft for an hour, like Stripe's. */
export async function renewSubscription(work: Work, subscription: Stripe.Subscription): Promise<Stripe.Invoice | null> {
  const item = itemOf(subscription);
  const customer = await work.find('customer', idOf(subscription.customer));
  const wasTrial = subscription.status === 'trialing';
  const ended = { start: item.current_period_start, end: item.current_period_end };
  if (wasTrial && (await endTrialWithoutCard(work, subscription, customer))) return null;
  const { interval, interval_count } = item.price.recurring!;
  const next = periodAround(subscription.billing_cycle_anchor, interval, interval_count, ended.end);
  item.current_period_start = next.start;
  item.current_period_end = next.end;
  if (wasTrial) subscription.status = 'active';
  await removeEndedDiscounts(work, subscription, false);
  await setPeriodCost(work, subscription);
  const hidden = work.hidden(subscription);
  const lines = [...(hidden.pending ?? []), await periodLine(work, subscription)];
  hidden.pending = [];
  const invoice = await draftInvoice(work, {
    customer,
    subscription,
    reason: 'subscription_cycle',
    lines,
    period: ended,
  });
  await removeEndedDiscounts(work, subscription, true);
  work.emitUpdate(subscription);
  applyPause(work, subscription, invoice);
  return invoice;
}

/** Handles an invoice that was created during a pause as the pause specifies. */
function applyPause(work: Work, subscription: Stripe.Subscription, invoice: Stripe.Invoice): void {
  if (subscription.status === 'unpaid') invoice.auto_advance = false;
  if (!invoice.auto_advance) invoice.automatically_finalizes_at = null;
  const behaviour = subscription.pause_collection?.behavior;
  if (behaviour === 'void') voidInvoice(work, invoice);
  else if (behaviour === 'mark_uncollectible') {
    invoice.status = 'uncollectible';
    invoice.automatically_finalizes_at = null;
    invoice.status_transitions.marked_uncollectible_at = work.now();
    work.emit('invoice.marked_uncollectible', invoice);
  } else if (behaviour === 'keep_as_draft') {
    invoice.auto_advance = false;
    invoice.automatically_finalizes_at = null;
  }
}

async function endTrialWithoutCard(
  work: Work,
  subscription: Stripe.Subscription,
  customer: Stripe.Customer,
): Promise<boolean> {
  const behaviour = subscription.trial_settings?.end_behavior.missing_payment_method ?? 'create_invoice';
  if (behaviour === 'create_invoice') return false;
  if (subscription.default_payment_method || customer.invoice_settings.default_payment_method) return false;
  if (behaviour === 'cancel') await endSubscription(work, subscription, 'payment_failed');
  else {
    subscription.status = 'paused';
    work.emit('customer.subscription.paused', subscription);
  }
  return true;
}
