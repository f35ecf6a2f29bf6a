import type Stripe from 'stripe';
import { partsRoute, type Route } from '../api/route';
import type { Work } from '../engine/account-work';
import { invalidRequest, missingParameter } from '../wire/faults';
import { newId } from '../wire/ids';
import { NULL_FIELDS } from '../wire/null-fields';
import { flag, group, integer, mergeMetadata, metadata, required, text } from '../wire/shapes';
import { periodEnd } from './billing-dates';
import { ITEM_PRICE, newPrice, productIdOf } from './prices';

const TERMS = { price: text(), price_data: group(ITEM_PRICE), quantity: integer(0, 1_000_000) };
const CHANGE = { ...TERMS, id: text(), deleted: flag() };
export const NEW_ITEM = group({ ...TERMS, metadata: metadata() });
/** A change of an item, or its replacement. */
export const ITEM = group({ ...CHANGE, metadata: metadata() });
export const PREVIEW_ITEM = group(CHANGE);
export type ItemInput = ReturnType<(typeof ITEM)['read']>;

export async function resolvePrice(work: Work, { price, price_data }: ItemInput, param: string): Promise<Stripe.Price> {
  const found = price
    ? await work.find('price', price, `${param}[price]`)
    : price_data
      ? await newPrice(work, price_data)
      : null;
  if (!found) throw missingParameter(`${param}[price]`);
  if (!found.recurring)
    throw invalidRequest(
      `The price specified is set to \`type=one_time\` but this field only accepts prices with \`type=recurring\`.`,
      { param },
    );
  if (!found.active) throw invalidRequest('The price specified is inactive.', { param });
  return found;
}

type NewItem = {
  subscription: string;
  price: Stripe.Price;
  quantity: number;
  metadata?: Record<string, string>;
  start: number;
  end: number;
};

export function newItem(work: Work, input: NewItem): Stripe.SubscriptionItem {
  const { subscription, price, quantity, start, end } = input;
  return {
    ...NULL_FIELDS.subscriptionItem,
    id: newId('si', 14),
    object: 'subscription_item',
    created: work.now(),
    current_period_end: end,
    current_period_start: start,
    discounts: [],
    metadata: mergeMetadata({}, input.metadata),
    plan: planOf(price),
    price,
    quantity,
    subscription,
    tax_rates: [],
  };
}

/** The legacy form of a recurring price; items still include it. */
export function planOf(price: Stripe.Price): Stripe.Plan {
  return {
    ...NULL_FIELDS.plan,
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    interval: price.recurring!.interval,
    interval_count: price.recurring!.interval_count,
    livemode: false,
    metadata: {},
    product: productIdOf(price),
    usage_type: 'licensed',
  };
}

/** The only item: this sandbox supports one price per subscription. */
export function itemOf(subscription: Stripe.Subscription): Stripe.SubscriptionItem {
  return subscription.items.data[0]!;
}

/** The length of a whole billing period. The period before the first anchor can be shorter. */
export function wholePeriod(subscription: Stripe.Subscription): number {
  const { current_period_start: start, current_period_end: end, price } = itemOf(subscription);
  const { interval, interval_count: every } = price.recurring!;
  return end === subscription.billing_cycle_anchor ? end - periodEnd(end, interval, -every) : end - start;
}

/** The list inside a subscription, whose URL names the subscription as a parameter. */
export const subscriptionItemRoutes: Route[] = [
  partsRoute('/v1/subscription_items', {
    shape: { subscription: required(text()) },
    find: async (work, { subscription }) => (await work.find('subscription', subscription, 'subscription')).items.data,
  }),
];
