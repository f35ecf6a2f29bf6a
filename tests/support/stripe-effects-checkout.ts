import type Stripe from 'stripe';
import { expect } from 'vitest';
import {
  all,
  type Body,
  type Effect,
  narrows,
  newSubscription,
  type Params,
  type Probe,
  payPage,
  type RouteEffects,
  refuses,
  shows,
  type World,
} from './stripe-effects';

const METADATA = shows({ order: '17' });
const EXAMPLE = 'https://a.example/x';
const DAY = 86_400;
const now = ({ clock }: World) => Math.floor(clock.now.getTime() / 1000);
const LINE = { price_data: { currency: 'eur', unit_amount: 2000, product_data: { name: 'x' } }, quantity: 1 };
const MONTHLY = { ...LINE, price_data: { ...LINE.price_data, recurring: { interval: 'month' } } };
const SUBSCRIPTION: Params = { mode: 'subscription', line_items: [MONTHLY] };
const SETUP: Params = { mode: 'setup', line_items: undefined, currency: 'eur' };

/** What the line item of a session is, after a change of its terms. */
const line =
  (more: Body, at: string, expected: unknown): Effect =>
  async ({ send }) => {
    const price_data = { ...LINE.price_data, ...more };
    const session = await send({
      mode: 'recurring' in more ? 'subscription' : 'payment',
      line_items: [{ ...LINE, price_data }],
      expand: ['line_items.data.price.product'],
    });
    expect(session).toHaveProperty(`line_items.data.0.price.${at}`, expected);
  };

/** Pays the page, and compares what it created. */
const creates =
  (value: unknown, at: string, { as = value, given = {} }: { as?: unknown; given?: Params } = {}): Effect =>
  async ({ world, name, send }) => {
    const session = await send({ ...given, [name]: value });
    expect(await payPage(world, session)).toHaveProperty(at, as);
  };

const withAccount =
  (effect: (given: Params) => Effect, at: string, given: Params = {}): Effect =>
  (probe) =>
    effect({ ...given, [`${at}[transfer_data][destination]`]: probe.world.account })(probe);

const lines: Record<string, Effect> = {
  'line_items[][price]': async ({ world, send }) => {
    const params = { mode: 'subscription', line_items: [{ price: world.yearly, quantity: 1 }] };
    expect(await send(params)).toMatchObject({ amount_total: 9000 });
  },
  'line_items[][price_data][currency]': line({ currency: 'usd' }, 'currency', 'usd'),
  'line_items[][price_data][product]': async ({ world, send }) => {
    const price_data = { currency: 'eur', unit_amount: 2000, product: world.product };
    const params = { line_items: [{ price_data, quantity: 1 }], expand: ['line_items'] };
    expect(await send(params)).toHaveProperty('line_items.data.0.price.product', world.product);
  },
  'line_items[][price_data][product_data][name]': line({ product_data: { name: 'Y' } }, 'product.name', 'Y'),
  'line_items[][price_data][product_data][description]': line(
    { product_data: { name: 'Y', description: 'd' } },
    'product.description',
    'd',
  ),
  'line_items[][price_data][product_data][images]': line(
    { product_data: { name: 'Y', images: [EXAMPLE] } },
    'product.images',
    [EXAMPLE],
  ),
  'line_items[][price_data][product_data][metadata]': line(
    { product_data: { name: 'Y', metadata: { order: '17' } } },
    'product.metadata',
    { order: '17' },
  ),
  'line_items[][price_data][unit_amount]': all(line({ unit_amount: 900 }, 'unit_amount', 900), async ({ send }) => {
    const tiny = { ...LINE, price_data: { ...LINE.price_data, unit_amount: 49 } };
    await expect(send({ line_items: [tiny] })).rejects.toMatchObject({ code: 'amount_too_small' });
  }),
  'line_items[][price_data][recurring][interval]': line(
    { recurring: { interval: 'year' } },
    'recurring.interval',
    'year',
  ),
  'line_items[][price_data][recurring][interval_count]': line(
    { recurring: { interval: 'month', interval_count: 3 } },
    'recurring.interval_count',
    3,
  ),
  'line_items[][quantity]': async ({ send }) =>
    expect(await send({ line_items: [{ ...LINE, quantity: 3 }] })).toMatchObject({ amount_total: 6000 }),
};

