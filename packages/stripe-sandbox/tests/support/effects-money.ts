import type Stripe from 'stripe';
import { expect } from 'vitest';
import {
  all,
  type Effect,
  EXAMPLE,
  listEffects,
  METADATA,
  narrows,
  paidIntent,
  type RouteEffects,
  refuses,
  sharedIntent,
  shows,
  type World,
} from './effects';

const AUTHENTICATES = { payment_method: 'pm_card_authenticationRequired' };
const billing = {
  'billing_details[email]': shows('z@example.com'),
  'billing_details[name]': shows('Zoe'),
  'billing_details[phone]': shows('+34 600'),
  'billing_details[address][country]': shows('ES'),
};

const confirming: Record<string, Effect> = {
  payment_method: shows('pm_card_mastercard', { as: expect.stringMatching(/^pm_/) }),
  off_session: async ({ send }) =>
    expect(send({ ...AUTHENTICATES, confirm: true, off_session: true })).rejects.toMatchObject({
      code: 'authentication_required',
    }),
  error_on_requires_action: async ({ send }) =>
    expect(send({ ...AUTHENTICATES, confirm: true, error_on_requires_action: true })).rejects.toMatchObject({
      code: 'authentication_required',
    }),
  return_url: all(
    shows(EXAMPLE, { at: 'next_action.redirect_to_url.return_url', with: { ...AUTHENTICATES, confirm: true } }),
    refuses('nowhere'),
  ),
};
/** The route always confirms. */
const withoutConfirm =
  (effect: Effect): Effect =>
  (probe) =>
    effect({ ...probe, send: ({ confirm: _, ...more } = {}) => probe.send(more) });

const shareOf = (world: World) => ({ 'transfer_data[destination]': world.account });

const intents: Record<string, RouteEffects> = {
  'POST /v1/payment_intents': {
    base: () => ({ path: '/v1/payment_intents', params: { amount: 2000, currency: 'eur' } }),
    effects: {
      ...confirming,
      amount: all(shows(700), refuses(49)),
      currency: all(shows('usd'), shows('GBP', { as: 'gbp' }), refuses('xyz')),
      customer: async ({ world, send }) =>
        expect(await send({ customer: world.customer })).toMatchObject({ customer: world.customer }),
      confirm: shows(true, { at: 'status', as: 'succeeded', with: { payment_method: 'pm_card_visa' } }),
      description: shows('Audiolibro'),
      metadata: METADATA,
      receipt_email: shows('r@example.com'),
      setup_future_usage: all(shows('on_session'), refuses('sometimes')),
      'automatic_payment_methods[enabled]': shows(true),
      'automatic_payment_methods[allow_redirects]': shows('never', {
        with: { 'automatic_payment_methods[enabled]': true },
      }),
      allowed_payment_method_types: all(shows(['card']), refusesItem('sepa_debit')),
      application_fee_amount: async (probe) => {
        await shows(300, { with: shareOf(probe.world) })(probe);
        await refuses(300)(probe);
        await refuses(3000, shareOf(probe.world))(probe);
      },
      'transfer_data[destination]': async ({ world, send }) =>
        expect(await send(shareOf(world))).toMatchObject({ transfer_data: { destination: world.account } }),
      'transfer_data[amount]': async (probe) => {
        await shows(900, { with: shareOf(probe.world) })(probe);
        await refuses(2001, shareOf(probe.world))(probe);
      },
      transfer_group: async ({ world, send }) => {
        const params = { ...shareOf(world), transfer_group: 'order-17', confirm: true, payment_method: 'pm_card_visa' };
        const { latest_charge } = await send(params);
        await world.sandbox.capture();
        const charge = await world.stripe.charges.retrieve(String(latest_charge), { expand: ['transfer'] });

        expect([charge.transfer_group, (charge.transfer as Stripe.Transfer).transfer_group]).toEqual([
          'order-17',
          'order-17',
        ]);
      },
      statement_descriptor_suffix: shows('AUDIO'),
    },
  },
  'POST /v1/payment_intents/:id': {
    base: async ({ stripe }) => {
      const { id } = await stripe.paymentIntents.create({ amount: 2000, currency: 'eur' });
      return { path: `/v1/payment_intents/${id}` };
    },
    effects: { description: shows('Audiolibro'), metadata: METADATA, receipt_email: shows('r@example.com') },
  },
  'POST /v1/payment_intents/:id/confirm': {
    base: async ({ stripe }) => {
      const { id } = await stripe.paymentIntents.create({ amount: 2000, currency: 'eur' });
      return { path: `/v1/payment_intents/${id}/confirm`, params: { payment_method: 'pm_card_visa' } };
    },
    effects: Object.fromEntries(Object.entries(confirming).map(([name, effect]) => [name, withoutConfirm(effect)])),
  },
  'POST /v1/payment_intents/:id/cancel': {
    base: async ({ stripe }) => {
      const { id } = await stripe.paymentIntents.create({ amount: 2000, currency: 'eur' });
      return { path: `/v1/payment_intents/${id}/cancel` };
    },
    effects: { cancellation_reason: all(shows('abandoned'), refuses('boredom')) },
  },
};

