import Stripe from 'stripe';
import { expect } from 'vitest';
import {
  all,
  type Effect,
  listEffects,
  METADATA,
  narrows,
  type RouteEffects,
  refuses,
  shows,
  type World,
} from './effects';

const person: Record<string, Effect> = {
  email: all(shows('n@example.com'), refuses('nobody')),
  name: shows('Nora'),
  phone: shows('+34 600'),
  description: shows('Oyente'),
  preferred_locales: shows(['es']),
  metadata: METADATA,
  balance: shows(-300),
};

const customers: Record<string, RouteEffects> = {
  'POST /v1/customers': {
    base: () => ({ path: '/v1/customers' }),
    effects: {
      ...person,
      'invoice_settings[default_payment_method]': all(
        shows('pm_card_visa', { as: expect.stringMatching(/^pm_/), with: { payment_method: 'pm_card_visa' } }),
        refuses('pm_nothing'),
      ),
      payment_method: async ({ world, send }) => {
        const { id } = await send({ payment_method: 'pm_card_visa' });
        expect((await world.stripe.customers.listPaymentMethods(String(id))).data).toHaveLength(1);
      },
      test_clock: async ({ world, send }) => {
        const { id } = await world.stripe.testHelpers.testClocks.create({ frozen_time: 1_800_000_000 });
        expect(await send({ test_clock: id })).toMatchObject({ test_clock: id, created: 1_800_000_000 });
      },
    },
  },
  'POST /v1/customers/:id': {
    base: async ({ stripe }) => ({ path: `/v1/customers/${(await stripe.customers.create({})).id}` }),
    effects: {
      ...person,
      'invoice_settings[default_payment_method]': all(refuses('pm_nothing'), async ({ world, name }) => {
        const { customer, card, stripe } = world;
        expect(await stripe.rawRequest('POST', `/v1/customers/${customer}`, { [name]: card })).toMatchObject({
          invoice_settings: { default_payment_method: card },
        });
        await stripe.customers.update(customer, { invoice_settings: { default_payment_method: '' } });
      }),
    },
  },
};

/** An open invoice: the customer's card is declined at the renewal. */
async function unpaidInvoice(world: World, status: 'draft' | 'open') {
  const { stripe, price } = world;
  const { id: clock } = await stripe.testHelpers.testClocks.create({ frozen_time: 1_769_850_000 });
  const { id: customer } = await stripe.customers.create({ test_clock: clock });
  const { id: card } = await stripe.paymentMethods.attach('pm_card_sandbox_failsAtRenewal', { customer });
  await stripe.subscriptions.create({ customer, items: [{ price }], default_payment_method: card });
  const renewal = Date.UTC(2026, 1, 28, 9) / 1000;
  await stripe.testHelpers.testClocks.advance(clock, { frozen_time: renewal + (status === 'draft' ? 600 : 7200) });
  const [invoice] = (await stripe.invoices.list({ customer, status })).data;
  return { id: invoice!.id, customer, clock };
}

async function statusLater({ stripe }: World, invoice: Stripe.Invoice): Promise<string | null> {
  const { frozen_time } = await stripe.testHelpers.testClocks.retrieve(String(invoice.test_clock));
  await stripe.testHelpers.testClocks.advance(String(invoice.test_clock), { frozen_time: frozen_time + 2 * 3600 });
  return (await stripe.invoices.retrieve(invoice.id)).status;
}

const invoices: Record<string, RouteEffects> = {
  'POST /v1/invoices/:id': {
    base: async (world) => ({ path: `/v1/invoices/${(await unpaidInvoice(world, 'draft')).id}` }),
    effects: {
      metadata: METADATA,
      description: shows('Febrero'),
      auto_advance: async ({ world, send }) => {
        const [stays, goesOn] = [await send({ auto_advance: false }), await send({ auto_advance: true })];
        expect(await statusLater(world, stays as unknown as Stripe.Invoice)).toBe('draft');
        expect(await statusLater(world, goesOn as unknown as Stripe.Invoice)).toBe('open');
      },
    },
  },
  'POST /v1/invoices/:id/finalize': {
    base: async (world) => ({ path: `/v1/invoices/${(await unpaidInvoice(world, 'draft')).id}/finalize` }),
    effects: {
      auto_advance: all(
        shows(false, { at: 'next_payment_attempt', as: null }),
        shows(true, { at: 'next_payment_attempt', as: expect.any(Number) }),
      ),
    },
  },
  'POST /v1/invoices/:id/pay': {
    base: async (world) => ({ path: `/v1/invoices/${(await unpaidInvoice(world, 'open')).id}/pay` }),
    effects: {
      payment_method: async ({ world }) => {
        const { id, customer } = await unpaidInvoice(world, 'open');
        const { id: card } = await world.stripe.paymentMethods.attach('pm_card_visa', { customer });
        expect(await world.stripe.invoices.pay(id, { payment_method: card })).toMatchObject({ status: 'paid' });
      },
      // this card declines only off-session renewals
      off_session: all(shows(false, { at: 'status', as: 'paid' }), async ({ send }) =>
        expect(send({ off_session: true })).rejects.toMatchObject({ code: 'card_declined' }),
      ),
    },
  },
  'POST /v1/invoices/:id/attach_payment': {
    base: async (world) => {
      const { id } = await unpaidInvoice(world, 'open');
      const { amount_due: amount, currency } = await world.stripe.invoices.retrieve(id);
      const paid = await world.stripe.paymentIntents.create({ ...BY_CARD, amount, currency });
      return { path: `/v1/invoices/${id}/attach_payment`, params: { payment_intent: paid.id } };
    },
    effects: {
      payment_intent: all(refuses('pi_nothing'), async ({ send }) =>
        expect(await send()).toMatchObject({ status: 'paid' }),
      ),
    },
  },
};

