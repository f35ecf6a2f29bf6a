import type Stripe from 'stripe';
import { spoken } from './failures';
import type { Checkout } from './objects';
import type { Buyer, PaymentsPort, Sharing, Visit } from './port';
import { full, idOf, priceOf, toDate, toMoney } from './reading';

const KINDS = { payment: 'purchase', subscription: 'subscription', setup: 'setup' } as const;
const EXPAND = ['setup_intent'];

export function readCheckout(session: Stripe.Checkout.Session): Checkout {
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
    card: idOf(full(session.setup_intent)?.payment_method),
    total: total === null || currency === null ? null : toMoney(total, currency),
    discount: details === null || currency === null ? null : toMoney(details.amount_discount, currency),
    expiresAt: toDate(session.expires_at),
    reference: session.metadata ?? {},
  };
}

function visitOf({ successUrl, cancelUrl, language, reference }: Visit) {
  return {
    success_url: successUrl,
    cancel_url: cancelUrl,
    locale: language,
    metadata: reference,
    allowed_payment_method_types: ['card' as const],
  };
}

const buyerOf = (buyer: Buyer) =>
  'customer' in buyer ? { customer: buyer.customer } : { customer_email: buyer.email };

const couponOf = (coupon: string | undefined) => (coupon === undefined ? {} : { discounts: [{ coupon }] });

const shareOf = (sharing: Sharing | undefined) =>
  sharing && { application_fee_amount: sharing.fee.minor, transfer_data: { destination: sharing.account } };

const recurringShareOf = (sharing: { account: string; feePercent: number } | undefined) =>
  sharing && { application_fee_percent: sharing.feePercent, transfer_data: { destination: sharing.account } };

type Verbs = Pick<
  PaymentsPort,
  'startCardSetup' | 'startPurchase' | 'startSubscription' | 'startDonation' | 'expireCheckout'
>;

export function checkoutVerbs(stripe: Stripe): Verbs {
  const open = (said: Stripe.Checkout.SessionCreateParams, idempotencyKey: string) =>
    spoken(async () =>
      readCheckout(await stripe.checkout.sessions.create({ ...said, expand: EXPAND }, { idempotencyKey })),
    );
  return {
    startCardSetup: ({ customer, ...visit }, key) => open({ ...visitOf(visit), mode: 'setup', customer }, key),
    startPurchase: ({ buyer, name, price, coupon, sharing, ...visit }, key) =>
      open(
        {
          ...visitOf(visit),
          ...buyerOf(buyer),
          ...couponOf(coupon),
          mode: 'payment',
          line_items: [priceOf(name, price)],
          payment_intent_data: { metadata: visit.reference, description: name, ...shareOf(sharing) },
        },
        key,
      ),
    startSubscription: ({ customer, name, price, every, trialDays, coupon, sharing, ...visit }, key) =>
      open(
        {
          ...visitOf(visit),
          ...couponOf(coupon),
          mode: 'subscription',
          customer,
          line_items: [priceOf(name, price, every)],
          subscription_data: {
            metadata: visit.reference,
            trial_period_days: trialDays,
            ...recurringShareOf(sharing),
          },
        },
        key,
      ),
    startDonation: ({ buyer, name, amount, every, sharing, ...visit }, key) =>
      open({ ...visitOf(visit), ...buyerOf(buyer), ...donationOf(name, amount, { every, sharing, visit }) }, key),
    expireCheckout: (id, idempotencyKey) =>
      spoken(async () =>
        readCheckout(await stripe.checkout.sessions.expire(id, { expand: EXPAND }, { idempotencyKey })),
      ),
  };
}

type Donating = { every: 'month' | null; sharing: Sharing | undefined; visit: Visit };

/** A monthly donation is a subscription like others; its share is a percentage then. */
function donationOf(
  name: string,
  amount: { minor: number; currency: 'eur' | 'usd' },
  { every, sharing, visit }: Donating,
) {
  const line_items = [priceOf(name, amount, every)];
  if (every === null)
    return {
      mode: 'payment' as const,
      submit_type: 'donate' as const,
      line_items,
      payment_intent_data: { metadata: visit.reference, description: name, ...shareOf(sharing) },
    };
  const percent = sharing && Math.round((sharing.fee.minor * 10_000) / amount.minor) / 100;
  const share = sharing && percent !== undefined ? { account: sharing.account, feePercent: percent } : undefined;
  return {
    mode: 'subscription' as const,
    line_items,
    subscription_data: { metadata: visit.reference, ...recurringShareOf(share) },
  };
}

export async function fetchCheckout(stripe: Stripe, id: string): Promise<Checkout> {
  return readCheckout(await stripe.checkout.sessions.retrieve(id, { expand: EXPAND }));
}
