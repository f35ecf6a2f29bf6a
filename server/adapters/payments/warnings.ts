import type Stripe from 'stripe';
import { expandedOrNull, idOf, toDate } from './convert';
import type { PaymentWarning } from './objects';

/** The field that warnings expand: those of older payments name only the charge. */
const EXPAND = ['charge'];

export async function fetchWarning(stripe: Stripe, kind: PaymentWarning['kind'], id: string): Promise<PaymentWarning> {
  if (kind === 'review') {
    const review = await stripe.reviews.retrieve(id, { expand: EXPAND });
    return { ...factsOf(review), kind, reason: review.reason, open: review.open };
  }
  const warning = await stripe.radar.earlyFraudWarnings.retrieve(id, { expand: EXPAND });
  return { ...factsOf(warning), kind, reason: warning.fraud_type, open: warning.actionable };
}

const factsOf = ({ id, payment_intent, charge, created }: Stripe.Review | Stripe.Radar.EarlyFraudWarning) => ({
  id,
  payment: idOf(payment_intent) ?? idOf(expandedOrNull(charge)?.payment_intent),
  createdAt: toDate(created),
});
