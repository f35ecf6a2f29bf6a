import type Stripe from 'stripe';
import { listRoute, type Route, retrieveRoute, route } from '../api/route';
import type { Work } from '../engine/account-work';
import { PLATFORM } from '../engine/store';
import { invalidRequest, StripeFault } from '../wire/faults';
import { newId } from '../wire/ids';
import { NULL_FIELDS } from '../wire/null-fields';
import { idOf } from '../wire/objects';
import { clearable, group, integer, mergeMetadata, metadata, oneOf, required, text } from '../wire/shapes';
import { type CardBehaviour, cardByNumber, cardByToken, DECLINE_MESSAGES } from '../wire/test-cards';
import { findCustomer } from './customers';

const CARD = group({
  number: required(text()),
  exp_month: required(integer(1, 12)),
  exp_year: required(integer(2000, 2100)),
  cvc: text(4),
});
const BILLING_DETAILS = group({
  email: clearable(text()),
  name: clearable(text()),
  phone: clearable(text()),
  address: clearable(group({ country: text(2) })),
});
type BillingDetails = ReturnType<(typeof BILLING_DETAILS)['read']>;

/** An address with only a country. */
export const addressIn = (country: string | null): Stripe.Address => ({
  city: null,
  country,
  line1: null,
  line2: null,
  postal_code: null,
  state: null,
});

const withAddress = ({ address, ...details }: BillingDetails = {}) => ({
  ...details,
  ...(address !== undefined && { address: address && addressIn(address.country ?? null) }),
});

export type NewCard = {
  behaviour: CardBehaviour;
  month: number;
  year: number;
  email?: string | null;
  name?: string | null;
  phone?: string | null;
  address?: Stripe.Address | null;
  cvc?: boolean;
};

