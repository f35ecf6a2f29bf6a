import type Stripe from 'stripe';
import { listRoute, type Route, retrieveRoute, route, textList } from '../api/route';
import type { Work } from '../engine/account-work';
import { findCustomer, newCustomer } from '../money/customers';
import { attachMethod, resolveMethod } from '../money/payment-methods';
import { invalidRequest } from '../wire/faults';
import { idOf } from '../wire/objects';
import { clearable, group, integer, mergeMetadata, metadata, type Shape, text } from '../wire/shapes';
import { endSubscription } from './subscription-end';

/** Stripe's limit of subscriptions per customer. */
const MAX_SUBSCRIPTIONS = 500;

const FIELDS = {
  email: clearable(text(512)),
  name: clearable(text(256)),
  phone: clearable(text(20)),
  description: clearable(text()),
  preferred_locales: textList(),
  metadata: metadata(),
  invoice_settings: group({ default_payment_method: clearable(text()) }),
  balance: integer(),
} satisfies Shape;

export const customerRoutes: Route[] = [
  route('POST', '/v1/customers', { ...FIELDS, payment_method: text(), test_clock: text() }, async (work, input) => {
    assertEmail(input.email);
    const clock = input.test_clock ? await work.find('test_helpers.test_clock', input.test_clock, 'test_clock') : null;
    if (clock) work.setNow(clock.frozen_time);
    const customer = newCustomer(work, {
      balance: input.balance,
      description: input.description,
      email: input.email,
      metadata: mergeMetadata({}, input.metadata),
      name: input.name,
      phone: input.phone,
      preferred_locales: input.preferred_locales,
      test_clock: clock?.id,
    });
    work.emit('customer.created', customer);
    const card = input.payment_method ? await resolveMethod(work, input.payment_method) : null;
    if (card) work.hidden(attachMethod(work, card, customer)).setUp = true;
    const method = input.invoice_settings?.default_payment_method;
    // a test card's name stands for the card that was just attached
    if (method) await setDefaultMethod(work, customer, method === input.payment_method && card ? card.id : method);
    return customer;
  }),
  {
    ...retrieveRoute('/v1/customers', 'customer'),
    async run(work, _, { id = '' }) {
      const customer = await work.find('customer', id);
      return customer.deleted === undefined ? customer : { id, object: 'customer', deleted: true };
    },
  },
  route('POST', '/v1/customers/:id', FIELDS, async (work, input, { id = '' }) => {
    assertEmail(input.email);
    const customer = await findCustomer(work, id, 'id');
    for (const name of ['email', 'name', 'phone', 'description'] as const)
      if (input[name] !== undefined) customer[name] = input[name] as string;
    if (input.preferred_locales) customer.preferred_locales = input.preferred_locales;
    if (input.balance !== undefined) customer.balance = input.balance;
    if (input.metadata) customer.metadata = mergeMetadata(customer.metadata, input.metadata);
    const method = input.invoice_settings?.default_payment_method;
    if (method !== undefined) await setDefaultMethod(work, customer, method);
    return customer;
  }),
  route('DELETE', '/v1/customers/:id', {}, async (work, _, { id = '' }) => {
    const customer = await findCustomer(work, id, 'id');
    await endSubscriptionsOf(work, customer);
    work.emit('customer.deleted', customer);
    Object.assign(customer, { deleted: true });
    return { id, object: 'customer', deleted: true };
  }),
  listRoute('/v1/customers', 'customer', {
    filters: { email: text(), test_clock: text() },
    criteria: ({ email, test_clock }) => ({ fields: { ...(email && { email }), ...(test_clock && { test_clock }) } }),
  }),
  listRoute('/v1/customers/:customer/payment_methods', 'payment_method', {
    filters: { type: text() },
    criteria: ({ type }, { customer }) => ({ customer, fields: { ...(type && { type }) } }),
  }),
];

async function endSubscriptionsOf(work: Work, { id }: Stripe.Customer): Promise<void> {
  const found = await work.list(
    'subscription',
    { customer: id, without: { status: 'canceled' } },
    { limit: MAX_SUBSCRIPTIONS },
  );
  const running = found.filter(({ status }) => status !== 'incomplete_expired');
  for (const subscription of running) await endSubscription(work, subscription, 'cancellation_requested');
}

function assertEmail(email: string | null | undefined): void {
  if (email && !/^[^\s@]+@[^\s@]+$/.test(email))
    throw invalidRequest(`Invalid email address: ${email}`, { code: 'email_invalid', param: 'email' });
}

async function setDefaultMethod(work: Work, customer: Stripe.Customer, method: string | null): Promise<void> {
  if (method !== null) {
    const found = await work.find('payment_method', method, 'invoice_settings[default_payment_method]');
    if (idOf(found.customer) !== customer.id)
      throw invalidRequest('The customer does not have a payment method with the ID provided.', {
        code: 'resource_missing',
        param: 'invoice_settings[default_payment_method]',
      });
  }
  customer.invoice_settings.default_payment_method = method;
}
