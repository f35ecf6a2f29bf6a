import { and, eq, gt, max } from 'drizzle-orm';
import Stripe from 'stripe';
import { beforeEach, expect, test } from 'vitest';
import { operatorActions } from '~/db/schema/operators';
import { HANDLED_EVENTS } from '~/server/adapters/payments/webhooks';
import { examineInstallation } from '~/server/admin/doctor-commands';
import type { Finding } from '~/server/admin/finding';
import { realOutside } from '~/server/admin/outside';
import { stripeCommands } from '~/server/admin/stripe-commands';
import { DAYS, later } from '~/server/base/time';
import { parseEnv } from '~/server/env/read';
import { shop } from '../support/shop';

const { runtime, ctx, stripe, sandbox, payments, clock, env, client } = await shop();
const SECRETS = { STRIPE_SECRET_KEY: 'sk_test_sandbox', STRIPE_WEBHOOK_SECRETS: 'whsec_1, whsec_2' };
const settings = parseEnv({ ...SECRETS, APP_URL: env.urls.appUrl });
const admin = { ctx, env: settings, operator: { name: 'olga' } };

const setUp = async (options = {}) => (await stripeCommands.setup!.run(admin, [], options)) as Finding[];
const endpoints = async () => (await stripe.webhookEndpoints.list({ limit: 100 })).data;
const marked = async () => (await endpoints()).filter(({ metadata }) => metadata.altavoz_events);
const about = (findings: { check: unknown; state: unknown; message: unknown }[], state: string, check: string) =>
  findings
    .filter((finding) => finding.state === state && finding.check === check)
    .map(({ message }) => String(message));

let before = 0;
/** The recorded steps of this test. */
const recorded = async () => {
  const rows = await runtime.db
    .select({ details: operatorActions.details })
    .from(operatorActions)
    .where(and(eq(operatorActions.action, 'stripe.set_up'), gt(operatorActions.id, before)))
    .orderBy(operatorActions.id);
  return rows.map(({ details }) => details.endpoint);
};

beforeEach(async () => {
  const [last] = await runtime.db.select({ id: max(operatorActions.id) }).from(operatorActions);
  before = last?.id ?? 0;
  for (const { id } of await endpoints()) await stripe.webhookEndpoints.del(id);
});

test('setup creates both endpoints with exactly the handled events and our version, and shows their secrets once', async () => {
  const first = await setUp();

  const made = (await marked()).toSorted((a, b) => a.enabled_events.length - b.enabled_events.length);
  const isOwn = (type: string) => !type.startsWith('account.');
  expect(made).toMatchObject([
    { api_version: Stripe.API_VERSION, status: 'enabled', url: `${env.urls.appUrl}/webhooks/stripe` },
    { api_version: Stripe.API_VERSION, status: 'enabled', url: `${env.urls.appUrl}/webhooks/stripe` },
  ]);
  expect(made.map(({ enabled_events }) => enabled_events.toSorted())).toEqual([
    HANDLED_EVENTS.filter(isOwn).toSorted(),
    [...HANDLED_EVENTS].sort(),
  ]);
  expect(about(first, 'created', 'webhooks')).toEqual([
    expect.stringMatching(/own accounts: add whsec_\w+ to STRIPE_WEBHOOK_SECRETS/),
    expect.stringMatching(/connected accounts: add whsec_\w+ to STRIPE_WEBHOOK_SECRETS/),
  ]);

  const second = await setUp();

  expect(JSON.stringify(second)).not.toContain('whsec_');
  expect(await marked()).toHaveLength(2);
  expect(about(second, 'ok', 'webhooks')).toHaveLength(2);
  expect(await recorded()).toEqual(['created', 'created']);
});

test('a setup that is interrupted shows and records the endpoint that it has created', async () => {
  const { createEndpoint } = ctx.ports.payments.setup;
  const calls: string[] = [];
  ctx.ports.payments.setup.createEndpoint = async (input) => {
    calls.push(input.events);
    if (calls.length > 1) throw new Error('the provider is away');
    return createEndpoint(input);
  };

  const first = await setUp();
  expect(await recorded()).toEqual(['created']);
  ctx.ports.payments.setup.createEndpoint = createEndpoint;
  const second = await setUp();

  expect(about(first, 'created', 'webhooks')).toEqual([expect.stringMatching(/own accounts: add whsec_\w+/)]);
  expect(about(first, 'problem', 'webhooks')).toEqual([expect.stringContaining('the provider is away')]);
  expect(about(second, 'created', 'webhooks')).toEqual([expect.stringMatching(/connected accounts: add whsec_\w+/)]);
});

