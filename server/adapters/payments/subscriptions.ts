import type Stripe from 'stripe';
import { spoken } from './failures';
import { readLine } from './invoices';
import type { ChangePreview, Interval, Subscription, SubscriptionStatus } from './objects';
import type { NewTerms, PaymentsPort } from './port';
import { idOf, toDate, toDateOrNull, toMoney, toSeconds } from './reading';

const STATUSES: Record<string, SubscriptionStatus> = {
  active: 'active',
  trialing: 'trialing',
  incomplete: 'incomplete',
  incomplete_expired: 'expired',
  past_due: 'past_due',
  unpaid: 'unpaid',
  paused: 'paused',
  canceled: 'canceled',
};

function itemOf(subscription: Stripe.Subscription): Stripe.SubscriptionItem {
  const [item] = subscription.items.data;
  if (!item) throw new Error(`${subscription.id} has no item`);
  return item;
}

export function readSubscription(subscription: Stripe.Subscription): Subscription {
  const item = itemOf(subscription);
  const { price } = item;
  const { pause_collection: pause, status } = subscription;
  const known = STATUSES[status];
  if (!known) throw new Error(`${subscription.id} has a status that we do not know: ${status}`);
  return {
    id: subscription.id,
    customer: idOf(subscription.customer) ?? '',
    status: known,
    price: toMoney(price.unit_amount ?? 0, price.currency),
    every: (price.recurring?.interval === 'year' ? 'year' : 'month') satisfies Interval,
    product: idOf(price.product) ?? '',
    periodStart: toDate(item.current_period_start),
    periodEnd: toDate(item.current_period_end),
    trialEnd: toDateOrNull(subscription.trial_end),
    endsAt:
      toDateOrNull(subscription.cancel_at) ??
      (subscription.cancel_at_period_end ? toDate(item.current_period_end) : null),
    endedAt: toDateOrNull(subscription.ended_at),
    paused: pause !== null || status === 'paused',
    resumesAt: toDateOrNull(pause?.resumes_at),
    card: idOf(subscription.default_payment_method),
    latestInvoice: idOf(subscription.latest_invoice),
    discounted: subscription.discounts.length > 0,
    startedAt: toDate(subscription.start_date),
    reference: subscription.metadata,
  };
}

/** The item as it will be: a price of the same product. */
function itemWith(item: Stripe.SubscriptionItem, { price, every }: NewTerms) {
  const product = idOf(item.price.product) ?? '';
  return {
    id: item.id,
    price_data: { currency: price.currency, product, unit_amount: price.minor, recurring: { interval: every } },
  };
}

function readPreview(invoice: Stripe.Invoice, at: Date): ChangePreview {
  const { currency } = invoice;
  return {
    due: toMoney(invoice.amount_due, currency),
    credit: toMoney(Math.max(0, 0 - invoice.total), currency),
    lines: invoice.lines.data.map(readLine),
    at,
  };
}

async function previewChange(stripe: Stripe, id: string, terms: NewTerms, at: Date): Promise<ChangePreview> {
  const subscription = await stripe.subscriptions.retrieve(id);
  const trialing = subscription.status === 'trialing';
  const items = [itemWith(itemOf(subscription), terms)];
  const timing = trialing ? {} : { proration_date: toSeconds(at) };
  const invoice = await stripe.invoices.createPreview({
    subscription: id,
    subscription_details: { items, proration_behavior: 'always_invoice', ...timing },
  });
  return readPreview(invoice, toDateOrNull(trialing ? subscription.trial_end : null) ?? at);
}

async function changeSubscription(stripe: Stripe, id: string, terms: NewTerms, { at, key }: { at: Date; key: string }) {
  const subscription = await stripe.subscriptions.retrieve(id);
  const timing = subscription.status === 'trialing' ? {} : { proration_date: toSeconds(at) };
  const change = {
    items: [itemWith(itemOf(subscription), terms)],
    proration_behavior: 'always_invoice' as const,
    payment_behavior: 'error_if_incomplete' as const,
    ...timing,
  };
  return readSubscription(await stripe.subscriptions.update(id, change, { idempotencyKey: key }));
}

type Verbs = Pick<
  PaymentsPort,
  | 'subscribe'
  | 'previewChange'
  | 'changeSubscription'
  | 'cancelAtPeriodEnd'
  | 'cancelNow'
  | 'resume'
  | 'pause'
  | 'resumeCollection'
  | 'setSubscriptionCard'
>;

export function subscriptionVerbs(stripe: Stripe): Verbs {
  const update = (id: string, change: Stripe.SubscriptionUpdateParams, idempotencyKey: string) =>
    spoken(async () => readSubscription(await stripe.subscriptions.update(id, change, { idempotencyKey })));
  return {
    subscribe: (said, key) => spoken(() => subscribe(stripe, said, key)),
    previewChange: (id, terms, at) => spoken(() => previewChange(stripe, id, terms, at)),
    changeSubscription: (id, terms, at, key) => spoken(() => changeSubscription(stripe, id, terms, { at, key })),
    cancelAtPeriodEnd: (id, key) => update(id, { cancel_at_period_end: true }, key),
    cancelNow: (id, idempotencyKey) =>
      spoken(async () => readSubscription(await stripe.subscriptions.cancel(id, {}, { idempotencyKey }))),
    resume: (id, key) => update(id, { cancel_at_period_end: false }, key),
    pause: (id, until, key) =>
      update(id, { pause_collection: { behavior: 'void', ...(until && { resumes_at: toSeconds(until) }) } }, key),
    resumeCollection: (id, key) => update(id, { pause_collection: '' }, key),
    setSubscriptionCard: (id, card, key) => update(id, { default_payment_method: card }, key),
  };
}

/** The price needs a product of its own here: a page makes both at once, this call does not. */
async function subscribe(stripe: Stripe, said: Parameters<Verbs['subscribe']>[0], key: string): Promise<Subscription> {
  const { customer, card, name, price, every, trialDays, coupon, sharing, reference } = said;
  const product = await stripe.products.create({ name }, { idempotencyKey: `${key}/product` });
  const recurring = { interval: every };
  const subscription = await stripe.subscriptions.create(
    {
      customer,
      default_payment_method: card,
      items: [{ price_data: { currency: price.currency, product: product.id, unit_amount: price.minor, recurring } }],
      payment_behavior: 'error_if_incomplete',
      metadata: reference,
      ...(trialDays && { trial_period_days: trialDays }),
      ...(coupon && { discounts: [{ coupon }] }),
      ...(sharing && { application_fee_percent: sharing.feePercent, transfer_data: { destination: sharing.account } }),
    },
    { idempotencyKey: key },
  );
  return readSubscription(subscription);
}
