import type Stripe from 'stripe';
import type { Work } from '../engine/account-work';
import { declinedFault } from '../money/payment-methods';
import { refused, StripeFault } from '../wire/faults';
import { newId } from '../wire/ids';
import { BLANK } from '../wire/null-fields';
import { idOf, listOf } from '../wire/objects';
import { periodEnd } from './billing-dates';
import { type AskedDiscount, redeem, reduced, reductionsOf, shedDiscounts } from './discounts';
import { collect } from './invoice-collection';
import { draftInvoice, finalize } from './invoice-lifecycle';
import { amountOf, periodLine } from './invoice-lines';
import { itemOf, newItem } from './subscription-items';

export type NewSubscription = {
  customer: Stripe.Customer;
  price: Stripe.Price;
  quantity: number;
  discounts: AskedDiscount[];
  trialEnd: number | null;
  metadata: Record<string, string>;
  method: string | null;
  description?: string | null;
  feePercent?: number | null;
  destination?: string | null;
  onMissingCard?: 'cancel' | 'pause' | 'create_invoice';
  /** What a refused first payment does: leave it incomplete, wait for a confirmation, or undo everything. */
  behaviour: 'allow_incomplete' | 'default_incomplete' | 'error_if_incomplete';
  offSession: boolean;
  authenticated?: boolean;
  session?: string;
};

/** Begins a subscription: its first invoice is made, and paid where that can be. */
export async function subscribe(work: Work, said: NewSubscription): Promise<Stripe.Subscription> {
  if (said.customer.currency && said.customer.currency !== said.price.currency)
    throw refused(
      'You cannot combine currencies on a single customer. This customer has had a subscription or balance in another.',
    );
  const subscription = work.add(blankSubscription(work, said), {});
  const target = {
    customer: said.customer.id,
    subscription: subscription.id,
    session: said.session,
    currency: said.price.currency,
  };
  subscription.discounts = (await redeem(work, said.discounts, target)).map(({ id }) => id);
  said.customer.currency = said.price.currency;
  await firstInvoice(work, subscription, said);
  return subscription;
}

async function firstInvoice(work: Work, subscription: Stripe.Subscription, said: NewSubscription): Promise<void> {
  const trial = subscription.trial_end !== null;
  const line = await periodLine(work, subscription, trial);
  await setCost(work, subscription, trial);
  const period = { start: work.now(), end: work.now() };
  const invoice = await draftInvoice(work, {
    customer: said.customer,
    subscription,
    reason: 'subscription_create',
    lines: [line],
    period,
  });
  await shedDiscounts(work, subscription, line.amount > 0);
  work.emit('customer.subscription.created', subscription);
  await finalize(work, invoice, said.customer);
  if (invoice.status === 'paid') {
    if (subscription.status === 'incomplete') subscription.status = 'active';
    return;
  }
  if (said.behaviour === 'default_incomplete') return;
  const { decline } = await collect(work, invoice, {
    offSession: said.offSession,
    method: said.method,
    authenticated: said.authenticated,
  });
  if (said.behaviour === 'error_if_incomplete' && (invoice.status as string) !== 'paid') throw incompleteFault(decline);
}

/** What the present period costs after discounts: the basis of later credits. */
export async function setCost(work: Work, subscription: Stripe.Subscription, free = false): Promise<void> {
  const reductions = await reductionsOf(work, subscription.discounts, work.now());
  work.hidden(subscription).cost = free ? 0 : reduced(amountOf(itemOf(subscription)), reductions);
}

/** Undoes what was begun, unlike the fault of a payment intent, which leaves its trace. */
export function incompleteFault(decline: { code: string; declineCode: string } | null): StripeFault {
  if (decline && decline.declineCode === 'missing')
    return refused('This customer has no attached payment source or default payment method.', {
      code: 'resource_missing',
    });
  if (decline) return new StripeFault(402, declinedFault(decline).body);
  return new StripeFault(402, {
    type: 'card_error',
    code: 'subscription_payment_intent_requires_action',
    message: 'Payment for this subscription requires additional user action before it can be completed successfully.',
  });
}

function blankSubscription(work: Work, said: NewSubscription): Stripe.Subscription {
  const id = newId('sub');
  const now = work.now();
  const { price, trialEnd, customer, destination } = said;
  const { interval, interval_count } = price.recurring!;
  const anchor = trialEnd ?? now;
  const end = trialEnd ?? periodEnd(anchor, interval, interval_count);
  const item = newItem(work, { subscription: id, price, quantity: said.quantity, start: now, end });
  return {
    ...BLANK.subscription,
    ...usual(),
    id,
    application_fee_percent: said.feePercent ?? null,
    billing_cycle_anchor: anchor,
    created: now,
    currency: price.currency,
    customer: customer.id,
    default_payment_method: said.method,
    description: said.description ?? null,
    items: listOf(`/v1/subscription_items?subscription=${id}`, [item]),
    metadata: said.metadata,
    start_date: now,
    status: trialEnd === null ? 'incomplete' : 'trialing',
    test_clock: idOf(customer.test_clock),
    transfer_data: destination ? { amount_percent: null, destination } : null,
    trial_end: trialEnd,
    trial_settings: endingTrial(said.onMissingCard),
    trial_start: trialEnd === null ? null : now,
  };
}

const endingTrial = (missing: NewSubscription['onMissingCard'] = 'create_invoice') => ({
  end_behavior: { billing_cycle_anchor: 'now' as const, missing_payment_method: missing },
});

/** What is the same for all subscriptions here when they begin. */
const usual = () => ({
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