test('the endpoint for connected accounts gets their events, the other one ours', async () => {
  await setUp();
  const { id: stripeAccount } = await stripe.accounts.create({ type: 'standard', country: 'ES' });
  const { id: customer } = await stripe.customers.create({}, { stripeAccount });
  await stripe.paymentMethods.attach('pm_card_visa', { customer }, { stripeAccount });

  const rows = await client`
    select o.data->'metadata'->>'altavoz_events' as events, e.data->>'type' as type
    from sandbox_stripe.deliveries d
    join sandbox_stripe.objects o on o.id = d.endpoint
    join sandbox_stripe.objects e on e.id = d.event and e.account = d.account
    where d.account = ${stripeAccount} order by d.number`;

  expect(rows).toEqual([{ events: 'connected', type: 'payment_method.attached' }]);
});

test('setup repairs an endpoint that was disabled or has other events, and shows no secret', async () => {
  await setUp();
  const [endpoint] = await marked();
  await stripe.webhookEndpoints.update(endpoint!.id, { disabled: true, enabled_events: ['invoice.paid'] });

  const found = await setUp();

  expect(about(found, 'updated', 'webhooks')).toEqual([`${endpoint!.id} (types, disabled)`]);
  expect(await stripe.webhookEndpoints.retrieve(endpoint!.id)).toMatchObject({
    ...{ status: 'enabled', enabled_events: endpoint!.enabled_events },
  });
  expect(JSON.stringify(found)).not.toContain('whsec_');
});

test('the endpoints of another installation in the same account stay as they are', async () => {
  const staging = { ...admin, env: parseEnv({ ...SECRETS, APP_URL: 'https://staging.example' }) };
  await stripeCommands.setup!.run(staging, [], {});
  const others = await marked();

  const found = await setUp({ 'remove-old': 'yes' });

  expect(about(found, 'created', 'webhooks')).toHaveLength(2);
  const after = await marked();
  expect(after).toHaveLength(4);
  expect(after).toEqual(expect.arrayContaining(others));
  expect(about(found, 'manual', 'webhooks')).toEqual([
    expect.stringContaining('https://staging.example/webhooks/stripe'),
    expect.stringContaining('https://staging.example/webhooks/stripe'),
  ]);
});

test('an installation that has moved takes its endpoints along, by request', async () => {
  const former = { ...admin, env: parseEnv({ ...SECRETS, APP_URL: 'https://former.example' }) };
  await stripeCommands.setup!.run(former, [], {});

  const found = await setUp({ 'moved-from': 'https://former.example/' });

  expect(about(found, 'updated', 'webhooks')).toEqual([
    expect.stringMatching(/ \(url\)$/),
    expect.stringMatching(/ \(url\)$/),
  ]);
  expect((await marked()).map(({ url }) => url)).toEqual(Array(2).fill(`${env.urls.appUrl}/webhooks/stripe`));
  await expect(setUp({ 'moved-from': 'former' })).rejects.toThrow('--moved-from needs');
});

test('an endpoint with another version keeps working beside its successor until it is removed by request', async () => {
  const old = await stripe.webhookEndpoints.create({
    url: `${env.urls.appUrl}/webhooks/stripe`,
    enabled_events: ['*'],
    metadata: { altavoz_events: 'own' },
  });

  const found = await setUp({ 'remove-old': 'yes' });
  const both = (await marked()).filter(({ metadata }) => metadata.altavoz_events === 'own');
  const unset = {
    ...admin,
    env: parseEnv({ ...SECRETS, APP_URL: env.urls.appUrl, STRIPE_WEBHOOK_SECRETS: 'whsec_1' }),
  };
  const tooEarly = (await stripeCommands.setup!.run(unset, [], { 'remove-old': 'yes' })) as Finding[];
  const removal = await setUp({ 'remove-old': 'yes' });

  expect(about(found, 'created', 'webhooks')).toHaveLength(2);
  expect(about(found, 'warning', 'webhooks')).toEqual([
    expect.stringContaining(`${old.id} is not removed: set the new secret`),
    expect.stringContaining(`${old.id} has another version`),
  ]);
  expect(about(tooEarly, 'removed', 'webhooks')).toEqual([]);
  expect(both).toHaveLength(2);
  expect(about(removal, 'removed', 'webhooks')).toEqual([old.id]);
  expect((await marked()).map(({ api_version }) => api_version)).toEqual([Stripe.API_VERSION, Stripe.API_VERSION]);
});