const INTENT = 'payment_intent_data';
const PLAN = 'subscription_data';

const paid: Record<string, Effect> = {
  [`${INTENT}[description]`]: creates('Audiolibro', 'payment_intent.description'),
  [`${INTENT}[metadata]`]: creates({ order: '17' }, 'payment_intent.metadata'),
  [`${INTENT}[receipt_email]`]: creates('r@example.com', 'payment_intent.receipt_email'),
  [`${INTENT}[setup_future_usage]`]: all(
    creates('on_session', 'payment_intent.setup_future_usage'),
    refuses('sometimes'),
  ),
  [`${INTENT}[application_fee_amount]`]: all(
    withAccount((given) => creates(300, 'payment_intent.application_fee_amount', { given }), INTENT),
    withAccount((given) => refuses(2001, given), INTENT),
    refuses(300),
  ),
  [`${INTENT}[transfer_data][destination]`]: all(refuses('acct_nothing'), async (probe) =>
    creates(probe.world.account, 'payment_intent.transfer_data.destination')(probe),
  ),
  [`${INTENT}[transfer_data][amount]`]: withAccount(
    (given) => all(creates(900, 'payment_intent.transfer_data.amount', { given }), refuses(2001, given)),
    INTENT,
  ),
};

const given = SUBSCRIPTION;
const plans: Record<string, Effect> = {
  [`${PLAN}[trial_period_days]`]: (probe) =>
    creates(7, 'subscription.trial_end', { as: now(probe.world) + 7 * DAY, given })(probe),
  [`${PLAN}[trial_end]`]: (probe) => creates(now(probe.world) + 9 * DAY, 'subscription.trial_end', { given })(probe),
  [`${PLAN}[metadata]`]: creates({ order: '17' }, 'subscription.metadata', { given }),
  [`${PLAN}[description]`]: creates('Plan', 'subscription.description', { given }),
  [`${PLAN}[application_fee_percent]`]: all(
    withAccount((more) => creates(7.25, 'subscription.application_fee_percent', { given: more }), PLAN, given),
    withAccount((more) => refuses(7.255, more), PLAN, given),
    refuses(7.25, given),
  ),
  [`${PLAN}[transfer_data][destination]`]: all(refuses('acct_nothing', given), async (probe) =>
    creates(probe.world.account, 'subscription.transfer_data.destination', { given })(probe),
  ),
  [`${PLAN}[transfer_data][amount_percent]`]: withAccount(
    (more) => creates(80, 'subscription.transfer_data.amount_percent', { given: more }),
    PLAN,
    given,
  ),
  [`${PLAN}[trial_settings][end_behavior][missing_payment_method]`]: creates(
    'pause',
    'subscription.trial_settings.end_behavior.missing_payment_method',
    { given },
  ),
};