const BY_CARD = { payment_method: 'pm_card_visa', confirm: true };

const clocks: Record<string, RouteEffects> = {
  'POST /v1/test_helpers/test_clocks': {
    base: () => ({ path: '/v1/test_helpers/test_clocks', params: { frozen_time: 1_800_000_000 } }),
    effects: { frozen_time: shows(1_900_000_000), name: shows('Un año') },
  },
  'POST /v1/test_helpers/test_clocks/:id/advance': {
    base: async ({ stripe }) => {
      const { id } = await stripe.testHelpers.testClocks.create({ frozen_time: 1_800_000_000 });
      return { path: `/v1/test_helpers/test_clocks/${id}/advance`, params: { frozen_time: 1_800_000_001 } };
    },
    effects: { frozen_time: all(shows(1_800_000_900), refuses(1_700_000_000)) },
  },
};

const ENDPOINT = 'https://hooks.example/';

const endpoints: Record<string, RouteEffects> = {
  'POST /v1/webhook_endpoints': {
    base: () => ({ path: '/v1/webhook_endpoints', params: { url: ENDPOINT, enabled_events: ['coupon.created'] } }),
    effects: {
      url: all(shows('http://other.example/'), refuses('nowhere')),
      enabled_events: shows(['customer.created']),
      api_version: all(shows(Stripe.API_VERSION), refuses('2024-06-20')),
      connect: async ({ world, send }) => {
        const { id } = await send({ connect: true, enabled_events: ['customer.created'] });
        await world.stripe.customers.create({});
        await world.stripe.customers.create({}, { stripeAccount: world.account });
        const rows =
          await world.client`select account from sandbox_stripe.deliveries where endpoint = ${String(id)} order by number`;
        expect(rows.map(({ account }) => account)).toEqual([world.account]);
      },
      description: shows('Altavoz'),
      metadata: METADATA,
    },
  },
  'POST /v1/webhook_endpoints/:id': {
    base: async ({ stripe }) => {
      const { id } = await stripe.webhookEndpoints.create({ url: ENDPOINT, enabled_events: ['coupon.created'] });
      return { path: `/v1/webhook_endpoints/${id}` };
    },
    effects: {
      url: all(shows('http://other.example/'), refuses('nowhere')),
      enabled_events: shows(['customer.created']),
      disabled: shows(true, { at: 'status', as: 'disabled' }),
      metadata: METADATA,
    },
  },
};

const lists = listEffects({
  customers: { email: narrows(), test_clock: narrows() },
  events: { type: narrows() },
  invoice_payments: {
    invoice: narrows(),
    status: narrows('status', 'open'),
    'payment[type]': all(
      async ({ send }) => expect(send({ 'payment[type]': 'card' })).rejects.toMatchObject({ param: 'payment[type]' }),
      async ({ send }) => expect((await send({ 'payment[type]': 'payment_intent' })).data).not.toEqual([]),
    ),
    'payment[payment_intent]': async ({ world, send }) => {
      const [{ payment } = {} as never] = (await world.stripe.invoicePayments.list()).data;
      const params = { 'payment[type]': 'payment_intent', 'payment[payment_intent]': payment?.payment_intent };
      expect((await send(params)).data).toMatchObject([{ payment }]);
    },
  },
  invoices: {
    customer: narrows(),
    subscription: narrows('parent.subscription_details.subscription'),
    status: narrows(),
  },
  prices: { product: narrows(), active: narrows('active', false) },
  promotion_codes: { code: narrows(), coupon: narrows('promotion.coupon'), active: narrows('active', false) },
});

export const BILLING_EFFECTS = {
  ...customers,
  ...invoices,
  ...clocks,
  ...endpoints,
  ...lists,
};
