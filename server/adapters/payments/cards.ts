import type Stripe from 'stripe';
import { idOf } from './convert';
import { toCustomer } from './customers';
import type { Card } from './objects';
import type { PaymentsPort } from './port';
import type { CallStripe } from './stripe-call';

const MAX_CARDS = 100;

export function toCard(method: Stripe.PaymentMethod, defaultCard: string | null): Card {
  const { id, card } = method;
  if (!card) throw new Error(`${id} is no card`);
  return {
    id,
    customer: idOf(method.customer),
    brand: card.brand,
    last4: card.last4,
    fingerprint: card.fingerprint ?? null,
    expiresMonth: card.exp_month,
    expiresYear: card.exp_year,
    expiresAt: new Date(Date.UTC(card.exp_year, card.exp_month, 1)),
    isDefault: id === defaultCard,
    country: card.country,
  };
}

async function defaultCardOf(stripe: Stripe, customer: string): Promise<string | null> {
  return toCustomer(await stripe.customers.retrieve(customer)).defaultCard;
}

export async function fetchCard(stripe: Stripe, id: string): Promise<Card> {
  const method = await stripe.paymentMethods.retrieve(id);
  const customer = idOf(method.customer);
  return toCard(method, customer === null ? null : await defaultCardOf(stripe, customer));
}

type Operations = Pick<PaymentsPort, 'listCards' | 'setDefaultCard' | 'removeCard'>;

export function cardOperations(callStripe: CallStripe): Operations {
  return {
    listCards: (customer) =>
      callStripe(async (stripe) => {
        const [defaultCard, methods] = await Promise.all([
          defaultCardOf(stripe, customer),
          stripe.paymentMethods.list({ customer, type: 'card', limit: MAX_CARDS }),
        ]);
        return methods.data.map((method) => toCard(method, defaultCard));
      }),
    setDefaultCard: (customer, card, idempotencyKey) =>
      callStripe(async (stripe) => {
        const change = { invoice_settings: { default_payment_method: card } };
        await stripe.customers.update(customer, change, { idempotencyKey });
        return fetchCard(stripe, card);
      }),
    removeCard: (card, idempotencyKey) =>
      callStripe(async (stripe) => {
        await stripe.paymentMethods.detach(card, {}, { idempotencyKey });
      }),
  };
}
