import type Stripe from 'stripe';
import type { Work } from '../engine/account-work';
import { proration } from '../money/proportions';
import { invalidRequest } from '../wire/faults';
import { idOf } from '../wire/objects';
import { mergeMetadata } from '../wire/shapes';
import { periodEnd } from './billing-dates';
import { activeReductions, applyReductions, removeEndedDiscounts } from './discounts';
import { collectInvoice } from './invoice-collection';
import { draftInvoice, finalizeInvoice } from './invoice-lifecycle';
import { amountOf, periodLine, prorationLine } from './invoice-lines';
import { type ItemInput, itemOf, planOf, resolvePrice, wholePeriod } from './subscription-items';
import { paymentFault, setPeriodCost } from './subscription-start';

export type SubscriptionChange = {
  items?: ItemInput[];
  behaviour: 'always_invoice' | 'create_prorations' | 'none';
  date?: number;
  anchorNow?: boolean;
  /** A new end of the trial. */
  trialEnd?: number | 'now';
  strict: boolean;
};

/**
 * Changes the price, the quantity or the trial.
 * @returns the invoice of the change if there is one; a draft in previews
 */
export async function changeSubscription(
  work: Work,
  subscription: Stripe.Subscription,
  change: SubscriptionChange,
): Promise<Stripe.Invoice | null> {
  if (['canceled', 'incomplete_expired'].includes(subscription.status))
    throw invalidRequest('A canceled subscription can only update its cancellation_details and metadata.');
  const before = structuredClone(itemOf(subscription));
  assertInPeriod(before, change.date);
  const wasTrial = subscription.status === 'trialing';
  await applyItems(work, subscription, change.items ?? []);
  const item = itemOf(subscription);
  endTrial(work, subscription, change.trialEnd);
  const inTrial = subscription.status === 'trialing';
  const intervalChanged = !sameInterval(before, item);
  const restarts = !inTrial && (intervalChanged || change.anchorNow === true || wasTrial);
  if (restarts) restartCycle(work, subscription);
  if (inTrial || samePrice(before, item, restarts)) return null;
  const at = change.date ?? work.now();
  const lines: Stripe.InvoiceLineItem[] = [];
  if (change.behaviour !== 'none' && !wasTrial)
    lines.push(...(await prorationLines(work, subscription, before, { at, restarts })));
  if (restarts) lines.push(await periodLine(work, subscription));
  if (restarts || change.behaviour !== 'none') await setPeriodCost(work, subscription);
  if (restarts || change.behaviour === 'always_invoice')
    return billChange(work, subscription, lines, { restarts, strict: change.strict });
  const hidden = work.hidden(subscription);
  hidden.pending = [...(hidden.pending ?? []), ...lines];
  return null;
}

export function assertInPeriod(item: Stripe.SubscriptionItem, date: number | undefined): void {
  if (date === undefined || (date >= item.current_period_start && date <= item.current_period_end)) return;
  throw invalidRequest('`proration_date` must be within the current period.', { param: 'proration_date' });
}

async function applyItems(work: Work, subscription: Stripe.Subscription, items: ItemInput[]): Promise<void> {
  const item = itemOf(subscription);
  for (const [i, input] of items.entries()) {
    if (input.deleted) continue;
    if (input.id !== undefined && input.id !== item.id)
      throw invalidRequest(`No such subscription item: '${input.id}'`, {
        code: 'resource_missing',
        param: `items[${i}][id]`,
      });
    if (input.id === undefined && !items.some(({ deleted }) => deleted))
      throw invalidRequest('This sandbox supports one price per subscription: pass the id of the item to change.', {
        param: `items[${i}][id]`,
      });
    if (input.price || input.price_data) {
      const price = await resolvePrice(work, input, `items[${i}]`);
      if (price.currency !== subscription.currency)
        throw invalidRequest('The currency of a subscription cannot be changed.', { param: `items[${i}][price]` });
      item.price = price;
      item.plan = planOf(price);
    }
    if (input.quantity !== undefined) item.quantity = input.quantity;
    if (input.metadata) item.metadata = mergeMetadata(item.metadata, input.metadata);
  }
}

