import type Stripe from 'stripe';
import type { Work } from '../engine/account-work';
import { prorate } from '../money/proportions';
import { invalidRequest } from '../wire/faults';
import { periodEnd } from './billing-dates';
import { amountOf, newLine, periodLine, productNameOf } from './invoice-lines';
import { itemOf } from './subscription-items';

/** When a subscription starts and renews, if that is not now ("Set the subscription billing renewal date"). */
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

/** The lines of the first invoice; none if the time until the anchor is free. */
export async function firstLines(
  work: Work,
  subscription: Stripe.Subscription,
  { trialEnd, anchor, backdated, prorates = true }: StartTerms,
): Promise<Stripe.InvoiceLineItem[]> {
  const lines: Stripe.InvoiceLineItem[] = [];
  if (backdated !== undefined && prorates) lines.push(await backdatedLine(work, subscription, backdated));
  const line = await periodLine(work, subscription, trialEnd !== null);
  if (anchor === undefined) lines.push(line);
  else if (prorates) lines.push({ ...line, ...priceOf(untilAnchor(work, subscription, anchor)) });
  return lines;
}

const priceOf = (amount: number) => ({ amount, subtotal: amount });

/** The price of the time until the anchor, as a part of the full period that ends there. */
function untilAnchor(work: Work, subscription: Stripe.Subscription, anchor: number): number {
  const item = itemOf(subscription);
  const { interval, interval_count } = item.price.recurring!;
  return prorate(amountOf(item), anchor - work.now(), anchor - periodEnd(anchor, interval, -interval_count));
}

/** Whole periods since the start, and a part of the one that is not over. */
async function backdatedLine(work: Work, subscription: Stripe.Subscription, start: number) {
  const item = itemOf(subscription);
  const { price } = item;
  const { interval, interval_count: every } = price.recurring!;
  const now = work.now();
  let whole = 0;
  while (periodEnd(start, interval, (whole + 1) * every) <= now) whole += 1;
  const [from, to] = [periodEnd(start, interval, whole * every), periodEnd(start, interval, (whole + 1) * every)];
  const amount = whole * amountOf(item) + prorate(amountOf(item), now - from, to - from);
  const description = `Time on ${await productNameOf(work, price)} since ${new Date(start * 1000).toISOString().slice(0, 10)}`;
  return newLine({ subscription, item, price, amount, start, end: now, description });
}
