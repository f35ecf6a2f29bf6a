import type Stripe from 'stripe';
import type { AppError } from '../../errors';
import type { Money } from '../../money';
import { couponReason, subscriptionReason, withReason } from './conflict-reasons';
import { expandedOrNull, idOf, lineItemOf, toDate, toMoney } from './convert';
import { paymentsConflict } from './errors';
import type { Checkout, Interval, Reference } from './objects';
import type { Buyer, CheckoutPage, NewDonation, PaymentsPort, PercentSharing, Sharing } from './port';
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

function pageParams({ successUrl, cancelUrl, language, reference }: CheckoutPage) {
  return {
    success_url: successUrl,
    cancel_url: cancelUrl,
    locale: language,
    metadata: reference,
    allowed_payment_method_types: ['card' as const],
  };
}

const buyerParams = (buyer: Buyer) =>
  'customer' in buyer ? { customer: buyer.customer } : { customer_email: buyer.email };

const couponParams = (coupon: string | undefined) => (coupon === undefined ? {} : { discounts: [{ coupon }] });

type PurchaseTerms = { name: string; price: Money; sharing?: Sharing; reference: Reference };

function purchaseParams({ name, price, sharing, reference }: PurchaseTerms) {
  const share = sharing && {
    application_fee_amount: sharing.fee.minor,
    transfer_data: { destination: sharing.account },
  };
  return {
    mode: 'payment' as const,
    line_items: [lineItemOf(name, price)],
    payment_intent_data: { metadata: reference, description: name, ...share },
  };
}

type SubscriptionTerms = Omit<PurchaseTerms, 'sharing'> & {
  every: Interval;
  trialDays?: number;
  sharing?: PercentSharing;
};

function subscriptionParams({ name, price, every, trialDays, sharing, reference }: SubscriptionTerms) {
  const share = sharing && {
    application_fee_percent: sharing.feePercent,
    transfer_data: { destination: sharing.account },
  };
  return {
    mode: 'subscription' as const,
    line_items: [lineItemOf(name, price, every)],
    subscription_data: { metadata: reference, trial_period_days: trialDays, ...share },
  };
}

function donationParams(donation: NewDonation) {
  const { amount: price } = donation;
  if (donation.every === 'month') return subscriptionParams({ ...donation, price });
  return { ...purchaseParams({ ...donation, price }), submit_type: 'donate' as const };
}

type Operations = Pick<
  PaymentsPort,
  'startCardSetup' | 'startPurchase' | 'startSubscription' | 'startDonation' | 'expireCheckout'
>;

type Opening = { idempotencyKey: string; reason?: () => Promise<AppError | null> };

export function checkoutOperations(callStripe: CallStripe): Operations {
  const open = (
    page: CheckoutPage & { coupon?: string },
    paid: Stripe.Checkout.SessionCreateParams,
    { idempotencyKey, reason }: Opening,
  ) =>
    withReason(
      callStripe(async ({ checkout }) => {
        const params = { ...pageParams(page), ...couponParams(page.coupon), ...paid, expand: EXPAND };
        return toCheckout(await checkout.sessions.create(params, { idempotencyKey }));
      }),
      reason ?? (async () => null),
    );
  return {
    startCardSetup: (input, key) => open(input, { mode: 'setup', customer: input.customer }, { idempotencyKey: key }),
    startPurchase: (input, key) =>
      open(
        input,
        { ...buyerParams(input.buyer), ...purchaseParams(input) },
        { idempotencyKey: key, reason: () => couponReason(callStripe, input.coupon, input.price.currency) },
      ),
    startSubscription: (input, key) =>
      open(
        input,
        { customer: input.customer, ...subscriptionParams(input) },
        { idempotencyKey: key, reason: () => subscriptionReason(callStripe, input) },
      ),
    startDonation: (input, key) =>
      open(input, { ...buyerParams(input.buyer), ...donationParams(input) }, { idempotencyKey: key }),
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
