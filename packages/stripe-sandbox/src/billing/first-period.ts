import type Stripe from 'stripe';
import type { Work } from '../engine/account-work';
import { prorate } from '../money/proportions';
import { invalidRequest } from '../wire/faults';
import { periodEnd } from './billing-dates';
import { amountOf, newLine, periodLine } from './invoice-lines';
import { itemOf } from './subscription-items';

/** When a subscription starts and renews, if not now ("Set the subscription billing renewal date"). */
export type StartTerms = {
  trialEnd: number | null;
  /** The first renewal; the time until then is prorated. */
  anchor?: number;
  /** A start in the past; the time since then is billed first. */
  backdated?: number;
  /** Whether the time before the anchor is billed. */
  prorates?: boolean;
};
type Recurring = Pick<Stripe.Price.Recurring, 'interval' | 'interval_count'>;

export function assertStartTerms(now: number, { trialEnd, anchor, backdated }: StartTerms, recurring: Recurring): void {
  if (trialEnd !== null && (anchor !== undefined || backdated !== undefined))
    throw invalidRequest('This sandbox does not support a trial together with another start or anchor.', {
      param: anchor === undefined ? 'backdate_start_date' : 'billing_cycle_anchor',
    });
  if (backdated !== undefined && backdated >= now)
    throw invalidRequest('`backdate_start_date` must be in the past.', { param: 'backdate_start_date' });
  if (anchor === undefined) return;
  if (anchor <= now)
    throw invalidRequest('`billing_cycle_anchor` must be in the future.', { param: 'billing_cycle_anchor' });
  if (anchor > periodEnd(now, recurring.interval, recurring.interval_count))
    throw invalidRequest('billing_cycle_anchor cannot be later than next natural billing date.', {
      param: 'billing_cycle_anchor',
    });
}

/** Stripe's limit for the lines of an invoice ("Backdate subscriptions"). */
const MAX_LINES = 250;

/**
 * The lines of the first invoice: one for each billing period since the start; no lines if the time until the anchor is
 * free.
 */
export async function firstLines(
  work: Work,
  subscription: Stripe.Subscription,
  { trialEnd, anchor, backdated, prorates = true }: StartTerms,
): Promise<Stripe.InvoiceLineItem[]> {
  const current = await periodLine(work, subscription, trialEnd !== null);
  const parts = prorates ? periodsBefore(subscription.billing_cycle_anchor, backdated ?? work.now(), subscription) : [];
  const started = trialEnd === null ? parts.map((part) => partLine(subscription, current, part)) : [];
  return anchor === undefined ? [...started, current] : started;
}

type Part = { start: number; end: number; whole: number };

/** The billing periods between a start and the anchor. The first one may be a part of a whole period. */
function periodsBefore(anchor: number, start: number, subscription: Stripe.Subscription): Part[] {
  const { interval, interval_count: every } = itemOf(subscription).price.recurring!;
  const parts: Part[] = [];
  for (let end = anchor; end > start; ) {
    if (parts.length === MAX_LINES)
      throw invalidRequest(`Backdating is not supported beyond ${MAX_LINES} periods.`, {
        param: 'backdate_start_date',
      });
    const from = periodEnd(anchor, interval, -(parts.length + 1) * every);
    parts.unshift({ start: Math.max(from, start), end, whole: end - from });
    end = from;
  }
  return parts;
}

function partLine(subscription: Stripe.Subscription, current: Stripe.InvoiceLineItem, { start, end, whole }: Part) {
  const item = itemOf(subscription);
  const amount = prorate(amountOf(item), end - start, whole);
  return newLine({ subscription, item, price: item.price, amount, start, end, description: current.description ?? '' });
}

/** When the present period of a new subscription starts and ends. */
export function firstPeriod(now: number, { trialEnd, anchor, backdated }: StartTerms, recurring: Recurring) {
  const { interval, interval_count: every } = recurring;
  if (trialEnd !== null) return { start: now, end: trialEnd };
  if (anchor === undefined) return { start: now, end: periodEnd(now, interval, every) };
  return { start: Math.max(backdated ?? now, periodEnd(anchor, interval, -every)), end: anchor };
}
