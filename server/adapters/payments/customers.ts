import type Stripe from 'stripe';
import { spoken } from './failures';
import type { Card, Customer } from './objects';
import type { PaymentsPort } from './port';
import { idOf, toMoney } from './reading';

const MOST_CARDS = 100;

export function readCustomer(customer: Stripe.Customer | Stripe.DeletedCustomer): Customer {
  if (customer.deleted)
    return {
      id: customer.id,
      email: null,
      name: null,
      language: null,
      defaultCard: null,
      credit: null,
      deleted: true,
      reference: {},
    };
  const { balance, currency } = customer;
  return {
    id: customer.id,
    email: customer.email,
    name: customer.name ?? null,
    language: customer.preferred_locales?.[0] ?? null,
    defaultCard: idOf(customer.invoice_settings.default_payment_method),
    credit: currency ? toMoney(0 - balance, currency) : null,
    deleted: false,
    reference: customer.metadata,
  };
}

export function readCard(method: Stripe.PaymentMethod, defaultCard: string | null): Card {
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

type Verbs = Pick<PaymentsPort, 'createCustomer' | 'updateCustomer' | 'listCards' | 'setDefaultCard' | 'removeCard'>;

export function customerVerbs(stripe: Stripe): Verbs {
  return {
    createCustomer: ({ email, name, language, reference }, idempotencyKey) =>
      spoken(async () => {
        const said = { email, name, preferred_locales: [language], metadata: reference };
        return readCustomer(await stripe.customers.create(said, { idempotencyKey }));
      }),
    updateCustomer: (id, { email, name, language }, idempotencyKey) =>
      spoken(async () => {
        const change = { email, name, preferred_locales: language && [language] };
        return readCustomer(await stripe.customers.update(id, change, { idempotencyKey }));
      }),
    listCards: (customer) =>
      spoken(async () => {
        const [defaultCard, methods] = await Promise.all([
          defaultCardOf(stripe, customer),
          stripe.paymentMethods.list({ customer, type: 'card', limit: MOST_CARDS }),
        ]);
        return methods.data.map((method) => readCard(method, defaultCard));
      }),
    setDefaultCard: (customer, card, idempotencyKey) =>
      spoken(async () => {
        const change = { invoice_settings: { default_payment_method: card } };
        await stripe.customers.update(customer, change, { idempotencyKey });
        return fetchCard(stripe, card);
      }),
    removeCard: (card, idempotencyKey) =>
      spoken(async () => {
        await stripe.paymentMethods.detach(card, {}, { idempotencyKey });
      }),
  };
}