/** A list with one item is rejected, and the item named. */
function refusesItem(value: string): Effect {
  return async ({ name, send }) =>
    expect(send({ [`${name}[0]`]: value })).rejects.toMatchObject({ param: `${name}[0]`, statusCode: 400 });
}

const setups: Record<string, RouteEffects> = {
  'POST /v1/setup_intents': {
    base: () => ({ path: '/v1/setup_intents' }),
    effects: {
      customer: async ({ world, send }) =>
        expect(await send({ customer: world.customer })).toMatchObject({ customer: world.customer }),
      payment_method: shows('pm_card_visa', { at: 'status', as: 'requires_confirmation' }),
      allowed_payment_method_types: all(shows(['card']), refusesItem('sepa_debit')),
      'automatic_payment_methods[enabled]': shows(true),
      'automatic_payment_methods[allow_redirects]': shows('never', {
        with: { 'automatic_payment_methods[enabled]': true },
      }),
      confirm: shows(true, { at: 'status', as: 'succeeded', with: { payment_method: 'pm_card_visa' } }),
      usage: all(shows('on_session'), refuses('sometimes')),
      return_url: confirming.return_url!,
      metadata: METADATA,
    },
  },
  'POST /v1/setup_intents/:id/confirm': {
    base: async ({ stripe }) => {
      const { id } = await stripe.setupIntents.create({});
      return { path: `/v1/setup_intents/${id}/confirm`, params: { payment_method: 'pm_card_visa' } };
    },
    effects: {
      payment_method: shows('pm_card_mastercard', { as: expect.stringMatching(/^pm_/) }),
      return_url: withoutConfirm(confirming.return_url!),
    },
  },
};

const CARD = { type: 'card', 'card[number]': '4242424242424242', 'card[exp_month]': 5, 'card[exp_year]': 2031 };

/** A card of a platform's customer is copied to a connected account, where it has no customer yet. */
const clones: Effect = async ({ world: { stripe, account, customer, card } }) => {
  const copy = await stripe.paymentMethods.create({ customer, payment_method: card }, { stripeAccount: account });
  expect(copy).toMatchObject({ customer: null, card: { last4: '4242' } });
  expect(copy.id).not.toBe(card);
};

const methods: Record<string, RouteEffects> = {
  'POST /v1/payment_methods': {
    base: () => ({ path: '/v1/payment_methods', params: CARD }),
    effects: {
      type: all(shows('card'), refuses('sepa_debit')),
      'card[number]': shows('5555555555554444', { at: 'card.brand', as: 'mastercard' }),
      'card[exp_month]': shows(7),
      'card[exp_year]': shows(2033),
      'card[cvc]': shows('123', { at: 'card.checks.cvc_check', as: 'pass' }),
      ...billing,
      metadata: METADATA,
      customer: all(refuses('cus_any'), clones),
      payment_method: all(refuses('pm_any'), clones),
    },
  },
  'POST /v1/payment_methods/:id': {
    base: async ({ stripe, customer }) => {
      const { id } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
      return { path: `/v1/payment_methods/${id}` };
    },
    effects: { 'card[exp_month]': shows(7), 'card[exp_year]': shows(2033), ...billing, metadata: METADATA },
  },
  'POST /v1/payment_methods/:id/attach': {
    base: ({ customer }) => ({ path: '/v1/payment_methods/pm_card_visa/attach', params: { customer } }),
    effects: {
      customer: async ({ world, send }) => expect(await send()).toMatchObject({ customer: world.customer }),
    },
  },
  'GET /v1/payment_methods': {
    base: ({ customer }) => ({ path: '/v1/payment_methods', params: { customer } }),
    effects: { customer: onlyOf('customer'), type: excludes('sepa_debit') },
  },
  'GET /v1/customers/:customer/payment_methods': {
    base: ({ customer }) => ({ path: `/v1/customers/${customer}/payment_methods` }),
    effects: { type: excludes('sepa_debit') },
  },
};

