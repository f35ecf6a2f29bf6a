import type Stripe from 'stripe';
import { listRoute, type Route, retrieveRoute, route } from '../api/route';
import type { Work } from '../engine/account-work';
import { DAY } from '../engine/time';
import { findAccount } from '../money/accounts';
import { findCustomer } from '../money/customers';
import { takeMethod } from '../money/payment-methods';
import { missingParameter, missingResource, refused } from '../wire/faults';
import { idOf } from '../wire/objects';
import {
  anything,
  clearable,
  decimal,
  flag,
  group,
  type Input,
  many,
  mergedMetadata,
  metadata,
  needed,
  one,
  type Rule,
  type Shape,
  text,
  time,
  whole,
} from '../wire/shapes';
import { DISCOUNTS, redeem } from './discounts';
import { type Change, changeItems, unusedCredit } from './subscription-change';
import { endSubscription } from './subscription-end';
import { ITEM, itemOf, priceOf } from './subscription-items';
import { subscribe } from './subscription-start';

const nowOr: Rule<number | 'now'> = { read: (value, path) => (value === 'now' ? 'now' : time().read(value, path)) };

const BOTH = {
  default_payment_method: clearable(text()),
  discounts: clearable(DISCOUNTS),
  metadata: metadata(),
  cancel_at_period_end: flag(),
  cancel_at: clearable(time()),
  description: text(500),
  proration_behavior: one('always_invoice', 'create_prorations', 'none'),
  payment_behavior: one('allow_incomplete', 'default_incomplete', 'error_if_incomplete'),
  off_session: flag(),
  application_fee_percent: clearable(decimal(0, 100)),
  transfer_data: group({ destination: needed(text()), amount_percent: decimal(0, 100) }),
  trial_settings: group({
    end_behavior: group({ missing_payment_method: needed(one('cancel', 'pause', 'create_invoice')) }),
  }),
  payment_settings: group({
    save_default_payment_method: one('off', 'on_subscription'),
    payment_method_types: anything(),
    payment_method_options: anything(),
  }),
  collection_method: one('charge_automatically'),
} satisfies Shape;

const CREATE = {
  ...BOTH,
  billing_mode: anything(),
  customer: needed(text()),
  items: needed(many(ITEM)),
  trial_period_days: whole(0, 730),
  trial_end: nowOr,
} satisfies Shape;

const UPDATE = {
  ...BOTH,
  items: many(ITEM),
  trial_end: nowOr,
  proration_date: time(),
  billing_cycle_anchor: one('now', 'unchanged'),
  pause_collection: clearable(
    group({ behavior: needed(one('keep_as_draft', 'mark_uncollectible', 'void')), resumes_at: time() }),
  ),
  cancellation_details: anything(),
} satisfies Shape;

async function create(work: Work, input: Input<typeof CREATE>): Promise<Stripe.Subscription> {
  const customer = await findCustomer(work, input.customer);
  const [item, ...others] = input.items;
  if (!item) throw missingParameter('items');
  if (others.length > 0) throw refused('This sandbox keeps subscriptions of one price.', { param: 'items' });
  const price = await priceOf(work, item, 'items[0]');
  const method = await methodOf(work, input, customer);
  const behaviour = input.payment_behavior ?? 'allow_incomplete';
  const trialEnd = trialOf(work, input);
  const costs = trialEnd === null && (price.unit_amount ?? 0) > 0;
  if (costs && behaviour !== 'default_incomplete') refuseWithoutCard(customer, method);
  if (input.transfer_data) await findAccount(work, input.transfer_data.destination, 'transfer_data[destination]');
  const subscription = await subscribe(work, {
    customer,
    price,
    quantity: item.quantity ?? 1,
    discounts: input.discounts ?? [],
    trialEnd,
    metadata: mergedMetadata({}, input.metadata),
    method: method?.id ?? null,
    description: input.description,
    feePercent: input.application_fee_percent,
    destination: input.transfer_data?.destination,
    onMissingCard: input.trial_settings?.end_behavior?.missing_payment_method,
    behaviour,
    offSession: input.off_session ?? false,
  });
  planEnd(work, subscription, input);
  return subscription;
}

async function methodOf(
  work: Work,
  { default_payment_method: said }: Input<typeof CREATE>,
  customer: Stripe.Customer,
): Promise<Stripe.PaymentMethod | null> {
  const method = said ? await takeMethod(work, said, 'default_payment_method') : null;
  if (method && idOf(method.customer) !== customer.id)
    throw missingResource('PaymentMethod', method.id, 'default_payment_method');
  return method;
}

function refuseWithoutCard(customer: Stripe.Customer, method: Stripe.PaymentMethod | null): void {
  if (method !== null || customer.invoice_settings.default_payment_method !== null) return;
  throw refused(
    'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
    { code: 'resource_missing' },
  );
}

function trialOf(work: Work, { trial_end, trial_period_days }: Input<typeof CREATE>): number | null {
  if (trial_end !== undefined && trial_end !== 'now') {
    if (trial_end <= work.now()) throw refused('Trial end must be in the future.', { param: 'trial_end' });
    return trial_end;
  }
  return trial_period_days ? work.now() + trial_period_days * DAY : null;
}

type Ending = { cancel_at_period_end?: boolean; cancel_at?: number | null };

