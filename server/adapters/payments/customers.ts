import type Stripe from 'stripe';
import { idOf, toMoney } from './convert';
import type { Customer } from './objects';
import type { PaymentsPort } from './port';
import type { CallStripe } from './stripe-call';

export function toCustomer(customer: Stripe.Customer | Stripe.DeletedCustomer): Customer {
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

type Operations = Pick<PaymentsPort, 'createCustomer' | 'updateCustomer' | 'setCredit' | 'deleteCustomer'>;

export function customerOperations(callStripe: CallStripe): Operations {
  return {
    createCustomer: ({ email, name, language, reference }, idempotencyKey) =>
      callStripe(async (stripe) => {
        const params = { email, name, preferred_locales: [language], metadata: reference };
        return toCustomer(await stripe.customers.create(params, { idempotencyKey }));
      }),
    updateCustomer: (id, { email, name, language }, idempotencyKey) =>
      callStripe(async (stripe) => {
        const change = { email, name, preferred_locales: language && [language] };
        return toCustomer(await stripe.customers.update(id, change, { idempotencyKey }));
      }),
    setCredit: (id, { minor, reference }, idempotencyKey) =>
      callStripe(async (stripe) => {
        const change = { balance: 0 - minor, metadata: reference };
        return toCustomer(await stripe.customers.update(id, change, { idempotencyKey }));
      }),
    deleteCustomer: (id) => deleteCustomer(callStripe, id),
  };
}

/**
 * Stripe ignores idempotency keys for DELETE ("Idempotent requests"): after a lost response we read the customer.
 */
async function deleteCustomer(callStripe: CallStripe, id: string): Promise<void> {
  try {
    await callStripe((stripe) => stripe.customers.del(id));
  } catch (error) {
    const found = await callStripe((stripe) => stripe.customers.retrieve(id)).catch(() => null);
    if (!found?.deleted) throw error;
  }
}
