import type Stripe from 'stripe';
import type { Work } from '../engine/account-work';
import { refused } from '../wire/faults';
import { newId, randomText } from '../wire/ids';
import { BLANK } from '../wire/null-fields';
import { idOf } from '../wire/objects';

/** A customer and what happens to their money follows the test clock it was made on. */
export async function timeOfCustomer(work: Work, customer: Stripe.Customer | null): Promise<void> {
  const clock = customer?.test_clock ? await work.get('test_helpers.test_clock', idOf(customer.test_clock)) : null;
  if (clock) work.at(clock.frozen_time);
}

export async function findCustomer(work: Work, id: string, param = 'customer'): Promise<Stripe.Customer> {
  const customer = await work.find('customer', id, param);
  if (customer.deleted !== undefined) throw refused(`No such customer: '${id}'`, { code: 'resource_missing', param });
  await timeOfCustomer(work, customer);
  return customer;
}

type Said = Pick<
  Stripe.Customer,
  'balance' | 'description' | 'email' | 'metadata' | 'name' | 'phone' | 'preferred_locales' | 'test_clock'
>;

/** Not told yet: 'customer.created' is the maker's to say. */
export function newCustomer(work: Work, said: { [K in keyof Said]?: Said[K] | null }): Stripe.Customer {
  return work.add({
    ...BLANK.customer,
    id: newId('cus', 14),
    object: 'customer',
    address: null,
    balance: said.balance ?? 0,
    created: work.now(),
    currency: null,
    customer_account: null,
    delinquent: false,
    description: said.description ?? null,
    email: said.email ?? null,
    invoice_prefix: randomText(8).toUpperCase(),
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata: said.metadata ?? {},
    name: said.name ?? null,
    next_invoice_sequence: 1,
    phone: said.phone ?? null,
    preferred_locales: said.preferred_locales ?? [],
    tax_exempt: 'none',
    test_clock: said.test_clock ?? null,
  });
}
