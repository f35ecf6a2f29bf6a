import type Stripe from 'stripe';
import type { Work } from '../engine/account-work';
import { declineFault } from '../money/payment-methods';
import { prorate } from '../money/proportions';
import { invalidRequest, StripeFault } from '../wire/faults';
import { newId } from '../wire/ids';
import { NULL_FIELDS } from '../wire/null-fields';
import { idOf, listOf } from '../wire/objects';
import {
  activeReductions,
  applyReductions,
  type DiscountInput,
  redeemCoupons,
  removeEndedDiscounts,
} from './discounts';
import { assertStartTerms, firstLines, firstPeriod, type StartTerms } from './first-period';
import { collectInvoice } from './invoice-collection';
import { draftInvoice, finalizeInvoice } from './invoice-lifecycle';
import { amountOf } from './invoice-lines';
import { itemOf, newItem, wholePeriod } from './subscription-items';
import type { Share } from './subscription-share';

type PaymentSettings = {
  save_default_payment_method?: 'off' | 'on_subscription';
  payment_method_types?: 'card'[] | null;
};

export type NewSubscription = StartTerms & {
  customer: Stripe.Customer;
  price: Stripe.Price;
  quantity: number;
  discounts: DiscountInput[];
  metadata: Record<string, string>;
  method: string | null;
  description?: string | null;
  /** Fields on its invoices. */
  invoiceFields?: Stripe.Subscription.InvoiceSettings.CustomField[] | null;
  share: Share;
  payment?: PaymentSettings;
  itemMetadata?: Record<string, string>;
  onMissingCard?: 'cancel' | 'pause' | 'create_invoice';
  /**
   * The effect of a failed first payment: the subscription is incomplete, waits for a confirmation, or is rolled back.
   */
  behaviour: 'allow_incomplete' | 'default_incomplete' | 'error_if_incomplete';
  offSession: boolean;
  authenticated?: boolean;
  session?: string;
};

/** A customer keeps the currency of the first subscription. */
export function assertOwnCurrency(customer: Stripe.Customer | null, currency: string | null): void {
  if (customer?.currency && customer.currency !== currency)
    throw invalidRequest(
      'You cannot combine currencies on a single customer. This customer has had a subscription or balance in another.',
    );
}

/** Starts a subscription, creates its first invoice and tries to collect it. */
export async function startSubscription(work: Work, input: NewSubscription): Promise<Stripe.Subscription> {
  assertOwnCurrency(input.customer, input.price.currency);
  assertStartTerms(work.now(), input, input.price.recurring!);
  const subscription = work.add(newSubscription(work, input), {});
  const target = {
    customer: input.customer.id,
    subscription: subscription.id,
    session: input.session,
    currency: input.price.currency,
    start: input.backdated,
  };
  subscription.discounts = (await redeemCoupons(work, input.discounts, target)).map(({ id }) => id);
  input.customer.currency = input.price.currency;
  await firstInvoice(work, subscription, input);
  return subscription;
}

async function firstInvoice(work: Work, subscription: Stripe.Subscription, input: NewSubscription): Promise<void> {
  const lines = await firstLines(work, subscription, input);
  const current = lines.find(({ period }) => period.end === itemOf(subscription).current_period_end);
  await setPeriodCost(work, subscription, current?.amount ?? 0);
  if (lines.length === 0) {
    subscription.status = 'active';
    work.emit('customer.subscription.created', subscription);
    return;
  }
  const period = { start: work.now(), end: work.now() };
  const invoice = await draftInvoice(work, {
    customer: input.customer,
    subscription,
    reason: 'subscription_create',
    lines,
    period,
    since: input.backdated,
  });
  await removeEndedDiscounts(
    work,
    subscription,
    lines.some(({ amount }) => amount > 0),
  );
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

/** Stores the cost of the present period after discounts; later credits are based on it. */
export async function setPeriodCost(work: Work, subscription: Stripe.Subscription, billed?: number): Promise<void> {
  const reductions = await activeReductions(work, subscription.discounts, work.now());
  const { current_period_start: start, current_period_end: end } = itemOf(subscription);
  work.hidden(subscription).cost =
    billed === undefined
      ? prorate(applyReductions(amountOf(itemOf(subscription)), reductions), end - start, wholePeriod(subscription))
      : applyReductions(billed, reductions);
}

/** A fault that rolls back. A payment intent's fault keeps its changes. */
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
  const { price, trialEnd, customer, share } = input;
  const period = firstPeriod(now, input, price.recurring!);
  const item = newItem(work, {
    subscription: id,
    price,
    quantity: input.quantity,
    metadata: input.itemMetadata,
    ...period,
  });
  return {
    ...NULL_FIELDS.subscription,
    ...commonFields(),
    id,
    application_fee_percent: share.feePercent,
    billing_cycle_anchor: trialEnd ?? input.anchor ?? now,
    created: now,
    currency: price.currency,
    customer: customer.id,
    default_payment_method: input.method,
    description: input.description ?? null,
    invoice_settings: { ...NO_INVOICE_SETTINGS, custom_fields: input.invoiceFields ?? null },
    items: listOf(`/v1/subscription_items?subscription=${id}`, [item]),
    metadata: input.metadata,
    payment_settings: { ...NO_PAYMENT_SETTINGS, ...input.payment },
    start_date: input.backdated ?? now,
    status: trialEnd === null ? 'incomplete' : 'trialing',
    test_clock: idOf(customer.test_clock),
    transfer_data: share.transfer && { amount_percent: null, ...share.transfer },
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
  livemode: false,
});

const NO_INVOICE_SETTINGS = {
  account_tax_ids: null,
  description: null,
  footer: null,
  issuer: { type: 'self' as const },
};

const NO_PAYMENT_SETTINGS = {
  payment_method_options: null,
  payment_method_types: null,
  save_default_payment_method: 'off' as const,
};