export function newCard(
  work: Work,
  { behaviour, month, year, email, name, phone, address, cvc = true }: NewCard,
): Stripe.PaymentMethod {
  const method: Stripe.PaymentMethod = {
    ...NULL_FIELDS.paymentMethod,
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: {
      address: address ?? null,
      email: email ?? null,
      name: name ?? null,
      phone: phone ?? null,
      tax_id: null,
    },
    card: {
      brand: behaviour.brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: cvc ? 'pass' : null },
      country: behaviour.country ?? 'US',
      display_brand: behaviour.brand,
      exp_month: month,
      exp_year: year,
      fingerprint: `fp${behaviour.number}`,
      funding: 'credit',
      generated_from: null,
      last4: behaviour.number.slice(-4),
      networks: { available: [behaviour.brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: work.now(),
    livemode: false,
    metadata: {},
    type: 'card',
  };
  return work.add(method, { card: behaviour.number });
}

/** Finds a payment method by its id; `pm_card_…` creates a new one, as in Stripe's test mode. */
export async function resolveMethod(work: Work, id: string, param = 'payment_method'): Promise<Stripe.PaymentMethod> {
  const behaviour = cardByToken(id);
  if (!behaviour) return work.find('payment_method', id, param);
  return newCard(work, { behaviour, month: 8, year: new Date(work.now() * 1000).getUTCFullYear() + 3 });
}

export const cardBehaviourOf = (work: Work, method: Stripe.PaymentMethod): CardBehaviour | undefined =>
  cardByNumber(work.hidden(method).card ?? '');

/** The error for a declined card, with Stripe's message. */
export function declineFault(behaviour: { code: string; declineCode: string }, more: object = {}): StripeFault {
  const { code, declineCode } = behaviour;
  const message = DECLINE_MESSAGES[declineCode] ?? 'Your card was declined.';
  const declined = code === 'card_declined' ? { decline_code: declineCode } : {};
  return new StripeFault(
    402,
    {
      type: 'card_error',
      code,
      ...declined,
      message,
      doc_url: `https://docs.stripe.com/error-codes/${code.replaceAll('_', '-')}`,
      ...more,
    },
    true,
  );
}

/** ("Detach a PaymentMethod from a Customer") */
export function assertUsable(work: Work, method: Stripe.PaymentMethod): void {
  if (!work.hidden(method).detached) return;
  throw invalidRequest('The provided PaymentMethod was detached from a Customer. It may not be used again.', {
    param: 'payment_method',
  });
}

export function attachMethod(
  work: Work,
  method: Stripe.PaymentMethod,
  customer: Stripe.Customer,
): Stripe.PaymentMethod {
  assertUsable(work, method);
  if (idOf(method.customer) === customer.id) return method;
  if (method.customer !== null)
    throw invalidRequest('The payment method you provided has already been attached to a customer.', {
      code: 'payment_method_unexpected_state',
    });
  const behaviour = cardBehaviourOf(work, method);
  if (behaviour?.declines && !behaviour.declinesAfterAttaching && !behaviour.authentication)
    throw declineFault(behaviour.declines);
  method.customer = customer.id;
  work.emit('payment_method.attached', method);
  return method;
}

/** A detached card cannot be used again, so every reference to it is cleared. */
async function detachMethod(work: Work, method: Stripe.PaymentMethod): Promise<void> {
  const customer = method.customer === null ? null : await work.get('customer', idOf(method.customer));
  if (!customer)
    throw invalidRequest('The payment method you provided is not attached to a customer so detachment is impossible.', {
      code: 'payment_method_not_attached',
    });
  method.customer = null;
  work.hidden(method).detached = true;
  work.emit('payment_method.detached', method);
  if (idOf(customer.invoice_settings.default_payment_method) === method.id)
    customer.invoice_settings.default_payment_method = null;
  const subscriptions = await work.list(
    'subscription',
    { customer: customer.id, fields: { default_payment_method: method.id } },
    { limit: 100 },
  );
  for (const subscription of subscriptions) subscription.default_payment_method = null;
}

/** A card of the platform on a connected account ("Clone customers across accounts with Direct charges"). */
async function cloneMethod(work: Work, id: string, customer: string | undefined): Promise<Stripe.PaymentMethod> {
  if (work.account === PLATFORM)
    throw invalidRequest('You may only clone a PaymentMethod to a connected account.', { param: 'payment_method' });
  const platform = work.forAccount(PLATFORM);
  const original = await platform.find('payment_method', id, 'payment_method');
  if (customer === undefined || idOf(original.customer) !== customer)
    throw invalidRequest('The customer parameter must be the owner of the PaymentMethod.', { param: 'customer' });
  const { number } = cardBehaviourOf(platform, original)!;
  const { exp_month: month, exp_year: year } = original.card!;
  const { address, email, name, phone } = original.billing_details;
  return newCard(work, { behaviour: cardByNumber(number)!, month, year, address, email, name, phone });
}

export const paymentMethodRoutes: Route[] = [
  route(
    'POST',
    '/v1/payment_methods',
    {
      type: oneOf('card'),
      card: CARD,
      billing_details: BILLING_DETAILS,
      metadata: metadata(),
      customer: text(),
      payment_method: text(),
    },
    async (work, { card, billing_details, metadata: initialMetadata, customer, payment_method: original }) => {
      if (original) return cloneMethod(work, original, customer);
      if (customer)
        throw invalidRequest('The customer parameter needs a payment_method to clone.', { param: 'customer' });
      if (!card) throw invalidRequest('Missing required param: card.', { param: 'card' });
      const behaviour = cardByNumber(card.number);
      if (!behaviour) throw declineFault({ code: 'incorrect_number', declineCode: 'incorrect_number' });
      const { exp_month: month, exp_year: year, cvc } = card;
      const method = newCard(work, { behaviour, month, year, ...withAddress(billing_details), cvc: cvc !== undefined });
      method.metadata = mergeMetadata({}, initialMetadata);
      return method;
    },
  ),
  retrieveRoute('/v1/payment_methods', 'payment_method'),
  listRoute('/v1/payment_methods', 'payment_method', {
    filters: { customer: required(text()), type: text() },
    criteria: ({ customer, type }) => ({ customer, fields: { ...(type && { type }) } }),
  }),
  route('POST', '/v1/payment_methods/:id/attach', { customer: required(text()) }, async (work, input, { id = '' }) => {
    const customer = await findCustomer(work, input.customer);
    const method = attachMethod(work, await resolveMethod(work, id, 'payment_method'), customer);
    work.hidden(method).setUp = true;
    return method;
  }),
  route('POST', '/v1/payment_methods/:id/detach', {}, async (work, _, { id = '' }) => {
    const method = await work.find('payment_method', id, 'payment_method');
    await detachMethod(work, method);
    return method;
  }),
  route(
    'POST',
    '/v1/payment_methods/:id',
    {
      card: group({ exp_month: integer(1, 12), exp_year: integer(2000, 2100) }),
      billing_details: BILLING_DETAILS,
      metadata: clearable(metadata()),
    },
    async (work, input, { id = '' }) => {
      const method = await work.find('payment_method', id);
      if (method.customer === null)
        throw invalidRequest('You must attach this PaymentMethod to a customer before you can update it.');
      if (method.card && input.card?.exp_month) method.card.exp_month = input.card.exp_month;
      if (method.card && input.card?.exp_year) method.card.exp_year = input.card.exp_year;
      Object.assign(method.billing_details, withAddress(input.billing_details));
      if (input.metadata === null) method.metadata = {};
      else if (input.metadata) method.metadata = mergeMetadata(method.metadata, input.metadata);
      return method;
    },
  ),
];
