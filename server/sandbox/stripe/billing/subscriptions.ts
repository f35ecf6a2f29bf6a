import type Stripe from 'stripe';
import { listRoute, type Route, retrieveRoute, route } from '../api/route';
import type { Work } from '../engine/account-work';
import { DAY } from '../engine/time';
import { findAccount } from '../money/accounts';
import { findCustomer } from '../money/customers';
import { resolveMethod } from '../money/payment-methods';
import { invalidRequest, missingParameter, missingResource } from '../wire/faults';
import { idOf } from '../wire/objects';
import {
  anyValue,
  arrayOf,
  clearable,
  decimal,
  flag,
  group,
  type Input,
  integer,
  mergeMetadata,
  metadata,
  oneOf,
  type Rule,
  required,
  type Shape,
  text,
  timestamp,
} from '../wire/shapes';
import { DISCOUNTS, redeem } from './discounts';
import { changeSubscription, type SubscriptionChange, unusedCredit } from './subscription-change';
import { endSubscription } from './subscription-end';
import { ITEM, itemOf, resolvePrice } from './subscription-items';
import { startSubscription } from './subscription-start';

const timestampOrNow: Rule<number | 'now'> = {
  read: (value, path) => (value === 'now' ? 'now' : timestamp().read(value, path)),
};

const SHARED = {
  default_payment_method: clearable(text()),
  discounts: clearable(DISCOUNTS),
  metadata: metadata(),
  cancel_at_period_end: flag(),
  cancel_at: clearable(timestamp()),
  description: text(500),
  proration_behavior: oneOf('always_invoice', 'create_prorations', 'none'),
  payment_behavior: oneOf('allow_incomplete', 'default_incomplete', 'error_if_incomplete'),
  off_session: flag(),
  application_fee_percent: clearable(decimal(0, 100)),
  transfer_data: group({ destination: required(text()), amount_percent: decimal(0, 100) }),
  trial_settings: group({
    end_behavior: group({ missing_payment_method: required(oneOf('cancel', 'pause', 'create_invoice')) }),
  }),
  payment_settings: group({
    save_default_payment_method: oneOf('off', 'on_subscription'),
    payment_method_types: anyValue(),
    payment_method_options: anyValue(),
  }),
  collection_method: oneOf('charge_automatically'),
} satisfies Shape;

const CREATE = {
  ...SHARED,
  billing_mode: anyValue(),
  customer: required(text()),
  items: required(arrayOf(ITEM)),
  trial_period_days: integer(0, 730),
  trial_end: timestampOrNow,
} satisfies Shape;

const UPDATE = {
  ...SHARED,
  items: arrayOf(ITEM),
  trial_end: timestampOrNow,
  proration_date: timestamp(),
  billing_cycle_anchor: oneOf('now', 'unchanged'),
  pause_collection: clearable(
    group({ behavior: required(oneOf('keep_as_draft', 'mark_uncollectible', 'void')), resumes_at: timestamp() }),
  ),
  cancellation_details: anyValue(),
} satisfies Shape;

async function create(work: Work, input: Input<typeof CREATE>): Promise<Stripe.Subscription> {
  const customer = await findCustomer(work, input.customer);
  const [item, ...others] = input.items;
  if (!item) throw missingParameter('items');
  if (others.length > 0) throw invalidRequest('This sandbox supports one price per subscription.', { param: 'items' });
  const price = await resolvePrice(work, item, 'items[0]');
  const method = await findMethod(work, input, customer);
  const behaviour = input.payment_behavior ?? 'allow_incomplete';
  const trialEnd = trialEndOf(work, input);
  const costs = trialEnd === null && (price.unit_amount ?? 0) > 0;
  if (costs && behaviour !== 'default_incomplete') assertCard(customer, method);
  if (input.transfer_data) await findAccount(work, input.transfer_data.destination, 'transfer_data[destination]');
  const subscription = await startSubscription(work, {
    customer,
    price,
    quantity: item.quantity ?? 1,
    discounts: input.discounts ?? [],
    trialEnd,
    metadata: mergeMetadata({}, input.metadata),
    method: method?.id ?? null,
    description: input.description,
    feePercent: input.application_fee_percent,
    destination: input.transfer_data?.destination,
    onMissingCard: input.trial_settings?.end_behavior?.missing_payment_method,
    behaviour,
    offSession: input.off_session ?? false,
  });
  scheduleEnd(work, subscription, input);
  return subscription;
}

