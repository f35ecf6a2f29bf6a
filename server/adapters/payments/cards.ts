import type Stripe from 'stripe';
import { idOf } from './convert';
import { readCustomer } from './customers';
import type { Card } from './objects';
import type { PaymentsPort } from './port';
import type { Speak } from './stripe-call';

const MOST_CARDS = 100;

function readCard(method: Stripe.PaymentMethod, defaultCard: string | null): Card {
  const { id, card } = method;
  if (!card) throw new Error(`${id} is no card`);
  return {
    id,
    customer: idOf(method.customer),
    brand: card.brand,
    last4: card.last4,
    expiresMonth: card.exp_month,
    expiresYear: card.exp_year,
    expiresAt: new Date(Date.UTC(card.exp_year, card.exp_month, 1)),
    isDefault: id === defaultCard,
  };
}

async function defaultCardOf(stripe: Stripe, customer: string): Promise<string | null> {
  return readCustomer(await stripe.customers.retrieve(customer)).defaultCard;
}

export async function fetchCard(stripe: Stripe, id: string): Promise<Card> {
  const method = await stripe.paymentMethods.retrieve(id);
  const customer = idOf(method.customer);
  return readCard(method, customer === null ? null : await defaultCardOf(stripe, customer));
}

type Verbs = Pick<PaymentsPort, 'listCards' | 'setDefaultCard' | 'removeCard'>;

export function cardVerbs(speak: Speak): Verbs {
  return {
    listCards: (customer) =>
      speak(async (stripe) => {
        const [defaultCard, methods] = await Promise.all([
          defaultCardOf(stripe, customer),
          stripe.paymentMethods.list({ customer, type: 'card', limit: MOST_CARDS }),
        ]);
        return methods.data.map((method) => readCard(method, defaultCard));
      }),
    setDefaultCard: (customer, card, idempotencyKey) =>
      speak(async (stripe) => {
        const change = { invoice_settings: { default_payment_method: card } };
        await stripe.customers.update(customer, change, { idempotencyKey });
        return fetchCard(stripe, card);
      }),
    removeCard: (card, idempotencyKey) =>
      speak(async (stripe) => {
        await stripe.paymentMethods.detach(card, {}, { idempotencyKey });
      }),
  };
}
