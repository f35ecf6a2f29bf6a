import type Stripe from 'stripe';
import { monthsLater } from '../../base/time';
import { toCard } from './cards';
import { toSeconds } from './convert';
import type { Card, Subscription } from './objects';
import type { ImportedSubscription, PaymentsPort } from './port';
import { subscriptionShare } from './sharing';
import type { CallStripe } from './stripe-call';
import { EXPAND, toSubscription, updateSubscription } from './subscriptions';

type Operations = Pick<
  PaymentsPort,
  'importSubscription' | 'adoptSubscription' | 'setPlatformFee' | 'setShare' | 'copyCard'
>;

/** Subscriptions and cards that come from another account. `connect`: calls on a connected account. */
export function importOperations(callStripe: CallStripe, connect: (account: string) => CallStripe): Operations {
  const update = updateSubscription(callStripe);
  return {
    importSubscription: (input, key) => callStripe((stripe) => importSubscription(stripe, input, key)),
    adoptSubscription: (id, { reference, platformFee }, key) =>
      update(id, { metadata: reference, ...(platformFee && { application_fee_percent: platformFee.feePercent }) }, key),
    setPlatformFee: (id, share, key) => update(id, { application_fee_percent: share?.feePercent ?? '' }, key),
    setShare: (id, sharing, key) =>
      update(id, { ...NOTHING_SHARED, ...(sharing && subscriptionShare({ sharing })) }, key),
    copyCard: (from, to, key) => connect(to.account)((stripe) => copyCard(stripe, { from, to, key })),
  };
}

const NOTHING_SHARED = { transfer_data: '', application_fee_percent: '' } as const;

/** Creates the product first: unlike checkout, this call does not accept an inline product. */
async function importSubscription(stripe: Stripe, input: ImportedSubscription, key: string): Promise<Subscription> {
  const { customer, card, name, price, every, coupon, platformFee, sharing, reference } = input;
  const product = await stripe.products.create({ name }, { idempotencyKey: `${key}/product` });
  const recurring = { interval: every };
  const subscription = await stripe.subscriptions.create(
    {
      customer,
      default_payment_method: card,
      items: [{ price_data: { currency: price.currency, product: product.id, unit_amount: price.minor, recurring } }],
      payment_behavior: 'error_if_incomplete',
      metadata: reference,
      expand: EXPAND,
      ...timesOf(input),
      ...(coupon && { discounts: [{ coupon }] }),
      ...subscriptionShare({ sharing, platformFee }),
    },
    { idempotencyKey: key },
  );
  return toSubscription(subscription);
}

/**
 * The time until an anchor is free without proration, but an anchor is at most one period away: the time until a later
 * renewal is a trial, which has no start in the past. The time of a repeated call does not change the choice.
 */
function timesOf({ renewsAt, startedAt, every, at }: ImportedSubscription) {
  if (renewsAt > monthsLater(at, every === 'year' ? 12 : 1)) return { trial_end: toSeconds(renewsAt) };
  return {
    billing_cycle_anchor: toSeconds(renewsAt),
    proration_behavior: 'none' as const,
    ...(startedAt && { backdate_start_date: toSeconds(startedAt) }),
  };
}

type Copy = { from: { customer: string; card: string }; to: { account: string; customer: string }; key: string };

/** Stripe clones a payment method of the platform for one use; attaching it keeps it. */
async function copyCard(stripe: Stripe, { from, to, key }: Copy): Promise<Card> {
  const clone = { customer: from.customer, payment_method: from.card };
  const { id } = await stripe.paymentMethods.create(clone, { idempotencyKey: key });
  const attached = await stripe.paymentMethods.attach(
    id,
    { customer: to.customer },
    { idempotencyKey: `${key}/attach` },
  );
  return toCard(attached, null);
}