function planEnd(
  work: Work,
  subscription: Stripe.Subscription,
  { cancel_at_period_end: atEnd, cancel_at }: Ending,
): void {
  if (atEnd === true) {
    subscription.cancel_at_period_end = true;
    subscription.cancel_at = itemOf(subscription).current_period_end;
    subscription.canceled_at = work.now();
  } else if (atEnd === false || cancel_at === null) {
    subscription.cancel_at_period_end = false;
    subscription.cancel_at = null;
    subscription.canceled_at = null;
  }
  if (cancel_at) {
    if (cancel_at <= work.now()) throw refused('`cancel_at` must be in the future.', { param: 'cancel_at' });
    subscription.cancel_at = cancel_at;
    subscription.cancel_at_period_end = false;
    subscription.canceled_at = work.now();
  }
  if (subscription.cancel_at !== null && subscription.cancellation_details)
    subscription.cancellation_details.reason = 'cancellation_requested';
}

export async function findSubscription(work: Work, id: string): Promise<Stripe.Subscription> {
  const subscription = await work.find('subscription', id);
  await findCustomer(work, idOf(subscription.customer));
  return subscription;
}

const refuseEnded = (subscription: Stripe.Subscription) => {
  if (['canceled', 'incomplete_expired'].includes(subscription.status))
    throw refused('A canceled subscription can only update its cancellation_details and metadata.');
};

async function update(work: Work, input: Input<typeof UPDATE>, id: string): Promise<Stripe.Subscription> {
  const subscription = await findSubscription(work, id);
  const { metadata: said, cancellation_details: _, ...rest } = input;
  if (said) subscription.metadata = mergedMetadata(subscription.metadata, said);
  if (Object.values(rest).every((value) => value === undefined)) return subscription;
  refuseEnded(subscription);
  if (input.default_payment_method !== undefined) await setMethod(work, subscription, input.default_payment_method);
  if (input.discounts !== undefined) await setDiscounts(work, subscription, input.discounts ?? []);
  if (input.description !== undefined) subscription.description = input.description;
  planEnd(work, subscription, input);
  if (input.pause_collection !== undefined) pause(subscription, input.pause_collection);
  await changeItems(work, subscription, changeOf(input));
  if (subscription.cancel_at_period_end) subscription.cancel_at = itemOf(subscription).current_period_end;
  return subscription;
}

type AskedChange = Pick<
  Input<typeof UPDATE>,
  'items' | 'proration_behavior' | 'proration_date' | 'billing_cycle_anchor' | 'trial_end' | 'payment_behavior'
>;

export function changeOf(input: AskedChange): Change {
  return {
    items: input.items,
    behaviour: input.proration_behavior ?? 'create_prorations',
    date: input.proration_date,
    anchorNow: input.billing_cycle_anchor === 'now',
    trialEnd: input.trial_end,
    strict: input.payment_behavior === 'error_if_incomplete',
  };
}

function pause(subscription: Stripe.Subscription, asked: { behavior: string; resumes_at?: number } | null): void {
  subscription.pause_collection = asked && {
    behavior: asked.behavior as Stripe.Subscription.PauseCollection.Behavior,
    resumes_at: asked.resumes_at ?? null,
  };
}

async function setMethod(work: Work, subscription: Stripe.Subscription, id: string | null): Promise<void> {
  const method = id === null ? null : await work.find('payment_method', id, 'default_payment_method');
  if (method && idOf(method.customer) !== idOf(subscription.customer))
    throw missingResource('PaymentMethod', method.id, 'default_payment_method');
  subscription.default_payment_method = method?.id ?? null;
}

async function setDiscounts(
  work: Work,
  subscription: Stripe.Subscription,
  asked: { coupon?: string }[],
): Promise<void> {
  const target = {
    customer: idOf(subscription.customer),
    subscription: subscription.id,
    currency: subscription.currency,
  };
  subscription.discounts = (await redeem(work, asked, target)).map(({ id }) => id);
}

export const subscriptionRoutes: Route[] = [
  route('POST', '/v1/subscriptions', CREATE, create),
  retrieveRoute('/v1/subscriptions', 'subscription'),
  route('POST', '/v1/subscriptions/:id', UPDATE, (work, input, { id = '' }) => update(work, input, id)),
  route(
    'DELETE',
    '/v1/subscriptions/:id',
    { prorate: flag(), invoice_now: flag(), cancellation_details: anything() },
    async (work, input, { id = '' }) => {
      const subscription = await findSubscription(work, id);
      if (['canceled', 'incomplete_expired'].includes(subscription.status)) throw missingResource('subscription', id);
      if (input.prorate) {
        const customer = await findCustomer(work, idOf(subscription.customer));
        customer.balance -= await unusedCredit(work, subscription);
      }
      await endSubscription(work, subscription, 'cancellation_requested');
      return subscription;
    },
  ),
  route(
    'POST',
    '/v1/subscriptions/:id/resume',
    { billing_cycle_anchor: group({ type: needed(one('now')) }) },
    async (work, _, { id = '' }) => {
      const subscription = await findSubscription(work, id);
      if (subscription.status !== 'paused')
        throw refused('Only paused subscriptions can be resumed.', { code: 'resource_missing' });
      subscription.status = 'active';
      await changeItems(work, subscription, { behaviour: 'none', anchorNow: true, strict: false });
      work.emit('customer.subscription.resumed', subscription);
      return subscription;
    },
  ),
  listRoute('/v1/subscriptions', 'subscription', {
    filters: { customer: text(), status: text(), test_clock: text(), price: text() },
    criteria: ({ customer, status, test_clock }) => ({
      customer,
      without: status === undefined ? { status: 'canceled' } : undefined,
      fields: { ...(status && status !== 'all' && { status }), ...(test_clock && { test_clock }) },
    }),
  }),
];