async function findMethod(
  work: Work,
  { default_payment_method: id }: Input<typeof CREATE>,
  customer: Stripe.Customer,
): Promise<Stripe.PaymentMethod | null> {
  const method = id ? await resolveMethod(work, id, 'default_payment_method') : null;
  if (method && idOf(method.customer) !== customer.id)
    throw missingResource('PaymentMethod', method.id, 'default_payment_method');
  return method;
}

function assertCard(customer: Stripe.Customer, method: Stripe.PaymentMethod | null): void {
  if (method !== null || customer.invoice_settings.default_payment_method !== null) return;
  throw invalidRequest(
    'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
    { code: 'resource_missing' },
  );
}

function trialEndOf(work: Work, { trial_end, trial_period_days }: Input<typeof CREATE>): number | null {
  if (trial_end !== undefined && trial_end !== 'now') {
    if (trial_end <= work.now()) throw invalidRequest('Trial end must be in the future.', { param: 'trial_end' });
    return trial_end;
  }
  return trial_period_days ? work.now() + trial_period_days * DAY : null;
}

type EndInput = { cancel_at_period_end?: boolean; cancel_at?: number | null };

function scheduleEnd(
  work: Work,
  subscription: Stripe.Subscription,
  { cancel_at_period_end: atEnd, cancel_at }: EndInput,
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
    if (cancel_at <= work.now()) throw invalidRequest('`cancel_at` must be in the future.', { param: 'cancel_at' });
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

const assertNotEnded = (subscription: Stripe.Subscription) => {
  if (['canceled', 'incomplete_expired'].includes(subscription.status))
    throw invalidRequest('A canceled subscription can only update its cancellation_details and metadata.');
};

async function update(work: Work, input: Input<typeof UPDATE>, id: string): Promise<Stripe.Subscription> {
  const subscription = await findSubscription(work, id);
  const { metadata: changes, cancellation_details: _, ...rest } = input;
  if (changes) subscription.metadata = mergeMetadata(subscription.metadata, changes);
  if (Object.values(rest).every((value) => value === undefined)) return subscription;
  assertNotEnded(subscription);
  if (input.default_payment_method !== undefined) await setMethod(work, subscription, input.default_payment_method);
  if (input.discounts !== undefined) await setDiscounts(work, subscription, input.discounts ?? []);
  if (input.description !== undefined) subscription.description = input.description;
  scheduleEnd(work, subscription, input);
  if (input.pause_collection !== undefined) pause(subscription, input.pause_collection);
  await changeSubscription(work, subscription, changeOf(input));
  if (subscription.cancel_at_period_end) subscription.cancel_at = itemOf(subscription).current_period_end;
  return subscription;
}

type ChangeInput = Pick<
  Input<typeof UPDATE>,
  'items' | 'proration_behavior' | 'proration_date' | 'billing_cycle_anchor' | 'trial_end' | 'payment_behavior'
>;

export function changeOf(input: ChangeInput): SubscriptionChange {
  return {
    items: input.items,
    behaviour: input.proration_behavior ?? 'create_prorations',
    date: input.proration_date,
    anchorNow: input.billing_cycle_anchor === 'now',
    trialEnd: input.trial_end,
    strict: input.payment_behavior === 'error_if_incomplete',
  };
}

function pause(subscription: Stripe.Subscription, requested: { behavior: string; resumes_at?: number } | null): void {
  subscription.pause_collection = requested && {
    behavior: requested.behavior as Stripe.Subscription.PauseCollection.Behavior,
    resumes_at: requested.resumes_at ?? null,
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
  requested: { coupon?: string }[],
): Promise<void> {
  const target = {
    customer: idOf(subscription.customer),
    subscription: subscription.id,
    currency: subscription.currency,
  };
  subscription.discounts = (await redeem(work, requested, target)).map(({ id }) => id);
}

export const subscriptionRoutes: Route[] = [
  route('POST', '/v1/subscriptions', CREATE, create),
  retrieveRoute('/v1/subscriptions', 'subscription'),
  route('POST', '/v1/subscriptions/:id', UPDATE, (work, input, { id = '' }) => update(work, input, id)),
  route(
    'DELETE',
    '/v1/subscriptions/:id',
    { prorate: flag(), invoice_now: flag(), cancellation_details: anyValue() },
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
    { billing_cycle_anchor: group({ type: required(oneOf('now')) }) },
    async (work, _, { id = '' }) => {
      const subscription = await findSubscription(work, id);
      if (subscription.status !== 'paused')
        throw invalidRequest('Only paused subscriptions can be resumed.', { code: 'resource_missing' });
      subscription.status = 'active';
      await changeSubscription(work, subscription, { behaviour: 'none', anchorNow: true, strict: false });
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
