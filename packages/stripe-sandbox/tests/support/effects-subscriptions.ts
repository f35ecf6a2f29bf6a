import { expect } from 'vitest';
import {
  all,
  type Body,
  DAY,
  type Effect,
  METADATA,
  narrows,
  newSubscription,
  now,
  type Params,
  type Probe,
  type RouteEffects,
  refuses,
  shows,
  type World,
} from './effects';
import { ofNew, ofPresent, priceData, termsBy } from './effects-items';

async function subscriber({ stripe, price }: World, card = 'pm_card_visa'): Promise<Params> {
  const { id: customer } = await stripe.customers.create({ email: 'b@example.com' });
  const { id: default_payment_method } = await stripe.paymentMethods.attach(card, { customer });
  return { customer, default_payment_method, items: [{ price }] };
}

const inDays =
  (days: number, given: Params = {}): Effect =>
  (probe) =>
    shows(now(probe.world) + days * DAY, { with: given })(probe);

const toAccount =
  (effect: (params: Params) => Effect): Effect =>
  (probe) =>
    effect({ 'transfer_data[destination]': probe.world.account })(probe);

const share: Record<string, Effect> = {
  application_fee_percent: all(
    toAccount((given) => all(shows(7.25, { with: given }), refuses(7.255, given))),
    refuses(7.25),
  ),
  'transfer_data[destination]': all(refuses('acct_nothing'), async ({ world, name, send }) =>
    expect(await send({ [name]: world.account })).toMatchObject({ transfer_data: { destination: world.account } }),
  ),
  'transfer_data[amount_percent]': toAccount((given) =>
    all(shows(80, { with: given }), refuses(80, { ...given, application_fee_percent: 10 })),
  ),
};

/** A field on each invoice. */
function showsField(part: { name?: string; value?: string }): Effect {
  const custom_fields = [{ name: 'Seller', value: 'Ana', ...part }];
  return async ({ send }) =>
    expect(await send({ invoice_settings: { custom_fields } })).toMatchObject({ invoice_settings: { custom_fields } });
}

const shared: Record<string, Effect> = {
  metadata: METADATA,
  cancel_at_period_end: shows(true),
  cancel_at: inDays(10),
  description: shows('Plan'),
  'invoice_settings[custom_fields][][name]': showsField({ name: 'Sold by' }),
  'invoice_settings[custom_fields][][value]': showsField({ value: 'Lucía' }),
  ...share,
  'trial_settings[end_behavior][missing_payment_method]': all(shows('pause'), refuses('sleep')),
  'payment_settings[save_default_payment_method]': all(shows('on_subscription'), refuses('always')),
  'payment_settings[payment_method_types]': async ({ name, send }) => {
    expect(await send({ [name]: ['card'] })).toHaveProperty('payment_settings.payment_method_types', ['card']);
    await expect(send({ [name]: ['sepa_debit'] })).rejects.toMatchObject({ param: `${name}[0]` });
  },
  collection_method: all(shows('charge_automatically'), refuses('send_invoice')),
  'discounts[][coupon]': async ({ world, send }) =>
    expect(await send({ discounts: [{ coupon: world.coupon }], expand: ['discounts'] })).toMatchObject({
      discounts: [{ source: { coupon: world.coupon } }],
    }),
  'discounts[][promotion_code]': async ({ world, send }) =>
    expect(await send({ discounts: [{ promotion_code: world.promotion }], expand: ['discounts'] })).toMatchObject({
      discounts: [{ promotion_code: world.promotion }],
    }),
  'discounts[][discount]': async ({ world, send }) => {
    const { id } = await newSubscription(world, { discounts: [{ coupon: world.coupon }] });
    const { discounts } = await world.stripe.subscriptions.retrieve(id);
    expect(await send({ discounts: [{ discount: discounts[0] }] })).toMatchObject({ discounts });
  },
};

