import type Stripe from 'stripe';
import { idOf, toMoney } from './convert';
import type { Customer } from './objects';
import type { PaymentsPort } from './port';
import type { Speak } from './stripe-call';

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

type Verbs = Pick<PaymentsPort, 'createCustomer' | 'updateCustomer'>;

export function customerVerbs(speak: Speak): Verbs {
  return {
    createCustomer: ({ email, name, language, reference }, idempotencyKey) =>
      speak(async (stripe) => {
        const said = { email, name, preferred_locales: [language], metadata: reference };
        return readCustomer(await stripe.customers.create(said, { idempotencyKey }));
      }),
    updateCustomer: (id, { email, name, language }, idempotencyKey) =>
      speak(async (stripe) => {
        const change = { email, name, preferred_locales: language && [language] };
        return readCustomer(await stripe.customers.update(id, change, { idempotencyKey }));
      }),
  };
}
