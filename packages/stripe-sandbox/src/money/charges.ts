import type Stripe from 'stripe';
import { listRoute, type Route, retrieveRoute, route } from '../api/route';
import type { Work } from '../engine/account-work';
import { newId, randomText } from '../wire/ids';
import { NULL_FIELDS } from '../wire/null-fields';
import { idOf } from '../wire/objects';
import { mergeMetadata, metadata, STATEMENT_PREFIX, text } from '../wire/shapes';
import { DECLINE_MESSAGES } from '../wire/test-cards';
import { assertChargesEnabled } from './accounts';
import { captureCharge, startCapture } from './captures';
import { openDispute } from './disputes';
import { cardBehaviourOf } from './payment-methods';
import { openReview, warnOfFraud } from './warnings';

export type Decline = { code: string; declineCode: string };
/** A card, and the reason if it is declined. */
export type CardAttempt = { method: Stripe.PaymentMethod; decline: Decline | null };

/** The reason why a card would be declined, or null. */
export function findDecline(work: Work, method: Stripe.PaymentMethod, offSession: boolean): Decline | null {
  const behaviour = cardBehaviourOf(work, method);
  if (hasExpired(method, work.now())) return { code: 'expired_card', declineCode: 'expired_card' };
  if (behaviour?.declines) return behaviour.declines;
  if (behaviour?.failsAtRenewal && offSession && (work.hidden(method).charges ?? 0) > 0)
    return { code: 'card_declined', declineCode: 'generic_decline' };
  return null;
}

/** A card is valid until the end of its expiry month. */
export function hasExpired(method: Stripe.PaymentMethod, now: number): boolean {
  if (!method.card) return false;
  return now >= Date.UTC(method.card.exp_year, method.card.exp_month, 1) / 1000;
}

export function needsAuthentication(work: Work, method: Stripe.PaymentMethod, offSession: boolean): boolean {
  const authentication = cardBehaviourOf(work, method)?.authentication;
  if (authentication === 'always') return true;
  return authentication === 'setup' && !(offSession && work.hidden(method).setUp);
}

/** Records an attempt to charge a card: a success, or a failure with its reason. */
export async function makeCharge(work: Work, intent: Stripe.PaymentIntent, tried: CardAttempt): Promise<Stripe.Charge> {
  const { method, decline } = tried;
  await assertChargesEnabled(work);
  const charge = work.add(newCharge(work, intent, tried));
  if (decline) {
    work.emit('charge.failed', charge);
    return charge;
  }
  const hidden = work.hidden(method);
  hidden.charges = (hidden.charges ?? 0) + 1;
  const behaviour = cardBehaviourOf(work, method);
  await startCapture(work, charge);
  charge.receipt_url = `${work.pages}/receipts/${charge.id}?account=${work.account}`;
  if (behaviour?.warns === 'review') openReview(work, charge, intent);
  work.emit('charge.succeeded', charge);
  if (behaviour?.warns === 'fraud') warnOfFraud(work, charge);
  if (behaviour?.disputes) {
    await captureCharge(work, charge);
    openDispute(work, charge, behaviour.disputes);
  }
  return charge;
}

function newCharge(work: Work, intent: Stripe.PaymentIntent, { method, decline }: CardAttempt): Stripe.Charge {
  const { transfer_data: passed, statement_descriptor_suffix: suffix } = intent;
  return {
    ...NULL_FIELDS.charge,
    id: newId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_refunded: 0,
    application_fee_amount: intent.application_fee_amount,
    billing_details: { ...method.billing_details },
    calculated_statement_descriptor: [work.context.business.toUpperCase().slice(0, STATEMENT_PREFIX).trim(), suffix]
      .filter(Boolean)
      .join('* '),
    created: work.now(),
    currency: intent.currency,
    customer: idOf(intent.customer),
    description: intent.description,
    disputed: false,
    ...resultOf(decline, intent.amount),
    fraud_details: {},
    livemode: false,
    metadata: { ...intent.metadata },
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { type: 'card', card: cardDetails(method.card!, decline ? null : intent.amount) },
    receipt_email: intent.receipt_email,
    refunded: false,
    statement_descriptor_suffix: suffix,
    transfer_group: intent.transfer_group,
    transfer_data: passed ? { amount: passed.amount ?? null, destination: idOf(passed.destination) } : null,
  };
}

const resultOf = (decline: Decline | null, amount: number) => ({
  amount_captured: decline ? 0 : amount,
  captured: !decline,
  failure_code: decline?.code ?? null,
  failure_message: decline ? (DECLINE_MESSAGES[decline.declineCode] ?? 'Your card was declined.') : null,
  outcome: outcomeOf(decline),
  paid: !decline,
  status: decline ? ('failed' as const) : ('succeeded' as const),
});

function cardDetails(card: Stripe.PaymentMethod.Card, authorized: number | null) {
  return {
    amount_authorized: authorized,
    authorization_code: authorized === null ? null : randomText(6).toUpperCase(),
    brand: card.brand,
    checks: card.checks,
    country: card.country,
    electronic_commerce_indicator: null,
    exp_month: card.exp_month,
    exp_year: card.exp_year,
    fingerprint: card.fingerprint,
    funding: card.funding,
    installments: null,
    last4: card.last4,
    mandate: null,
    network: card.brand,
    network_token: { used: false },
    network_transaction_id: randomText(15),
    regulated_status: 'unregulated' as const,
    three_d_secure: null,
    transaction_link_id: null,
    wallet: null,
  };
}

function outcomeOf(decline: Decline | null): Stripe.Charge.Outcome {
  return {
    advice_code: null,
    network_advice_code: null,
    network_decline_code: null,
    network_status: decline ? 'declined_by_network' : 'approved_by_network',
    reason: decline?.declineCode ?? null,
    risk_level: 'normal',
    seller_message: decline ? 'The bank did not return any further details with this decline.' : 'Payment complete.',
    type: decline ? 'issuer_declined' : 'authorized',
  };
}

export const chargeRoutes: Route[] = [
  retrieveRoute('/v1/charges', 'charge'),
  route(
    'POST',
    '/v1/charges/:id',
    { description: text(), metadata: metadata(), receipt_email: text() },
    async (work, input, { id = '' }) => {
      const charge = await work.find('charge', id);
      if (input.description !== undefined) charge.description = input.description;
      if (input.receipt_email !== undefined) charge.receipt_email = input.receipt_email;
      charge.metadata = mergeMetadata(charge.metadata, input.metadata);
      return charge;
    },
  ),
  listRoute('/v1/charges', 'charge', {
    filters: { customer: text(), payment_intent: text() },
    criteria: ({ customer, payment_intent }) => ({ customer, parent: payment_intent }),
  }),
];
