import type Stripe from 'stripe';
import type { Work } from '../engine/account-work';
import { proration, share } from '../money/proportions';
import { refused } from '../wire/faults';
import { idOf } from '../wire/objects';
import { periodEnd } from './billing-dates';
import { reduced, reductionsOf, shedDiscounts } from './discounts';
import { collect } from './invoice-collection';
import { draftInvoice, finalize } from './invoice-lifecycle';
import { amountOf, periodLine, restLine } from './invoice-lines';
import { type AskedItem, itemOf, planOf, priceOf } from './subscription-items';
import { incompleteFault, setCost } from './subscription-start';

export type Change = {
  items?: AskedItem[];
  behaviour: 'always_invoice' | 'create_prorations' | 'none';
  date?: number;
  anchorNow?: boolean;
  /** A trial that ends now, or at another moment. */
  trialEnd?: number | 'now';
  strict: boolean;
};

/** Changes what a subscription is for. @returns the invoice that this made, as a draft in a rehearsal */
export async function changeItems(
  work: Work,
  subscription: Stripe.Subscription,
  change: Change,
): Promise<Stripe.Invoice | null> {
  if (['canceled', 'incomplete_expired'].includes(subscription.status))
    throw refused('A canceled subscription can only update its cancellation_details and metadata.');
  const before = structuredClone(itemOf(subscription));
  const wasTrial = subscription.status === 'trialing';
  await exchange(work, subscription, change.items ?? []);
  const item = itemOf(subscription);
  endTrial(work, subscription, change.trialEnd);
  const still = subscription.status === 'trialing';
  const otherInterval = !sameInterval(before, item);
  const restarts = !still && (otherInterval || change.anchorNow === true || wasTrial);
  if (restarts) restart(work, subscription);
  if (still || samePrice(before, item, restarts)) return null;
  const at = change.date ?? work.now();
  const lines: Stripe.InvoiceLineItem[] = [];
  if (change.behaviour !== 'none' && !wasTrial)
    lines.push(...(await prorationLines(work, subscription, before, { at, restarts })));
  if (restarts) lines.push(await periodLine(work, subscription));
  if (restarts || change.behaviour !== 'none') await setCost(work, subscription);
  if (restarts || change.behaviour === 'always_invoice')
    return bill(work, subscription, lines, { restarts, strict: change.strict });
  const hidden = work.hidden(subscription);
  hidden.pending = [...(hidden.pending ?? []), ...lines];
  return null;
}

async function exchange(work: Work, subscription: Stripe.Subscription, items: AskedItem[]): Promise<void> {
  const item = itemOf(subscription);
  for (const [i, asked] of items.entries()) {
    if (asked.deleted) continue;
    if (asked.id !== undefined && asked.id !== item.id)
      throw refused(`No such subscription item: '${asked.id}'`, {
        code: 'resource_missing',
        param: `items[${i}][id]`,
        status: 404,
      });
    if (asked.id === undefined && !items.some(({ deleted }) => deleted))
      throw refused('This sandbox keeps subscriptions of one price: name the item that is to change.', {
        param: `items[${i}][id]`,
      });
    if (asked.price || asked.price_data) {
      const price = await priceOf(work, asked, `items[${i}]`);
      if (price.currency !== subscription.currency)
        throw refused('The currency of a subscription cannot be changed.', { param: `items[${i}][price]` });
      item.price = price;
      item.plan = planOf(price);
    }
    if (asked.quantity !== undefined) item.quantity = asked.quantity;
  }
}

function endTrial(work: Work, subscription: Stripe.Subscription, trialEnd: number | 'now' | undefined): void {
  if (trialEnd === undefined) return;
  const end = trialEnd === 'now' ? work.now() : trialEnd;
  if (end > work.now()) {
    Object.assign(subscription, { status: 'trialing', trial_end: end, billing_cycle_anchor: end });
    subscription.trial_start ??= work.now();
    itemOf(subscription).current_period_end = end;
    work.hidden(subscription).warned = false;
    return;
  }
  if (subscription.status !== 'trialing') return;
  subscription.trial_end = work.now();
  subscription.status = 'active';
}

const sameInterval = (a: Stripe.SubscriptionItem, b: Stripe.SubscriptionItem) =>
  a.price.recurring?.interval === b.price.recurring?.interval &&
  a.price.recurring?.interval_count === b.price.recurring?.interval_count;

const samePrice = (before: Stripe.SubscriptionItem, after: Stripe.SubscriptionItem, restarts: boolean) =>
  !restarts && amountOf(before) === amountOf(after) && before.price.id === after.price.id;

/** The billing cycle begins anew, now. */
function restart(work: Work, subscription: Stripe.Subscription): void {
  const item = itemOf(subscription);
  const { interval, interval_count } = item.price.recurring!;
  subscription.billing_cycle_anchor = work.now();
  item.current_period_start = work.now();
  item.current_period_end = periodEnd(work.now(), interval, interval_count);
}

/** Credit for what is left of the old price and, within the same period, the new price for that rest; discounts are in both. */
async function prorationLines(
  work: Work,
  subscription: Stripe.Subscription,
  before: Stripe.SubscriptionItem,
  { at, restarts }: { at: number; restarts: boolean },
): Promise<Stripe.InvoiceLineItem[]> {
  const period = { start: before.current_period_start, end: before.current_period_end, at };
  const reductions = await reductionsOf(work, subscription.discounts, work.now());
  const price = reduced(amountOf(itemOf(subscription)), reductions);
  const paid = work.hidden(subscription).cost ?? amountOf(before);
  const { credit, charge } = proration(paid, price, period);
  const lines: Stripe.InvoiceLineItem[] = [];
  if (credit !== 0) lines.push(await restLine(work, 'Unused', { subscription, item: before, amount: credit, at }));
  if (!restarts)
    lines.push(await restLine(work, 'Remaining', { subscription, item: itemOf(subscription), amount: charge, at }));
  return lines;
}

async function bill(
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
  if (restarts) await shedDiscounts(work, subscription, true);
  if (work.rehearses) return invoice;
  await finalize(work, invoice, customer);
  if (invoice.status === 'paid') return invoice;
  const { decline } = await collect(work, invoice, { offSession: true });
  if (strict && (invoice.status as string) !== 'paid') throw incompleteFault(decline);
  return invoice;
}

/** The credit that ending now is worth. */
export async function unusedCredit(work: Work, subscription: Stripe.Subscription): Promise<number> {
  const { current_period_start: start, current_period_end: end } = itemOf(subscription);
  const cost = work.hidden(subscription).cost ?? 0;
  return share(cost, Math.max(0, end - work.now()), end - start);
}