const CHECKS = 'stripe webhooks payouts statement currencies tax overdue emails connect'.split(' ');

/** The doctor with the sandbox in Stripe's place. */
async function diagnose(more = {}): Promise<Finding[]> {
  const outside = { ...realOutside, payments: () => payments, now: () => clock.now };
  const found = await examineInstallation(parseEnv({ ...SECRETS, APP_URL: env.urls.appUrl, ...more }), outside);
  return found.filter(({ check }) => CHECKS.includes(check));
}

test('the doctor names missing endpoints and secrets, and an endpoint made by hand, and changes nothing', async () => {
  const byHand = await stripe.webhookEndpoints.create({
    url: `${env.urls.appUrl}/webhooks/stripe`,
    enabled_events: ['*'],
  });
  const found = await diagnose({ STRIPE_WEBHOOK_SECRETS: 'whsec_1' });

  expect(about(found, 'problem', 'webhooks')).toEqual([
    expect.stringContaining('events of own accounts: there is no endpoint'),
    expect.stringContaining('events of connected accounts: there is no endpoint'),
    expect.stringContaining('has 1 of 2 secrets'),
  ]);
  expect(about(found, 'warning', 'webhooks')).toEqual([expect.stringContaining(byHand.id)]);
  expect((await endpoints()).map(({ id }) => id)).toEqual([byHand.id]);
});

test('a healthy account leaves only what the API does not show', async () => {
  await setUp();
  await stripe.balanceSettings.update({ payments: { payouts: { schedule: { interval: 'daily' } } } });

  const found = await diagnose();

  expect(found.filter(({ state }) => state === 'problem' || state === 'warning')).toEqual([]);
  expect(found.filter(({ state }) => state === 'manual').map(({ check }) => check)).toEqual([
    'currencies',
    'overdue',
    'emails',
    'connect',
  ]);
});

test('an account that is not ready is a problem for each reason', async () => {
  await setUp();
  await stripe.balanceSettings.update({ payments: { payouts: { schedule: { interval: 'manual' } } } });
  await sandbox.setOwnAccount({
    chargesEnabled: false,
    payoutsEnabled: false,
    statementPrefix: null,
    isTaxActive: true,
  });

  const found = await diagnose();

  expect(found.filter(({ state }) => state === 'problem').map(({ check }) => check)).toEqual([
    'stripe',
    'payouts',
    'statement',
  ]);
  expect(found.filter(({ state }) => state === 'warning').map(({ check }) => check)).toEqual(['payouts', 'tax']);
});

test('subscriptions that Stripe ended or left unpaid after failed retries show the wrong setting', async () => {
  const fail = async (end: 'cancel' | 'unpaid') => {
    await sandbox.setDunning({ finally: end });
    const { id: customer } = await stripe.customers.create({});
    const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
    const { id: product } = await stripe.products.create({ name: 'Olas' });
    const price_data = { currency: 'eur', product, unit_amount: 500, recurring: { interval: 'month' as const } };
    const items = [{ price_data }];
    const { id } = await stripe.subscriptions.create({ customer, items, default_payment_method: card });
    const bad = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer });
    await stripe.subscriptions.update(id, { default_payment_method: bad.id });
    for (const days of [32, 2, 2, 2, 2]) {
      clock.now = later(clock.now, DAYS(days));
      await sandbox.tick();
    }
    return about(await diagnose(), 'problem', 'overdue');
  };

  expect(await fail('cancel')).toEqual([expect.stringContaining('Stripe ends subscriptions after failed retries')]);
  expect(await fail('unpaid')).toContainEqual(expect.stringContaining('marks subscriptions unpaid'));
});

test('without a key of Stripe there is nothing to set up', async () => {
  const without = { ...admin, env: parseEnv({}) };

  await expect(stripeCommands.setup!.run(without, [], {})).rejects.toThrow('STRIPE_SECRET_KEY is not set');
});