const create: RouteEffects = {
  base: async (world) => ({ path: '/v1/subscriptions', params: await subscriber(world) }),
  effects: {
    ...shared,
    ...termsBy(ofNew),
    default_payment_method: all(refuses('pm_nothing'), async ({ send }) =>
      expect(await send()).toMatchObject({ default_payment_method: expect.stringMatching(/^pm_/) }),
    ),
    customer: all(refuses('cus_nothing'), async ({ send }) =>
      expect(await send()).toMatchObject({ customer: expect.stringMatching(/^cus_/) }),
    ),
    'billing_mode[type]': all(shows('flexible'), refuses('classic')),
    'billing_mode[flexible][proration_discounts]': all(
      shows('included', { with: { 'billing_mode[type]': 'flexible' } }),
      refuses('itemized', { 'billing_mode[type]': 'flexible' }),
    ),
    trial_period_days: (probe) => shows(7, { at: 'trial_end', as: now(probe.world) + 7 * DAY })(probe),
    trial_end: inDays(9),
    payment_behavior: async ({ world, send }) => {
      const given = await subscriber(world, 'pm_card_chargeCustomerFail');
      expect(await send({ ...given, payment_behavior: 'allow_incomplete' })).toMatchObject({ status: 'incomplete' });
      expect(await send({ payment_behavior: 'default_incomplete' })).toMatchObject({ status: 'incomplete' });
      const strict = send({ ...given, payment_behavior: 'error_if_incomplete' });
      await expect(strict).rejects.toMatchObject({ code: 'card_declined' });
    },
    off_session: async ({ world, send }) => {
      const given = async () => subscriber(world, 'pm_card_authenticationRequiredOnSetup');
      expect(await send({ ...(await given()), off_session: true })).toMatchObject({ status: 'active' });
      expect(await send({ ...(await given()), off_session: false })).toMatchObject({ status: 'incomplete' });
    },
    billing_cycle_anchor: inDays(14),
    backdate_start_date: (probe) => {
      const start = now(probe.world) - 40 * DAY;
      return shows(start, { at: 'start_date' })(probe);
    },
    proration_behavior: async ({ world, send }) => {
      const anchor = { billing_cycle_anchor: now(world) + 14 * DAY, expand: ['latest_invoice'] };
      expect(await send({ ...anchor, proration_behavior: 'none' })).toMatchObject({ latest_invoice: null });
      expect(await send(anchor)).toMatchObject({ latest_invoice: { total: 452, status: 'paid' } });
    },
  },
};

const change: RouteEffects = {
  base: async (world) => ({ path: `/v1/subscriptions/${(await newSubscription(world)).id}` }),
  effects: {
    ...shared,
    ...termsBy(ofPresent),
    'items[][id]': async ({ world, send }) =>
      expect(send({ items: [{ id: 'si_nothing', price: world.yearly }] })).rejects.toMatchObject({
        param: 'items[0][id]',
      }),
    'items[][deleted]': async (probe) => {
      const { world, prepare, send } = probe;
      const call = await prepare();
      const { items } = await world.stripe.subscriptions.retrieve(call.path.split('/').at(-1) ?? '');
      const replaced = [{ id: items.data[0]!.id, deleted: true }, { price: world.yearly }];
      expect(await send({ items: replaced }, call)).toHaveProperty('items.data.0.price.id', world.yearly);
    },
    default_payment_method: all(refuses('pm_nothing'), async ({ world, prepare, send }) => {
      const call = await prepare();
      const { customer } = await world.stripe.subscriptions.retrieve(call.path.split('/').at(-1) ?? '');
      const { id } = await world.stripe.paymentMethods.attach('pm_card_mastercard', { customer: String(customer) });
      expect(await send({ default_payment_method: id }, call)).toMatchObject({ default_payment_method: id });
    }),
    trial_end: inDays(9),
    proration_behavior: async (probe) => {
      const billed = async (proration_behavior: string) => {
        const item = (given: Probe) => ofPresent(given, { price_data: priceData(given.world, { unit_amount: 3000 }) });
        const { latest_invoice } = await item({
          ...probe,
          send: (more, call) => probe.send({ ...more, proration_behavior, expand: ['latest_invoice'] }, call),
        });
        return (latest_invoice as Body).total;
      };
      expect([await billed('always_invoice'), await billed('none')]).toEqual([2000, 1000]);
    },
    proration_date: async (probe) => {
      const at = now(probe.world) + 14 * DAY;
      const { latest_invoice } = await ofPresent(
        {
          ...probe,
          send: (more, call) =>
            probe.send(
              { ...more, proration_date: at, proration_behavior: 'always_invoice', expand: ['latest_invoice'] },
              call,
            ),
        },
        { price_data: priceData(probe.world, { unit_amount: 3000 }) },
      );
      expect(latest_invoice).toMatchObject({ total: 1000 });
    },
    payment_behavior: async ({ world, prepare, send }) => {
      const declined = async (payment_behavior: string) => {
        const call = await prepare();
        const { customer } = await world.stripe.subscriptions.retrieve(call.path.split('/').at(-1) ?? '');
        const bad = { customer: String(customer) };
        const { id } = await world.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', bad);
        world.clock.now = new Date(world.clock.now.getTime() + 14 * DAY * 1000);
        return send({ default_payment_method: id, billing_cycle_anchor: 'now', payment_behavior }, call);
      };
      expect(await declined('allow_incomplete')).toMatchObject({ status: 'past_due' });
      await expect(declined('error_if_incomplete')).rejects.toMatchObject({ code: 'card_declined' });
    },
    billing_cycle_anchor: async ({ world, prepare, send }) => {
      const call = await prepare();
      const started = now(world);
      world.clock.now = new Date(world.clock.now.getTime() + DAY * 1000);
      expect(await send({ billing_cycle_anchor: 'unchanged' }, call)).toMatchObject({ billing_cycle_anchor: started });
      expect(await send({ billing_cycle_anchor: 'now' }, call)).toMatchObject({ billing_cycle_anchor: started + DAY });
    },
    'cancellation_details[comment]': shows('Muy caro'),
    'cancellation_details[feedback]': all(shows('too_expensive'), refuses('boredom')),
    'pause_collection[behavior]': all(shows('void'), refuses('sleep')),
    'pause_collection[resumes_at]': inDays(20, { 'pause_collection[behavior]': 'void' }),
  },
};

