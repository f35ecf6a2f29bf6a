import type Stripe from 'stripe';
import { listRoute, type Route, retrieveRoute, route } from '../api/route';
import type { Work } from '../engine/account-work';
import { DAY } from '../engine/time';
import { findCustomer } from '../money/customers';
import { resolveMethod } from '../money/payment-methods';
import { invalidRequest, missingParameter, missingResource } from '../wire/faults';
import { idOf } from '../wire/objects';
import { flag, group, mergeMetadata, oneOf, required, text } from '../wire/shapes';
import { endDiscount, redeemCoupons } from './discounts';
import { billEnd } from './subscription-cancel';
import { changeSubscription, type SubscriptionChange } from './subscription-change';
import { endSubscription } from './subscription-end';
import { itemOf, resolvePrice } from './subscription-items';
import {
  CANCELLATION_DETAILS,
  CREATE,
  type SubscriptionInput,
  type SubscriptionUpdate,
  UPDATE,
} from './subscription-parameters';
import { assertShare, shareOf } from './subscription-share';
import { startSubscription } from './subscription-start';

async function create(work: Work, input: SubscriptionInput): Promise<Stripe.Subscription> {
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
  const share = { feePercent: input.application_fee_percent ?? null, transfer: input.transfer_data ?? null };
  await assertShare(work, share);
  const subscription = await startSubscription(work, {
    customer,
    price,
    quantity: item.quantity ?? 1,
    discounts: input.discounts ?? [],
    trialEnd,
    metadata: mergeMetadata({}, input.metadata),
    method: method?.id ?? null,
    description: input.description,
    invoiceFields: input.invoice_settings?.custom_fields,
    share,
    onMissingCard: input.trial_settings?.end_behavior.missing_payment_method,
    payment: input.payment_settings,
    itemMetadata: item.metadata,
    anchor: input.billing_cycle_anchor,
    backdated: input.backdate_start_date,
    prorates: input.proration_behavior !== 'none',
    behaviour,
    offSession: input.off_session ?? false,
  });
  scheduleEnd(work, subscription, input);
  return subscription;
}

async function findMethod(
  work: Work,
  { default_payment_method: id }: SubscriptionInput,
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

function trialEndOf(work: Work, { trial_end, trial_period_days }: SubscriptionInput): number | null {
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
    if (subscription.cancellation_details) subscription.cancellation_details.reason = null;
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

export async function findSubscription(work: Work, id: string, param = 'id'): Promise<Stripe.Subscription> {
  const subscription = await work.find('subscription', id, param);
  await findCustomer(work, idOf(subscription.customer));
  return subscription;
}

const assertNotEnded = (subscription: Stripe.Subscription) => {
  if (['canceled', 'incomplete_expired'].includes(subscription.status))
    throw invalidRequest('A canceled subscription can only update its cancellation_details and metadata.');
};

async function update(work: Work, input: SubscriptionUpdate, id: string): Promise<Stripe.Subscription> {
  const subscription = await findSubscription(work, id);
  const { metadata: changes, cancellation_details: details, ...rest } = input;
  if (changes) subscription.metadata = mergeMetadata(subscription.metadata, changes);
  if (details) subscription.cancellation_details = { ...detailsOf(subscription), ...details };
  if (Object.values(rest).every((value) => value === undefined)) return subscription;
  assertNotEnded(subscription);
  if (input.default_payment_method !== undefined) await setMethod(work, subscription, input.default_payment_method);
  if (input.discounts !== undefined) await setDiscounts(work, subscription, input.discounts ?? []);
  if (input.description !== undefined) subscription.description = input.description;
  await setTerms(work, subscription, input);
  scheduleEnd(work, subscription, input);
  if (input.pause_collection !== undefined) pause(subscription, input.pause_collection);
  await changeSubscription(work, subscription, changeOf(input));
  if (subscription.cancel_at_period_end) subscription.cancel_at = itemOf(subscription).current_period_end;
  return subscription;
}

const detailsOf = ({ cancellation_details: details }: Stripe.Subscription): Stripe.Subscription.CancellationDetails =>
  details ?? { comment: null, feedback: null, feedback_option: null, reason: null };

/** Sets terms for later invoices. */
async function setTerms(work: Work, subscription: Stripe.Subscription, input: SubscriptionUpdate): Promise<void> {
  const {
    application_fee_percent: fee,
    transfer_data: transfer,
    trial_settings: trial,
    payment_settings: payment,
    invoice_settings: invoice,
  } = input;
  if (fee !== undefined) subscription.application_fee_percent = fee;
  if (transfer !== undefined) subscription.transfer_data = transfer && { amount_percent: null, ...transfer };
  if (fee !== undefined || transfer !== undefined)
    await assertShare(work, { feePercent: subscription.application_fee_percent, transfer: shareOf(subscription) });
  if (trial) subscription.trial_settings = { end_behavior: { ...trial.end_behavior, billing_cycle_anchor: 'now' } };
  if (payment) Object.assign(subscription.payment_settings ?? {}, payment);
  if (invoice) Object.assign(subscription.invoice_settings, invoice);
}

type ChangeInput = Partial<
  Pick<
    SubscriptionUpdate,
    'items' | 'proration_behavior' | 'proration_date' | 'billing_cycle_anchor' | 'trial_end' | 'payment_behavior'
  >
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
  const before = subscription.discounts.map((ref) => idOf(ref));
  const after = (await redeemCoupons(work, requested, target)).map(({ id }) => id);
  subscription.discounts = after;
  for (const id of before.filter((former) => !after.includes(former))) await endDiscount(work, id);
}

export const subscriptionRoutes: Route[] = [
  route('POST', '/v1/subscriptions', CREATE, create),
  retrieveRoute('/v1/subscriptions', 'subscription'),
  route('POST', '/v1/subscriptions/:id', UPDATE, (work, input, { id = '' }) => update(work, input, id)),
  route(
    'DELETE',
    '/v1/subscriptions/:id',
    { prorate: flag(), invoice_now: flag(), cancellation_details: CANCELLATION_DETAILS },
    async (work, input, { id = '' }) => {
      const subscription = await findSubscription(work, id);
      if (['canceled', 'incomplete_expired'].includes(subscription.status)) throw missingResource('subscription', id);
      await billEnd(work, subscription, { prorate: input.prorate ?? false, invoiceNow: input.invoice_now ?? false });
      const details = { ...detailsOf(subscription), ...input.cancellation_details };
      subscription.cancellation_details = details;
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
    criteria: ({ customer, status, test_clock, price }) => ({
      customer,
      without: status === undefined ? { status: 'canceled' } : undefined,
      fields: {
        ...(status && status !== 'all' && { status }),
        ...(test_clock && { test_clock }),
        ...(price && { 'items.data.0.price.id': price }),
      },
    }),
  }),
];
