import type Stripe from 'stripe';
import type { AppError } from '../../base/errors';
import { couponReason, subscriptionReason, withReason } from './conflict-reasons';
import { expandedOrNull, idOf, lineItemOf, toDate, toMoney, toSeconds } from './convert';
import { paymentsConflict } from './errors';
import type { Checkout } from './objects';
import type { Buyer, CheckoutPage, NewDonation, NewPurchase, NewSubscription, PaymentsPort } from './port';
import { describeItem, sellerFields, soldBy, statementSuffix } from './sellers';
import { paymentShare, subscriptionShare } from './sharing';
import type { CallStripe } from './stripe-call';

const KINDS = { payment: 'purchase', subscription: 'subscription', setup: 'setup' } as const;
const EXPAND = ['setup_intent'];

export function toCheckout(session: Stripe.Checkout.Session): Checkout {
  const { currency, amount_total: total, total_details: details } = session;
  const kind = KINDS[session.mode as keyof typeof KINDS];
  return {
    id: session.id,
    kind,
    status: (session.status ?? 'open') as Checkout['status'],
    settled: session.status === 'complete' && session.payment_status !== 'unpaid',
    url: session.url,
    customer: idOf(session.customer),
    email: session.customer_details?.email ?? session.customer_email,
    country: session.customer_details?.address?.country ?? null,
    payment: idOf(session.payment_intent),
    subscription: idOf(session.subscription),
    invoice: idOf(session.invoice),
    card: idOf(expandedOrNull(session.setup_intent)?.payment_method),
    total: total === null || currency === null ? null : toMoney(total, currency),
    discount: details === null || currency === null ? null : toMoney(details.amount_discount, currency),
    expiresAt: toDate(session.expires_at),
    reference: session.metadata ?? {},
  };
}

function pageParams({ successUrl, cancelUrl, language, reference, expiresAt }: CheckoutPage) {
  return {
    success_url: successUrl,
    cancel_url: cancelUrl,
    locale: language,
    metadata: reference,
    allowed_payment_method_types: ['card' as const],
    // the card's form always asks for the country, and for the full address only where it must
    billing_address_collection: 'auto' as const,
    expires_at: expiresAt && toSeconds(expiresAt),
  };
}

/**
 * Without the filters, pages would not offer cards that a subscription or an earlier purchase has saved ("Prefilling
 * saved cards in Checkout").
 */
const customerParams = (customer: string) => ({
  customer,
  saved_payment_method_options: {
    allow_redisplay_filters: ['always' as const, 'limited' as const, 'unspecified' as const],
  },
});

const buyerParams = (buyer: Buyer) =>
  'customer' in buyer ? customerParams(buyer.customer) : { customer_email: buyer.email };

const couponParams = (coupon: string | undefined) => (coupon === undefined ? {} : { discounts: [{ coupon }] });

type PurchaseTerms = Pick<
  NewPurchase,
  'name' | 'price' | 'coupon' | 'sharing' | 'platformFee' | 'seller' | 'invoice' | 'savesCard' | 'reference'
> & { buyer: Buyer };

async function purchaseParams(stripe: Stripe, terms: PurchaseTerms) {
  const { buyer, name, price, seller, invoice, savesCard, reference } = terms;
  return {
    ...buyerParams(buyer),
    ...(savesCard && 'email' in buyer && { customer_creation: 'always' as const }),
    mode: 'payment' as const,
    line_items: [lineItemOf({ name, price, description: seller && soldBy(seller) })],
    payment_intent_data: {
      metadata: reference,
      description: describeItem(name, seller),
      statement_descriptor_suffix: seller && statementSuffix(seller),
      // also for subscriptions to which the customer moves the card later, while absent
      ...(savesCard && { setup_future_usage: 'off_session' as const }),
      ...(await paymentShare(stripe, terms)),
    },
    ...(invoice && { invoice_creation: invoiceCreation(terms) }),
  };
}

const invoiceCreation = ({ name, seller, reference }: PurchaseTerms) => ({
  enabled: true,
  invoice_data: { description: name, metadata: reference, custom_fields: seller && sellerFields(seller) },
});

type SubscriptionTerms = Pick<
  NewSubscription,
  'name' | 'price' | 'every' | 'trialDays' | 'sharing' | 'platformFee' | 'seller' | 'reference'
>;

function subscriptionParams(terms: SubscriptionTerms) {
  const { name, price, every, trialDays, seller, reference } = terms;
  return {
    mode: 'subscription' as const,
    line_items: [lineItemOf({ name, price, description: seller && soldBy(seller), every })],
    subscription_data: {
      metadata: reference,
      description: seller && describeItem(name, seller),
      trial_period_days: trialDays,
      ...subscriptionShare(terms),
    },
  };
}

async function donationParams(stripe: Stripe, donation: NewDonation) {
  const { amount: price } = donation;
  if (donation.every === 'month')
    return { ...buyerParams(donation.buyer), ...subscriptionParams({ ...donation, price }) };
  return { ...(await purchaseParams(stripe, { ...donation, price })), submit_type: 'donate' as const };
}

type Operations = Pick<
  PaymentsPort,
  'startCardSetup' | 'startPurchase' | 'startSubscription' | 'startDonation' | 'expireCheckout'
>;

type Opening = { idempotencyKey: string; reason?: () => Promise<AppError | null> };

export function checkoutOperations(callStripe: CallStripe): Operations {
  const open = (
    page: CheckoutPage & { coupon?: string },
    terms: (stripe: Stripe) => Promise<Stripe.Checkout.SessionCreateParams> | Stripe.Checkout.SessionCreateParams,
    { idempotencyKey, reason = async () => null }: Opening,
  ) =>
    withReason(
      callStripe(async (stripe) => {
        const params = { ...pageParams(page), ...couponParams(page.coupon), ...(await terms(stripe)), expand: EXPAND };
        return toCheckout(await stripe.checkout.sessions.create(params, { idempotencyKey }));
      }),
      reason,
    );
  return {
    startCardSetup: (input, key) =>
      open(input, () => ({ mode: 'setup', customer: input.customer }), { idempotencyKey: key }),
    startPurchase: (input, key) =>
      open(input, (stripe) => purchaseParams(stripe, input), {
        idempotencyKey: key,
        reason: () => couponReason(callStripe, input.coupon, input.price.currency),
      }),
    startSubscription: (input, key) =>
      open(input, () => ({ ...customerParams(input.customer), ...subscriptionParams(input) }), {
        idempotencyKey: key,
        reason: () => subscriptionReason(callStripe, input),
      }),
    startDonation: (input, key) => open(input, (stripe) => donationParams(stripe, input), { idempotencyKey: key }),
    expireCheckout: (id, idempotencyKey) =>
      withReason(
        callStripe(async ({ checkout }) =>
          toCheckout(await checkout.sessions.expire(id, { expand: EXPAND }, { idempotencyKey })),
        ),
        async () =>
          (await callStripe((stripe) => fetchCheckout(stripe, id))).status === 'open' ? null : paymentsConflict(),
      ),
  };
}

export async function fetchCheckout(stripe: Stripe, id: string): Promise<Checkout> {
  return toCheckout(await stripe.checkout.sessions.retrieve(id, { expand: EXPAND }));
}
