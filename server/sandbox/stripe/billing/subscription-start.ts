import type Stripe from 'stripe';
import type { Work } from '../engine/account-work';
import { declineFault } from '../money/payment-methods';
import { invalidRequest, StripeFault } from '../wire/faults';
import { newId } from '../wire/ids';
import { NULL_FIELDS } from '../wire/null-fields';
import { idOf, listOf } from '../wire/objects';
import { periodEnd } from './billing-dates';
import { activeReductions, applyReductions, type DiscountInput, redeem, removeEndedDiscounts } from './discounts';
import { collectInvoice } from './invoice-collection';
import { draftInvoice, finalizeInvoice } from './invoice-lifecycle';
import { amountOf, periodLine } from './invoice-lines';
import { itemOf, newItem } from './subscription-items';

export type NewSubscription = {
  customer: Stripe.Customer;
  price: Stripe.Price;
  quantity: number;
  discounts: DiscountInput[];
  trialEnd: number | null;
  metadata: Record<string, string>;
  method: string | null;
  description?: string | null;
  feePercent?: number | null;
  destination?: string | null;
  onMissingCard?: 'cancel' | 'pause' | 'create_invoice';
  /** What a failed first payment does: leave it incomplete, wait for a confirmation, or roll everything back. */
  behaviour: 'allow_incomplete' | 'default_incomplete' | 'error_if_incomplete';
  offSession: boolean;
  authenticated?: boolean;
  session?: string;
};

/** Starts a subscription, creates its first invoice and tries to collect it. */
export async function startSubscription(work: Work, input: NewSubscription): Promise<Stripe.Subscription> {
  if (input.customer.currency && input.customer.currency !== input.price.currency)
    throw invalidRequest(
      'You cannot combine currencies on a single customer. This customer has had a subscription or balance in another.',
    );
  const subscription = work.add(newSubscription(work, input), {});
  const target = {
    customer: input.customer.id,
    subscription: subscription.id,
    session: input.session,
    currency: input.price.currency,
  };
  subscription.discounts = (await redeem(work, input.discounts, target)).map(({ id }) => id);
  input.customer.currency = input.price.currency;
  await firstInvoice(work, subscription, input);
  return subscription;
}

async function firstInvoice(work: Work, subscription: Stripe.Subscription, input: NewSubscription): Promise<void> {
  const trial = subscription.trial_end !== null;
  const line = await periodLine(work, subscription, trial);
  await setPeriodCost(work, subscription, trial);
  const period = { start: work.now(), end: work.now() };
  const invoice = await draftInvoice(work, {
    customer: input.customer,
    subscription,
    reason: 'subscription_create',
    lines: [line],
    period,
  });
  await removeEndedDiscounts(work, subscription, line.amount > 0);
  work.emit('customer.subscription.created', subscription);
  await finalizeInvoice(work, invoice, input.customer);
  if (invoice.status === 'paid') {
    if (subscription.status === 'incomplete') subscription.status = 'active';
    return;
  }
  if (input.behaviour === 'default_incomplete') return;
  const { decline } = await collectInvoice(work, invoice, {
    offSession: input.offSession,
    method: input.method,
    authenticated: input.authenticated,
  });
  if (input.behaviour === 'error_if_incomplete' && (invoice.status as string) !== 'paid') throw paymentFault(decline);
}

/** Stores what the present period costs after discounts; later credits are based on it. */
export async function setPeriodCost(work: Work, subscription: Stripe.Subscription, free = false): Promise<void> {
  const reductions = await activeReductions(work, subscription.discounts, work.now());
  work.hidden(subscription).cost = free ? 0 : applyReductions(amountOf(itemOf(subscription)), reductions);
}

/** A fault that rolls back, unlike that of a payment intent, which keeps its changes. */
export function paymentFault(decline: { code: string; declineCode: string } | null): StripeFault {
  if (decline && decline.declineCode === 'missing')
    return invalidRequest('This customer has no attached payment source or default payment method.', {
      code: 'resource_missing',
    });
  if (decline) return new StripeFault(402, declineFault(decline).body);
  return new StripeFault(402, {
    type: 'card_error',
    code: 'subscription_payment_intent_requires_action',
    message: 'Payment for this subscription requires additional user action before it can be completed successfully.',
  });
}

function newSubscription(work: Work, input: NewSubscription): Stripe.Subscription {
  const id = newId('sub');
  const now = work.now();
  const { price, trialEnd, customer, destination } = input;
  const { interval, interval_count } = price.recurring!;
  const anchor = trialEnd ?? now;
  const end = trialEnd ?? periodEnd(anchor, interval, interval_count);
  const item = newItem(work, { subscription: id, price, quantity: input.quantity, start: now, end });
  return {
    ...NULL_FIELDS.subscription,
    ...commonFields(),
    id,
    application_fee_percent: input.feePercent ?? null,
    billing_cycle_anchor: anchor,
    created: now,
    currency: price.currency,
    customer: customer.id,
    default_payment_method: input.method,
    description: input.description ?? null,
    items: listOf(`/v1/subscription_items?subscription=${id}`, [item]),
    metadata: input.metadata,
    start_date: now,
    status: trialEnd === null ? 'incomplete' : 'trialing',
    test_clock: idOf(customer.test_clock),
    transfer_data: destination ? { amount_percent: null, destination } : null,
    trial_end: trialEnd,
    trial_settings: trialSettings(input.onMissingCard),
    trial_start: trialEnd === null ? null : now,
  };
}

const trialSettings = (missing: NewSubscription['onMissingCard'] = 'create_invoice') => ({
  end_behavior: { billing_cycle_anchor: 'now' as const, missing_payment_method: missing },
});

/** Fields with the same initial value in every subscription. */
const commonFields = () => ({
  object: 'subscription' as const,
  automatic_tax: { disabled_reason: null, enabled: false, liability: null },
  billing_mode: { flexible: { proration_discounts: 'included' as const }, type: 'flexible' as const },
  billing_schedules: [],
  cancel_at_period_end: false,
  cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
  collection_method: 'charge_automatically' as const,
  default_tax_rates: [],
  discounts: [],
  invoice_settings: {
    account_tax_ids: null,
    custom_fields: null,
    description: null,
    footer: null,
    issuer: { type: 'self' as const },
  },
  livemode: false,
  payment_settings: {
    payment_method_options: null,
    payment_method_types: null,
    save_default_payment_method: 'off' as const,
  },
});