function endTrial(work: Work, subscription: Stripe.Subscription, trialEnd: number | 'now' | undefined): void {
  if (trialEnd === undefined) return;
  const end = trialEnd === 'now' ? work.now() : trialEnd;
  if (end > work.now()) {
    if (subscription.status !== 'trialing') startFreePeriod(work, subscription);
    Object.assign(subscription, { status: 'trialing', trial_end: end, billing_cycle_anchor: end });
    itemOf(subscription).current_period_end = end;
    work.hidden(subscription).warned = false;
    return;
  }
  if (subscription.status !== 'trialing') return;
  subscription.trial_end = work.now();
  subscription.status = 'active';
}

/** A trial of a running subscription starts a new period, which is free. */
function startFreePeriod(work: Work, subscription: Stripe.Subscription): void {
  subscription.trial_start = work.now();
  itemOf(subscription).current_period_start = work.now();
  work.hidden(subscription).cost = 0;
}

const sameInterval = (a: Stripe.SubscriptionItem, b: Stripe.SubscriptionItem) =>
  a.price.recurring?.interval === b.price.recurring?.interval &&
  a.price.recurring?.interval_count === b.price.recurring?.interval_count;

const samePrice = (before: Stripe.SubscriptionItem, after: Stripe.SubscriptionItem, restarts: boolean) =>
  !restarts && amountOf(before) === amountOf(after) && before.price.id === after.price.id;

/** Restarts the billing cycle now. */
function restartCycle(work: Work, subscription: Stripe.Subscription): void {
  const item = itemOf(subscription);
  const { interval, interval_count } = item.price.recurring!;
  subscription.billing_cycle_anchor = work.now();
  item.current_period_start = work.now();
  item.current_period_end = periodEnd(work.now(), interval, interval_count);
}

/**
 * Credits the unused time at the old price and, if the period stays, charges it at the new price; both after discounts.
 */
async function prorationLines(
  work: Work,
  subscription: Stripe.Subscription,
  before: Stripe.SubscriptionItem,
  { at, restarts }: { at: number; restarts: boolean },
): Promise<Stripe.InvoiceLineItem[]> {
  const { current_period_start: start, current_period_end: end } = before;
  const period = { start, end, at, whole: restarts ? undefined : wholePeriod(subscription) };
  const reductions = await activeReductions(work, subscription.discounts, work.now());
  const price = applyReductions(amountOf(itemOf(subscription)), reductions);
  const paid = work.hidden(subscription).cost ?? amountOf(before);
  const { credit, charge } = proration(paid, price, period);
  const lines: Stripe.InvoiceLineItem[] = [];
  if (credit !== 0) lines.push(await prorationLine(work, 'Unused', { subscription, item: before, amount: credit, at }));
  if (!restarts)
    lines.push(
      await prorationLine(work, 'Remaining', { subscription, item: itemOf(subscription), amount: charge, at }),
    );
  return lines;
}

async function billChange(
  work: Work,
  subscription: Stripe.Subscription,
  lines: Stripe.InvoiceLineItem[],
  { restarts, strict }: { restarts: boolean; strict: boolean },
): Promise<Stripe.Invoice | null> {
  const hidden = work.hidden(subscription);
  const all = [...(hidden.pending ?? []), ...lines];
  hidden.pending = [];
  if (all.length === 0) return null;
  const customer = await work.find('customer', idOf(subscription.customer));
  const period = { start: work.now(), end: work.now() };
  const invoice = await draftInvoice(work, {
    customer,
    subscription,
    reason: 'subscription_update',
    lines: all,
    period,
  });
  if (restarts) await removeEndedDiscounts(work, subscription, true);
  if (work.isPreview) return invoice;
  await finalizeInvoice(work, invoice, customer);
  if (invoice.status === 'paid') return invoice;
  const { decline } = await collectInvoice(work, invoice, { offSession: true });
  if (strict && (invoice.status as string) !== 'paid') throw paymentFault(decline);
  return invoice;
}
