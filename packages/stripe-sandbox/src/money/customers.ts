import type Stripe from 'stripe';
import type { Work } from '../engine/account-work';
import { invalidRequest } from '../wire/faults';
import { newId, randomText } from '../wire/ids';
import { NULL_FIELDS } from '../wire/null-fields';
import { idOf } from '../wire/objects';

/** A customer's payments use the time of the customer's test clock. */
export async function useCustomerClock(work: Work, customer: Stripe.Customer | null): Promise<void> {
  const clock = customer?.test_clock ? await work.get('test_helpers.test_clock', idOf(customer.test_clock)) : null;
  if (clock) work.setNow(clock.frozen_time);
}

export async function findCustomer(work: Work, id: string, param = 'customer'): Promise<Stripe.Customer> {
  const customer = await work.find('customer', id, param);
  if (customer.deleted !== undefined)
    throw invalidRequest(`No such customer: '${id}'`, { code: 'resource_missing', param });
  await useCustomerClock(work, customer);
  return customer;
}

type CustomerInput = Pick<
  Stripe.Customer,
  'balance' | 'description' | 'email' | 'metadata' | 'name' | 'phone' | 'preferred_locales' | 'test_clock'
>;

/** Records no event: the caller emits 'customer.created' once the customer is complete. */
export function newCustomer(
  work: Work,
  input: { [K in keyof CustomerInput]?: CustomerInput[K] | null },
): Stripe.Customer {
  return work.add({
    ...NULL_FIELDS.customer,
    id: newId('cus', 14),
    object: 'customer',
    address: null,
    balance: input.balance ?? 0,
    created: work.now(),
    currency: null,
    customer_account: null,
    delinquent: false,
    description: input.description ?? null,
    email: input.email ?? null,
    invoice_prefix: randomText(8).toUpperCase(),
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata: input.metadata ?? {},
    name: input.name ?? null,
    next_invoice_sequence: 1,
    phone: input.phone ?? null,
    preferred_locales: input.preferred_locales ?? [],
    tax_exempt: 'none',
    test_clock: input.test_clock ?? null,
  });
}