const cancel: RouteEffects = {
  base: async (world) => ({ path: `/v1/subscriptions/${(await newSubscription(world)).id}` }),
  effects: {
    'cancellation_details[comment]': shows('Muy caro'),
    'cancellation_details[feedback]': all(shows('too_expensive'), refuses('boredom')),
    prorate: async ({ world, send }) => {
      const { customer } = await send({ prorate: true });
      expect(await world.stripe.customers.retrieve(String(customer))).toMatchObject({ balance: -1000 });
    },
    invoice_now: async ({ send }) =>
      expect(await send({ prorate: true, invoice_now: true, 'expand[0]': 'latest_invoice' })).toMatchObject({
        latest_invoice: { total: -1000, status: 'paid' },
      }),
  },
};

const resume: RouteEffects = {
  base: async (world) => {
    const { stripe } = world;
    const { id: test_clock } = await stripe.testHelpers.testClocks.create({ frozen_time: now(world) });
    const { id: customer } = await stripe.customers.create({ test_clock });
    const { id } = await stripe.subscriptions.create({
      customer,
      items: [{ price: world.price }],
      trial_period_days: 1,
      trial_settings: { end_behavior: { missing_payment_method: 'pause' } },
    });
    await stripe.testHelpers.testClocks.advance(test_clock, { frozen_time: now(world) + 2 * DAY });
    const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
    await stripe.subscriptions.update(id, { default_payment_method: card });
    return { path: `/v1/subscriptions/${id}/resume`, params: { billing_cycle_anchor: { type: 'now' } } };
  },
  effects: {
    'billing_cycle_anchor[type]': async ({ world, send }) => {
      expect(await send()).toMatchObject({ status: 'active', billing_cycle_anchor: now(world) + 2 * DAY });
      const kept = send({ billing_cycle_anchor: { type: 'unchanged' } });
      await expect(kept).rejects.toMatchObject({ param: 'billing_cycle_anchor[type]' });
    },
  },
};

const list: RouteEffects = {
  base: () => ({ path: '/v1/subscriptions', params: { status: 'all' } }),
  effects: {
    customer: narrows(),
    status: narrows('status', 'canceled'),
    test_clock: narrows(),
    price: async ({ world, send }) => {
      const { data } = (await send({ price: world.yearly })) as { data: Body[] };
      expect(data.length).toBeGreaterThan(0);
      for (const found of data) expect(found).toHaveProperty('items.data.0.price.id', world.yearly);
    },
  },
};

export const SUBSCRIPTION_EFFECTS: Record<string, RouteEffects> = {
  'POST /v1/subscriptions': create,
  'POST /v1/subscriptions/:id': change,
  'DELETE /v1/subscriptions/:id': cancel,
  'POST /v1/subscriptions/:id/resume': resume,
  'GET /v1/subscriptions': list,
  'GET /v1/subscription_items': {
    base: async (world) => ({
      path: '/v1/subscription_items',
      params: { subscription: (await newSubscription(world)).id },
    }),
    effects: {
      subscription: all(refuses('sub_nothing'), async ({ send }) => expect((await send()).data).toHaveLength(1)),
    },
  },
};
