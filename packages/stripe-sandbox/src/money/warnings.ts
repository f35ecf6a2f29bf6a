import type Stripe from 'stripe';
import { listRoute, type Route, retrieveRoute, route } from '../api/route';
import type { Work } from '../engine/account-work';
import { invalidRequest } from '../wire/faults';
import { newId } from '../wire/ids';
import { NULL_FIELDS } from '../wire/null-fields';
import { idOf } from '../wire/objects';
import { text } from '../wire/shapes';

/** The bank reports a payment as fraud, some time before it takes the money back ("Early fraud warnings"). */
export function warnOfFraud(work: Work, charge: Stripe.Charge): void {
  const warning: Stripe.Radar.EarlyFraudWarning = {
    id: newId('issfr'),
    object: 'radar.early_fraud_warning',
    actionable: true,
    charge: charge.id,
    created: work.now(),
    fraud_type: 'unauthorized_use_of_card',
    livemode: false,
    payment_intent: idOf(charge.payment_intent) ?? undefined,
  };
  work.add(warning, {}, 'radar.early_fraud_warning.created');
}

/** Radar asks the seller to look at a payment that has an elevated risk ("Reviews"). */
export function openReview(work: Work, charge: Stripe.Charge, intent: Stripe.PaymentIntent): void {
  const review: Stripe.Review = {
    ...NULL_FIELDS.review,
    id: newId('prv'),
    object: 'review',
    charge: charge.id,
    created: work.now(),
    livemode: false,
    open: true,
    opened_reason: 'rule',
    payment_intent: intent.id,
    reason: 'rule',
  };
  charge.outcome = {
    ...charge.outcome!,
    reason: 'elevated_risk_level',
    risk_level: 'elevated',
    type: 'manual_review',
  };
  charge.review = review.id;
  intent.review = review.id;
  work.add(review, {}, 'review.opened');
}

function closeReview(work: Work, review: Stripe.Review, reason: 'approved' | 'refunded'): void {
  review.open = false;
  review.closed_reason = reason;
  review.reason = reason;
  work.emit('review.closed', review);
}

/** A refund of the whole payment answers its warnings. */
export async function answerWarnings(work: Work, charge: Stripe.Charge): Promise<void> {
  const review = charge.review ? await work.find('review', idOf(charge.review)) : null;
  if (review?.open) closeReview(work, review, 'refunded');
  const found = await work.list('radar.early_fraud_warning', { fields: { charge: charge.id } }, { limit: 10 });
  for (const warning of found.filter(({ actionable }) => actionable)) {
    warning.actionable = false;
    work.emit('radar.early_fraud_warning.updated', warning);
  }
}

export const warningRoutes: Route[] = [
  retrieveRoute('/v1/radar/early_fraud_warnings', 'radar.early_fraud_warning'),
  listRoute('/v1/radar/early_fraud_warnings', 'radar.early_fraud_warning', {
    filters: { charge: text(), payment_intent: text() },
    criteria: ({ charge, payment_intent }) => ({
      fields: { ...(charge && { charge }), ...(payment_intent && { payment_intent }) },
    }),
  }),
  retrieveRoute('/v1/reviews', 'review'),
  listRoute('/v1/reviews', 'review', { filters: {}, criteria: () => ({}) }),
  route('POST', '/v1/reviews/:id/approve', {}, async (work, _, { id = '' }) => {
    const review = await work.find('review', id);
    if (!review.open) throw invalidRequest('This review is already closed.');
    closeReview(work, review, 'approved');
    return review;
  }),
];
