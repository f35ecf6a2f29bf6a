import { expect, test } from 'vitest';
import { RESOURCES } from '../src/resources';
import { isDeep } from './support/deep';
import { type Body, callRoute, type Effect, makeWorld, type Probe, shows, type World } from './support/effects';
import { BILLING_EFFECTS } from './support/effects-billing';
import { CATALOG_EFFECTS } from './support/effects-catalog';
import { CHECKOUT_EFFECTS } from './support/effects-checkout';
import { CONNECT_EFFECTS } from './support/effects-connect';
import { MONEY_EFFECTS } from './support/effects-money';
import { PREVIEW_EFFECTS } from './support/effects-preview';
import { SUBSCRIPTION_EFFECTS } from './support/effects-subscriptions';
import { sampleObjects } from './support/sample-objects';
import { testSandbox } from './support/sandbox';

const EFFECTS = {
  ...MONEY_EFFECTS,
  ...CONNECT_EFFECTS,
  ...CATALOG_EFFECTS,
  ...BILLING_EFFECTS,
  ...SUBSCRIPTION_EFFECTS,
  ...PREVIEW_EFFECTS,
  ...CHECKOUT_EFFECTS,
};
const opened = await testSandbox();
await sampleObjects(opened);
const world = await makeWorld(opened);

/** Paging, times and `expand` are the same for every route, and have their own tests below. */
const COMMON = /^(?:expand|limit|starting_after|ending_before|created(?:\[\w+\])?)$/;
const accepted = RESOURCES.flatMap(({ method, path, parameters }) =>
  parameters.filter((name) => !COMMON.test(name)).map((name) => ({ route: `${method} ${path}`, name })),
);

function effectOf(route: string, name: string): Effect | undefined {
  const known = EFFECTS[route]?.effects[name];
  return known ?? (name.startsWith('evidence[') ? shows('An explanation') : undefined);
}

function probeOf(route: string, parameter: string): Probe {
  const entry = EFFECTS[route]!;
  const prepare = async () => entry.base(world);
  return {
    world,
    name: parameter.replaceAll('[]', '[0]'),
    prepare,
    async send(more, prepared) {
      const call = prepared ?? (await prepare());
      return callRoute(world, route.split(' ')[0]!, { ...call, params: { ...call.params, ...more } });
    },
  };
}

/** The sandbox is finished software: a normal run checks a quarter of its routes' parameters. */
const asked = isDeep ? accepted : accepted.filter((_, at) => at % 4 === 0);

test.each(asked)('$route shows the effect of $name, or rejects it by name', async ({ route, name }) => {
  const effect = effectOf(route, name);
  if (!effect) throw new Error(`${route} accepts ${name}, and no effect of it is shown`);

  await effect(probeOf(route, name));
});

test('every effect belongs to a parameter that is accepted', () => {
  const known = new Set(accepted.map(({ route, name }) => `${route} ${name}`));
  const shown = Object.entries(EFFECTS).flatMap(([route, { effects }]) =>
    Object.keys(effects).map((name) => `${route} ${name}`),
  );

  expect(known.size).toBeGreaterThan(300);
  expect(shown.filter((one) => !known.has(one))).toEqual([]);
});

test.each([
  ['POST /v1/customers', 'shipping[name]'],
  ['POST /v1/accounts', 'controller[fees][payer]'],
  ['POST /v1/payment_intents', 'on_behalf_of'],
  ['POST /v1/checkout/sessions', 'custom_text[submit][message]'],
  ['POST /v1/subscriptions/:id', 'payment_settings[payment_method_options][card][request_three_d_secure]'],
])('%s rejects %s, which Stripe knows and the sandbox does not support, by name', async (route, name) => {
  const [group = ''] = name.split('[');

  const attempt = probeOf(route, name).send({ [name]: 'x' });

  await expect(attempt).rejects.toMatchObject({
    code: 'parameter_unknown',
    param: expect.stringContaining(group),
    message: expect.stringContaining('This sandbox does not support it'),
  });
});

/** Routes that return a list, with the ids of objects whose lists are not empty. */
const lists = RESOURCES.filter(({ parameters }) => parameters.includes('limit')).map(({ path, parameters }) => ({
  path,
  parameters,
}));

async function fill(at: World, path: string): Promise<string> {
  // the charge of a transfer, `py_…`, belongs to another account
  const first = async (kind: string, containing: string) => {
    const [row] = await at.client<{ id: string }[]>`
      select id from sandbox_stripe.objects where kind = ${kind} and data::text like ${`%${containing}%`}
        and id not like 'py\\_%' order by id limit 1`;
    return row!.id;
  };
  const owner = /^\/v1\/([\w/]+)\/:\w+/.exec(path)?.[1] ?? '';
  const found: Record<string, () => Promise<string> | string> = {
    customers: () => at.customer,
    charges: () => first('charge', '"amount_refunded":500'),
    transfers: () => first('transfer', '"transfer_reversal"'),
    application_fees: () => first('application_fee', '"fee_refund"'),
    accounts: () => at.account,
    invoices: () => first('invoice', '"line_item"'),
    'checkout/sessions': () => first('checkout.session', '"payment"'),
  };
  const id = await found[owner]?.();
  return path.replace(/:\w+/, id ?? '');
}

type Listed = { data: { id: string; created?: number }[]; has_more: boolean; url: string };

test.each(lists)('$path pages in both directions and expands only what exists', async ({ path, parameters }) => {
  const url = await fill(world, path);
  const needed: Body = {
    ...(path === '/v1/payment_methods' && { customer: world.customer }),
    ...(path === '/v1/subscription_items' && {
      subscription: (await world.stripe.subscriptions.list({ status: 'all', limit: 1 })).data[0]!.id,
    }),
  };
  const list = async (params: Body) =>
    (await callRoute(world, 'GET', { path: url, params: { ...needed, ...params } })) as unknown as Listed;
  const { data: all } = await list({ limit: 100 });
  const [first, second] = all;

  const one = await list({ limit: 1 });

  expect(one).toMatchObject({ data: first ? [{ id: first.id }] : [], has_more: all.length > 1, url });
  if (!first) return;
  expect((await list({ starting_after: first.id, limit: 1 })).data.map(({ id }) => id)).toEqual(
    second ? [second.id] : [],
  );
  if (second) expect((await list({ ending_before: second.id, limit: 1 })).data[0]!.id).toBe(first.id);
  await expect(list({ starting_after: 'x_nothing' })).rejects.toMatchObject({
    param: 'starting_after',
    statusCode: 400,
  });
  await expect(list({ ending_before: 'x_nothing' })).rejects.toMatchObject({ param: 'ending_before', statusCode: 400 });
  await expect(list({ 'expand[0]': 'data.nonsense' })).rejects.toMatchObject({ param: 'expand' });
  if (parameters.includes('created')) await expectTimes(list, first.created ?? 0);
});

async function expectTimes(list: (params: Body) => Promise<Listed>, created: number) {
  const within = async (params: Body) =>
    (await list({ limit: 100, ...params })).data.some((object) => (object.created ?? 0) === created);
  const found = {
    equal: await within({ created }),
    gt: await within({ 'created[gt]': created }),
    gte: await within({ 'created[gte]': created }),
    lt: await within({ 'created[lt]': created }),
    lte: await within({ 'created[lte]': created }),
  };
  expect(found).toEqual({ equal: true, gt: false, gte: true, lt: false, lte: true });
}