function onlyOf(field: 'customer'): Effect {
  return async ({ world, send }) => {
    const { data } = (await send()) as { data: Record<string, unknown>[] };
    expect(new Set(data.map((object) => object[field]))).toEqual(new Set([world[field]]));
  };
}

function excludes(value: string): Effect {
  return async ({ name, send }) => {
    expect((await send()).data).not.toEqual([]);
    expect((await send({ [name]: value })).data).toEqual([]);
  };
}

const refunds: Record<string, RouteEffects> = {
  'POST /v1/charges/:id': {
    base: async (world) => ({ path: `/v1/charges/${(await paidIntent(world)).charge}` }),
    effects: { description: shows('Audiolibro'), metadata: METADATA, receipt_email: shows('r@example.com') },
  },
  'POST /v1/refunds': {
    base: async (world) => ({ path: '/v1/refunds', params: { charge: (await sharedIntent(world)).charge } }),
    effects: {
      charge: all(refuses('ch_nothing'), async ({ send }) =>
        expect(await send()).toMatchObject({ charge: expect.stringMatching(/^ch_/) }),
      ),
      payment_intent: async (probe) => {
        const { intent } = await paidIntent(probe.world);
        await shows(intent, { with: { charge: undefined } })(probe);
        await refuses('pi_nothing', { charge: undefined })(probe);
      },
      amount: all(shows(700), refuses(5001)),
      reason: all(shows('duplicate'), refuses('boredom')),
      reverse_transfer: shows(true, { at: 'transfer_reversal', as: expect.stringMatching(/^trr_/) }),
      refund_application_fee: async ({ world, send }) => {
        const { charge } = await send({ refund_application_fee: true });
        const { application_fee } = await world.stripe.charges.retrieve(String(charge), {
          expand: ['application_fee'],
        });
        expect(application_fee).toMatchObject({ refunded: true, amount_refunded: 500 });
      },
      metadata: METADATA,
    },
  },
  'POST /v1/refunds/:id': {
    base: async (world) => {
      const { charge } = await paidIntent(world);
      return { path: `/v1/refunds/${(await world.stripe.refunds.create({ charge })).id}` };
    },
    effects: { metadata: all(METADATA, shows('', { as: {} })) },
  },
  'POST /v1/disputes/:id': {
    base: async (world) => {
      const { charge } = await paidIntent(world, { payment_method: 'pm_card_createDispute' });
      const [dispute] = (await world.stripe.disputes.list({ charge })).data;
      return { path: `/v1/disputes/${dispute!.id}` };
    },
    effects: {
      submit: shows(false, { at: 'status', as: 'needs_response', with: { 'evidence[receipt]': 'x' } }),
      metadata: METADATA,
    },
  },
};

const lists = listEffects({
  application_fees: { charge: narrows() },
  balance_transactions: { type: narrows(), currency: narrows(), source: narrows(), payout: paidOut() },
  charges: { customer: narrows(), payment_intent: narrows() },
  disputes: { charge: narrows(), payment_intent: narrows() },
  payment_intents: { customer: narrows() },
  payouts: { status: narrows('status', 'canceled') },
  'radar/early_fraud_warnings': { charge: narrows(), payment_intent: narrows() },
  refunds: { charge: narrows(), payment_intent: narrows() },
  reviews: {},
  setup_intents: { customer: narrows() },
  transfers: { destination: narrows(), transfer_group: narrows() },
});

/** Manual payouts have no list of their transactions; the test of payouts covers automatic ones. */
function paidOut(): Effect {
  return all(refuses('po_nothing'), async ({ world, send, name }) => {
    const { id } = await world.stripe.payouts.create({ amount: 1, currency: 'eur' });
    await expect(send({ [name]: id })).rejects.toMatchObject({ param: 'payout' });
  });
}

export const MONEY_EFFECTS = { ...intents, ...setups, ...methods, ...refunds, ...lists };
