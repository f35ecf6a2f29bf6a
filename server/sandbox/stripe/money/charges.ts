import type Stripe from 'stripe';
import { listRoute, type Route, retrieveRoute, route } from '../api/route';
import type { Work } from '../engine/account-work';
import { newId, randomText } from '../wire/ids';
import { BLANK } from '../wire/null-fields';
import { idOf } from '../wire/objects';
import { mergedMetadata, metadata, text } from '../wire/shapes';
import { type CardBehaviour, DECLINE_SENTENCES } from '../wire/test-cards';
import { book, processingFee } from './balance';
import { openDispute } from './disputes';
import { behaviourOf } from './payment-methods';
import { passOn } from './transfer-share';

export type Decline = { code: string; declineCode: string };
/** A card that was tried, and why it was refused, if it was. */
export type Tried = { method: Stripe.PaymentMethod; decline: Decline | null };

/** Whether a card would be refused, and why. */
export function refusalOf(work: Work, method: Stripe.PaymentMethod, offSession: boolean): Decline | null {
  const behaviour = behaviourOf(work, method);
  if (hasExpired(method, work.now())) return { code: 'expired_card', declineCode: 'expired_card' };
  if (behaviour?.declines) return behaviour.declines;
  if (behaviour?.failsAtRenewal && offSession && (work.hidden(method).charges ?? 0) > 0)
    return { code: 'card_declined', declineCode: 'generic_decline' };
  return null;
}

/** A card is good until the end of the month that stands on it. */
export function hasExpired(method: Stripe.PaymentMethod, now: number): boolean {
  if (!method.card) return false;
  return now >= Date.UTC(method.card.exp_year, method.card.exp_month, 1) / 1000;
}

export function needsAuthentication(work: Work, method: Stripe.PaymentMethod, offSession: boolean): boolean {
  const asks = behaviourOf(work, method)?.authentication;
  if (asks === 'always') return true;
  return asks === 'setup' && !(offSession && work.hidden(method).setUp);
}

/** One attempt at a card: succeeded, with its movements booked, or failed with the reason. */
export async function makeCharge(work: Work, intent: Stripe.PaymentIntent, tried: Tried): Promise<Stripe.Charge> {
  const { method, decline } = tried;
  const charge = work.add(blankCharge(work, intent, tried));
  if (decline) {
    work.emit('charge.failed', charge);
    return charge;
  }
  const hidden = work.hidden(method);
  hidden.charges = (hidden.charges ?? 0) + 1;
  const behaviour = behaviourOf(work, method);
  await bookCharge(work, charge, behaviour);
  charge.receipt_url = `${work.pages}/receipts/${charge.id}?account=${work.account}`;
  work.emit('charge.succeeded', charge);
  if (behaviour?.disputes) await openDispute(work, charge, behaviour.disputes);
  return charge;
}

async function bookCharge(work: Work, charge: Stripe.Charge, behaviour: CardBehaviour | undefined): Promise<void> {
  const fees: Parameters<typeof book>[1]['fees'] = [
    { amount: processingFee(charge.amount), type: 'stripe_fee', description: 'Stripe processing fees' },
  ];
  const direct = charge.application_fee_amount !== null && !charge.transfer_data;
  if (direct)
    fees.push({ amount: charge.application_fee_amount ?? 0, type: 'application_fee', description: 'Application fee' });
  const atOnce = behaviour?.bypassesPending;
  const transaction = book(work, {
    type: 'charge',
    amount: charge.amount,
    currency: charge.currency,
    source: charge.id,
    fees,
    atOnce,
  });
  charge.balance_transaction = transaction.id;
  await passOn(work, charge, atOnce ?? false);
}

function blankCharge(work: Work, intent: Stripe.PaymentIntent, { method, decline }: Tried): Stripe.Charge {
  const { transfer_data: passed } = intent;
  return {
    ...BLANK.charge,
    id: newId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_refunded: 0,
    application_fee_amount: intent.application_fee_amount,
    billing_details: { ...method.billing_details },
    calculated_statement_descriptor: 'ALTAVOZ SANDBOX',
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
    transfer_data: passed ? { amount: passed.amount ?? null, destination: idOf(passed.destination) } : null,
  };
}

const resultOf = (decline: Decline | null, amount: number) => ({
  amount_captured: decline ? 0 : amount,
  captured: !decline,
  failure_code: decline?.code ?? null,
  failure_message: decline ? (DECLINE_SENTENCES[decline.declineCode] ?? 'Your card was declined.') : null,
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
      charge.metadata = mergedMetadata(charge.metadata, input.metadata);
      return charge;
    },
  ),
  listRoute('/v1/charges', 'charge', {
    filters: { customer: text(), payment_intent: text() },
    criteria: ({ customer, payment_intent }) => ({ customer, parent: payment_intent }),
  }),
];