const sessions: RouteEffects = {
  base: () => ({
    path: '/v1/checkout/sessions',
    params: { mode: 'payment', success_url: 'https://a.example', line_items: [LINE] },
  }),
  effects: {
    ...lines,
    ...paid,
    ...plans,
    mode: all(refuses('gift'), shows('subscription', { with: SUBSCRIPTION })),
    customer: all(refuses('cus_nothing'), async ({ world, send }) =>
      expect(await send({ customer: world.customer })).toMatchObject({ customer: world.customer }),
    ),
    customer_email: shows('c@example.com'),
    customer_creation: creates('always', 'customer', { as: expect.stringMatching(/^cus_/) }),
    success_url: all(shows(EXAMPLE), refuses('nowhere')),
    cancel_url: all(shows(EXAMPLE), refuses('nowhere')),
    client_reference_id: shows('order-17'),
    metadata: METADATA,
    locale: all(shows('es'), refuses('xx')),
    currency: all(shows('usd', { with: { ...SETUP, currency: 'usd' } }), refuses('usd'), refuses('xyz')),
    'discounts[][coupon]': async ({ world, send }) =>
      expect(await send({ discounts: [{ coupon: world.coupon }] })).toMatchObject({ amount_total: 1800 }),
    'discounts[][promotion_code]': async ({ world, send }) =>
      expect(await send({ discounts: [{ promotion_code: world.promotion }] })).toMatchObject({ amount_total: 1800 }),
    allow_promotion_codes: async ({ world, send }) => {
      const session = await payPage(world, await send({ allow_promotion_codes: true }), { code: 'DIEZ' });
      expect(session).toMatchObject({ amount_total: 1800, status: 'complete' });
    },
    submit_type: all(shows('donate'), refuses('beg')),
    expires_at: all((probe) => shows(now(probe.world) + 3600)(probe), refuses(1)),
    allowed_payment_method_types: all(shows(['card']), async ({ name, send }) =>
      expect(send({ [name]: ['sepa_debit'] })).rejects.toMatchObject({ param: `${name}[0]` }),
    ),
    payment_method_collection: async ({ world, send }) => {
      const trial = { ...SUBSCRIPTION, subscription_data: { trial_period_days: 7 } };
      const { id, url } = await send({ ...trial, payment_method_collection: 'if_required' });
      const free = { step: 'pay', email: 'c@example.com', name: 'C' };
      await world.fetch(String(url), { method: 'POST', body: new URLSearchParams(free), redirect: 'manual' });
      expect(await world.stripe.checkout.sessions.retrieve(String(id))).toMatchObject({ status: 'complete' });
    },
    'setup_intent_data[metadata]': creates({ order: '17' }, 'setup_intent.metadata', { given: SETUP }),
    'setup_intent_data[description]': creates('Tarjeta', 'setup_intent.description', { given: SETUP }),
  },
};

/** Sends a preview with one item, which names the subscription's present one. */
async function previewItem({ world, prepare, send }: Probe, item: Body): Promise<Stripe.Invoice> {
  const call = await prepare();
  const { items } = await world.stripe.subscriptions.retrieve(String(call.params?.subscription));
  const subscription_details = { items: [{ id: items.data[0]!.id, ...item }], proration_behavior: 'always_invoice' };
  return (await send({ subscription_details }, call)) as unknown as Stripe.Invoice;
}

const ITEMS = 'subscription_details[items][]';
const ITEM_PRICE = `${ITEMS}[price_data]`;
const totals =
  (item: (world: World) => Body, total: number): Effect =>
  async (probe) =>
    expect((await previewItem(probe, item(probe.world))).total).toBe(total);
const terms = ({ product }: World, more: Body = {}) => ({
  price_data: { currency: 'eur', product, unit_amount: 3000, recurring: { interval: 'month' }, ...more },
});
const refused =
  (more: Body, param: string): Effect =>
  async (probe) =>
    expect(previewItem(probe, terms(probe.world, more))).rejects.toMatchObject({ param, statusCode: 400 });
const upcoming =
  (more: (world: World) => Params, total: number | null): Effect =>
  async ({ world, send }) => {
    if (total === null) await expect(send(more(world))).rejects.toMatchObject({ code: 'invoice_upcoming_none' });
    else expect(await send(more(world))).toMatchObject({ total });
  };

