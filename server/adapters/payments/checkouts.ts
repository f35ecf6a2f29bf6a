import type Stripe from 'stripe';
import type { Money } from '../../money';
import { couponReason, withReason } from './conflict-reasons';
import { full, idOf, priceOf, toDate, toMoney } from './convert';
import { paymentsConflict } from './errors';
import type { Checkout, Interval, Reference } from './objects';
import type { Buyer, NewDonation, PaymentsPort, Sharing, Visit } from './port';
import type { Speak } from './stripe-call';

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

type Paid = { name: string; price: Money; sharing?: Sharing; reference: Reference };

function purchaseOf({ name, price, sharing, reference }: Paid) {
  const share = sharing && {
    application_fee_amount: sharing.fee.minor,
    transfer_data: { destination: sharing.account },
  };
  return {
    mode: 'payment' as const,
    line_items: [priceOf(name, price)],
    payment_intent_data: { metadata: reference, description: name, ...share },
  };
}

type Renewed = Omit<Paid, 'sharing'> & {
  every: Interval;
  trialDays?: number;
  sharing?: { account: string; feePercent: number };
};

function renewedOf({ name, price, every, trialDays, sharing, reference }: Renewed) {
  const share = sharing && {
    application_fee_percent: sharing.feePercent,
    transfer_data: { destination: sharing.account },
  };
  return {
    mode: 'subscription' as const,
    line_items: [priceOf(name, price, every)],
    subscription_data: { metadata: reference, trial_period_days: trialDays, ...share },
  };
}

/** A monthly donation is a subscription like others; its share is a percentage then. */
function donationOf({ name, amount: price, every, sharing, reference }: NewDonation) {
  if (every === null) return { ...purchaseOf({ name, price, sharing, reference }), submit_type: 'donate' as const };
  const feePercent = sharing && Math.round((sharing.fee.minor * 10_000) / price.minor) / 100;
  const share = sharing && feePercent !== undefined ? { account: sharing.account, feePercent } : undefined;
  return renewedOf({ name, price, every, sharing: share, reference });
}

type Verbs = Pick<
  PaymentsPort,
  'startCardSetup' | 'startPurchase' | 'startSubscription' | 'startDonation' | 'expireCheckout'
>;

export function checkoutVerbs(speak: Speak): Verbs {
  const open = (
    visit: Visit & { coupon?: string },
    paid: Stripe.Checkout.SessionCreateParams,
    idempotencyKey: string,
  ) =>
    withReason(
      speak(async ({ checkout }) => {
        const said = { ...visitOf(visit), ...couponOf(visit.coupon), ...paid, expand: EXPAND };
        return readCheckout(await checkout.sessions.create(said, { idempotencyKey }));
      }),
      () => couponReason(speak, visit.coupon),
    );
  return {
    startCardSetup: (said, key) => open(said, { mode: 'setup', customer: said.customer }, key),
    startPurchase: (said, key) => open(said, { ...buyerOf(said.buyer), ...purchaseOf(said) }, key),
    startSubscription: (said, key) => open(said, { customer: said.customer, ...renewedOf(said) }, key),
    startDonation: (said, key) => open(said, { ...buyerOf(said.buyer), ...donationOf(said) }, key),
    expireCheckout: (id, idempotencyKey) =>
      withReason(
        speak(async ({ checkout }) =>
          readCheckout(await checkout.sessions.expire(id, { expand: EXPAND }, { idempotencyKey })),
        ),
        async () =>
          (await speak((stripe) => fetchCheckout(stripe, id))).status === 'open' ? null : paymentsConflict(),
      ),
  };
}

export async function fetchCheckout(stripe: Stripe, id: string): Promise<Checkout> {
  return readCheckout(await stripe.checkout.sessions.retrieve(id, { expand: EXPAND }));
}
