import type Stripe from 'stripe';
import { couponReason, subscriptionReason, withReason } from './conflict-reasons';
import { expandedOrNull, idOf, toDate, toDateOrNull, toMoney, toSeconds } from './convert';
import { paymentsConflict } from './errors';
import { toInvoiceLine } from './invoices';
import {
  type Interval,
  LEAVING_REASONS,
  type Leaving,
  type Preview,
  type Subscription,
  type SubscriptionDiscount,
  type SubscriptionStatus,
} from './objects';
import type { Change, PaymentsPort, Seller } from './port';
import { describeItem, sellerFields } from './sellers';
import { subscriptionShare } from './sharing';
import type { CallStripe } from './stripe-call';

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

/** The fields that subscriptions expand. */
export const EXPAND = ['discounts'];
/** The fields that lists of subscriptions expand. */
export const SUBSCRIPTION_PAGE = EXPAND.map((field) => `data.${field}`);

export function itemOf(subscription: Stripe.Subscription): Stripe.SubscriptionItem {
  const [item] = subscription.items.data;
  if (!item) throw new Error(`${subscription.id} has no item`);
  return item;
}

export function toSubscription(subscription: Stripe.Subscription): Subscription {
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
    ...endOf(subscription),
    paused: pause !== null || status === 'paused',
    resumesAt: toDateOrNull(pause?.resumes_at),
    card: idOf(subscription.default_payment_method),
    latestInvoice: idOf(subscription.latest_invoice),
    discounted: subscription.discounts.length > 0,
    discount: discountOf(subscription),
    startedAt: toDate(subscription.start_date),
    reference: subscription.metadata,
  };
}

const END_REASONS: Record<string, Subscription['endReason']> = {
  cancellation_requested: 'requested',
  payment_failed: 'payment_failed',
  payment_disputed: 'disputed',
};

function endOf({ cancellation_details: details }: Stripe.Subscription): Pick<Subscription, 'endReason' | 'leaving'> {
  const { comment = null, feedback = null, reason: end = null } = details ?? {};
  const reason = LEAVING_REASONS.find((known) => known === feedback) ?? null;
  const leaving: Leaving | null = reason || comment ? { reason, comment } : null;
  return { endReason: END_REASONS[end ?? ''] ?? null, leaving };
}

function discountOf({ discounts }: Stripe.Subscription): SubscriptionDiscount | null {
  const discount = expandedOrNull(discounts[0]);
  return discount && { coupon: idOf(discount.source.coupon), endsAt: toDateOrNull(discount.end) };
}

export async function fetchSubscription(stripe: Stripe, id: string): Promise<Subscription> {
  return toSubscription(await stripe.subscriptions.retrieve(id, { expand: EXPAND }));
}

export const isOver = ({ status }: Subscription) => status === 'canceled' || status === 'expired';

/** New terms for the item, with the same product: charged at once, or after the trial. */
function changeParams(subscription: Stripe.Subscription, { price, every, at, isPaid }: Change) {
  const item = itemOf(subscription);
  const product = idOf(item.price.product) ?? '';
  const recurring = { interval: every };
  const price_data = { currency: price.currency, product, unit_amount: price.minor, recurring };
  return {
    items: [{ id: item.id, price_data }],
    proration_behavior: isPaid ? ('none' as const) : ('always_invoice' as const),
    ...(!isPaid && subscription.status !== 'trialing' && { proration_date: toSeconds(at) }),
  };
}

async function preview(stripe: Stripe, id: string, change: Change | null): Promise<Preview> {
  const subscription = await stripe.subscriptions.retrieve(id);
  const terms = change && { subscription_details: changeParams(subscription, change) };
  const invoice = await stripe.invoices.createPreview({ subscription: id, ...terms });
  const { currency, total, amount_due: due } = invoice;
  const trialEnd = subscription.status === 'trialing' ? toDateOrNull(subscription.trial_end) : null;
  return {
    total: toMoney(Math.max(0, total), currency),
    due: toMoney(due, currency),
    credit: toMoney(Math.max(0, 0 - total), currency),
    lines: invoice.lines.data.map(toInvoiceLine),
    at: trialEnd ?? change?.at ?? toDate(itemOf(subscription).current_period_end),
  };
}