const preview: RouteEffects = {
  base: async (world) => ({
    path: '/v1/invoices/create_preview',
    params: { subscription: (await newSubscription(world)).id },
  }),
  effects: {
    customer: async (probe) => {
      await refuses(probe.world.customer)(probe);
      const { id, customer } = await newSubscription(probe.world);
      expect(await probe.send({ subscription: id, customer })).toMatchObject({ customer });
    },
    subscription: all(
      refuses('sub_nothing'),
      upcoming(() => ({}), 1000),
    ),
    [`${ITEMS}[id]`]: async (probe) =>
      expect(previewItem(probe, { id: 'si_nothing', price: probe.world.yearly })).rejects.toMatchObject({
        param: 'items[0][id]',
      }),
    [`${ITEMS}[price]`]: totals(({ yearly }) => ({ price: yearly }), 8000),
    [`${ITEMS}[quantity]`]: totals(({ price }) => ({ price, quantity: 3 }), 2000),
    [`${ITEMS}[deleted]`]: async ({ world, prepare, send }) => {
      const call = await prepare();
      const { items } = await world.stripe.subscriptions.retrieve(String(call.params?.subscription));
      const replaced = [{ id: items.data[0]!.id, deleted: true }, { price: world.yearly }];
      expect(await send({ subscription_details: { items: replaced } }, call)).toMatchObject({ total: 8000 });
    },
    [`${ITEM_PRICE}[currency]`]: refused({ currency: 'xyz' }, 'subscription_details[items][0][price_data][currency]'),
    [`${ITEM_PRICE}[product]`]: refused({ product: 'prod_nothing' }, 'product'),
    [`${ITEM_PRICE}[unit_amount]`]: totals((world) => terms(world), 2000),
    [`${ITEM_PRICE}[recurring][interval]`]: async (probe) => {
      const { lines } = await previewItem(probe, terms(probe.world, { recurring: { interval: 'year' } }));
      const { start, end } = lines.data.at(-1)!.period;
      expect(end - start).toBe(365 * DAY);
    },
    [`${ITEM_PRICE}[recurring][interval_count]`]: async (probe) => {
      const quarterly = { interval: 'month', interval_count: 3 };
      const { lines } = await previewItem(probe, terms(probe.world, { recurring: quarterly }));
      const { start, end } = lines.data.at(-1)!.period;
      expect(Math.round((end - start) / DAY / 30)).toBe(3);
    },
    'subscription_details[proration_behavior]': async ({ world, prepare, send }) => {
      const totalOf = async (proration_behavior: string) => {
        const call = await prepare();
        const { items } = await world.stripe.subscriptions.retrieve(String(call.params?.subscription));
        const item = { id: items.data[0]!.id, ...terms(world) };
        return (await send({ subscription_details: { items: [item], proration_behavior } }, call)).total;
      };
      // with `none`, the next renewal at the new price is all there is to see
      expect([await totalOf('always_invoice'), await totalOf('none')]).toEqual([2000, 3000]);
    },
    'subscription_details[proration_date]': async (probe) => {
      const at = now(probe.world) + 14 * DAY;
      const sendAt: Probe['send'] = (more = {}, call) => {
        const details = { ...(more.subscription_details as Body), proration_date: at };
        return probe.send({ subscription_details: details }, call);
      };
      expect((await previewItem({ ...probe, send: sendAt }, terms(probe.world))).total).toBe(1000);
    },
    'subscription_details[billing_cycle_anchor]': upcoming(
      () => ({ subscription_details: { billing_cycle_anchor: 'now', proration_behavior: 'always_invoice' } }),
      0,
    ),
    'subscription_details[trial_end]': upcoming(
      (world) => ({ subscription_details: { trial_end: now(world) + 9 * DAY } }),
      1000,
    ),
    'subscription_details[cancel_at_period_end]': upcoming(
      () => ({ subscription_details: { cancel_at_period_end: true } }),
      null,
    ),
    'subscription_details[cancel_at]': upcoming(
      (world) => ({ subscription_details: { cancel_at: now(world) + DAY } }),
      null,
    ),
  },
};

export const CHECKOUT_EFFECTS: Record<string, RouteEffects> = {
  'POST /v1/checkout/sessions': sessions,
  'POST /v1/checkout/sessions/:id': {
    base: async ({ stripe }) => {
      const terms = { mode: 'payment' as const, success_url: EXAMPLE, line_items: [LINE] };
      return { path: `/v1/checkout/sessions/${(await stripe.checkout.sessions.create(terms)).id}` };
    },
    effects: { metadata: METADATA },
  },
  'GET /v1/checkout/sessions': {
    base: () => ({ path: '/v1/checkout/sessions' }),
    effects: { customer: narrows(), status: narrows(), payment_intent: narrows(), subscription: narrows() },
  },
  'POST /v1/invoices/create_preview': preview,
};
