import { expect } from 'vitest';
import {
  all,
  type Body,
  DAY,
  type Effect,
  EXAMPLE,
  METADATA,
  narrows,
  now,
  type Params,
  payPage,
  type RouteEffects,
  refuses,
  shows,
} from './effects';

const LINE = { price_data: { currency: 'eur', unit_amount: 2000, product_data: { name: 'x' } }, quantity: 1 };
const MONTHLY = { ...LINE, price_data: { ...LINE.price_data, recurring: { interval: 'month' } } };
const SUBSCRIPTION: Params = { mode: 'subscription', line_items: [MONTHLY] };
const SETUP: Params = { mode: 'setup', line_items: undefined, currency: 'eur' };

/** The line item of a session after a change of its terms. */
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
  [`${INTENT}[statement_descriptor_suffix]`]: creates('LUCIA', 'payment_intent.statement_descriptor_suffix'),
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

const INVOICE = 'invoice_creation';
const invoiced =
  (value: unknown, at: string): Effect =>
  async ({ world, name, send }) => {
    const { invoice } = await payPage(world, await send({ [`${INVOICE}[enabled]`]: true, [name]: value }));
    expect(await world.stripe.invoices.retrieve(String(invoice))).toHaveProperty(at, value);
  };
const field =
  (part: 'name' | 'value', longest: number): Effect =>
  async ({ name, ...probe }) => {
    const fields = (text: string) => [{ name: 'Sold by', value: 'Lucía', [part]: text }];
    const list = `${INVOICE}[invoice_data][custom_fields]`;
    await invoiced(fields('X'), 'custom_fields')({ ...probe, name: list });
    const long = probe.send({ [`${INVOICE}[enabled]`]: true, [list]: fields('x'.repeat(longest + 1)) });
    await expect(long).rejects.toMatchObject({ param: name, statusCode: 400 });
  };

const invoices: Record<string, Effect> = {
  [`${INVOICE}[enabled]`]: all(
    creates(true, 'invoice', { as: expect.stringMatching(/^in_/) }),
    async ({ name, send }) =>
      expect(send({ ...SUBSCRIPTION, [name]: true })).rejects.toMatchObject({ param: INVOICE, statusCode: 400 }),
  ),
  [`${INVOICE}[invoice_data][custom_fields][][name]`]: field('name', 40),
  [`${INVOICE}[invoice_data][custom_fields][][value]`]: field('value', 140),
  [`${INVOICE}[invoice_data][description]`]: invoiced('Audiolibro', 'description'),
  [`${INVOICE}[invoice_data][footer]`]: invoiced('Gracias', 'footer'),
  [`${INVOICE}[invoice_data][metadata]`]: invoiced({ order: '17' }, 'metadata'),
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
    ...invoices,
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
    billing_address_collection: all(shows('auto'), refuses('sometimes')),
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
    'saved_payment_method_options[allow_redisplay_filters]': all(shows(['always', 'limited']), async ({ name, send }) =>
      expect(send({ [name]: ['never'] })).rejects.toMatchObject({ param: `${name}[0]` }),
    ),
    'setup_intent_data[metadata]': creates({ order: '17' }, 'setup_intent.metadata', { given: SETUP }),
    'setup_intent_data[description]': creates('Tarjeta', 'setup_intent.description', { given: SETUP }),
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
};