async function changeSubscription(stripe: Stripe, { id, change, key }: { id: string; change: Change; key: string }) {
  const terms = changeParams(await stripe.subscriptions.retrieve(id), change);
  const metadata = change.reference && { metadata: change.reference };
  const params = { ...terms, ...metadata, payment_behavior: 'error_if_incomplete' as const, expand: EXPAND };
  return toSubscription(await stripe.subscriptions.update(id, params, { idempotencyKey: key }));
}

type Operations = Pick<
  PaymentsPort,
  | 'subscribe'
  | 'preview'
  | 'changeSubscription'
  | 'pause'
  | 'resumeCollection'
  | 'setSubscriptionCard'
  | 'setSubscriptionCoupon'
  | 'setSeller'
  | 'setTrialEnd'
>;

export function subscriptionOperations(callStripe: CallStripe): Operations {
  const whileRunning = conflictIfOver(callStripe);
  const update = updateSubscription(callStripe);
  return {
    subscribe: (input, key) =>
      withReason(
        callStripe((stripe) => subscribe(stripe, input, key)),
        () => subscriptionReason(callStripe, input),
      ),
    preview: (id, change) =>
      whileRunning(
        id,
        callStripe((stripe) => preview(stripe, id, change)),
      ),
    changeSubscription: (id, change, key) =>
      whileRunning(
        id,
        callStripe((stripe) => changeSubscription(stripe, { id, change, key })),
      ),
    pause: (id, until, key) =>
      update(id, { pause_collection: { behavior: 'void', ...(until && { resumes_at: toSeconds(until) }) } }, key),
    resumeCollection: (id, key) => update(id, { pause_collection: '' }, key),
    setSubscriptionCard: (id, card, key) => update(id, { default_payment_method: card }, key),
    setSubscriptionCoupon: (id, coupon, key) =>
      withReason(update(id, { discounts: coupon === null ? '' : [{ coupon }] }, key), async () => {
        const { price } = await callStripe((stripe) => fetchSubscription(stripe, id));
        return couponReason(callStripe, coupon ?? undefined, price.currency);
      }),
    setSeller: (id, seller, key) => update(id, { invoice_settings: { custom_fields: sellerFields(seller) } }, key),
    setTrialEnd: (id, at, key) => update(id, trialParams(at), key),
  };
}

const sellerParams = (name: string, seller: Seller) => ({
  description: describeItem(name, seller),
  invoice_settings: { custom_fields: sellerFields(seller) },
});

/** Time that becomes free gives no credit, and a declined charge changes nothing. */
const trialParams = (at: Date | 'now') => ({
  trial_end: at === 'now' ? ('now' as const) : toSeconds(at),
  proration_behavior: 'none' as const,
  payment_behavior: 'error_if_incomplete' as const,
});

/** Stripe reports only a sentence for a subscription that has ended. */
export const conflictIfOver =
  (callStripe: CallStripe) =>
  <T>(id: string, attempt: Promise<T>) =>
    withReason(attempt, async () =>
      isOver(await callStripe((stripe) => fetchSubscription(stripe, id))) ? paymentsConflict() : null,
    );

export const updateSubscription =
  (callStripe: CallStripe) => (id: string, change: Stripe.SubscriptionUpdateParams, idempotencyKey: string) =>
    conflictIfOver(callStripe)(
      id,
      callStripe(async ({ subscriptions }) =>
        toSubscription(await subscriptions.update(id, { ...change, expand: EXPAND }, { idempotencyKey })),
      ),
    );

/** Creates the product first: unlike checkout, this call does not accept an inline product. */
async function subscribe(
  stripe: Stripe,
  input: Parameters<Operations['subscribe']>[0],
  key: string,
): Promise<Subscription> {
  const { customer, card, name, price, every, trialDays, coupon, seller, reference } = input;
  const product = await stripe.products.create({ name }, { idempotencyKey: `${key}/product` });
  const recurring = { interval: every };
  const subscription = await stripe.subscriptions.create(
    {
      customer,
      default_payment_method: card,
      items: [{ price_data: { currency: price.currency, product: product.id, unit_amount: price.minor, recurring } }],
      payment_behavior: 'error_if_incomplete',
      metadata: reference,
      expand: EXPAND,
      ...(trialDays && { trial_period_days: trialDays }),
      ...(coupon && { discounts: [{ coupon }] }),
      ...subscriptionShare(input),
      ...(seller && sellerParams(name, seller)),
    },
    { idempotencyKey: key },
  );
  return toSubscription(subscription);
}
