import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { beforeEach, expect, test } from 'vitest';
import { createLog } from '~/server/log';
import { openStripeSandbox } from '~/server/sandbox/stripe/sandbox';
import { PAGES, testStripe } from '../../support/stripe-sandbox';

const MINUTE = 60_000;
let logged: { level: string; msg: string; object?: string }[] = [];
const log = createLog('warn', { write: (line) => void logged.push(JSON.parse(line)) });
const { stripe, sandbox, clock, client, url } = await testStripe({ log });

beforeEach(() => {
  logged = [];
});

/** A listener of 4.99 € a month since the clock's present moment. */
async function listener(test_clock?: string) {
  const customer = await stripe.customers.create({ test_clock });
  const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
  const product = await stripe.products.create({ name: 'Ruido' });
  const price_data = {
    currency: 'eur',
    unit_amount: 499,
    product: product.id,
    recurring: { interval: 'month' as const },
  };
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price_data }],
    default_payment_method: method.id,
  });
  return { customer: customer.id, subscription: subscription.id };
}
type Listener = Awaited<ReturnType<typeof listener>>;

/** When each of a listener's invoices was made, oldest first; every one of them is paid. */
async function billed({ customer }: Listener): Promise<string[]> {
  const { data } = await stripe.invoices.list({ customer, limit: 100 });
  expect(data.filter(({ status }) => status !== 'paid')).toEqual([]);
  const { data: charges } = await stripe.charges.list({ customer, limit: 100 });
  expect(charges).toHaveLength(data.length);
  return data.map(({ created }) => new Date(created * 1000).toISOString().slice(0, 10)).reverse();
}

async function pass(to: string): Promise<void> {
  clock.now = new Date(to);
  await sandbox.tick();
}

/** Breaks an object behind the sandbox's back. @returns what mends it */
async function spoil(id: string, change: (object: Record<string, unknown>) => void) {
  const [{ text } = { text: '' }] = await client<{ text: string }[]>`
    select data::text as text from sandbox_stripe.objects where id = ${id}`;
  const object = JSON.parse(text);
  change(object);
  const write = (data: string) =>
    client`update sandbox_stripe.objects set data = ${data}::text::json where id = ${id}`.then(() => {});
  await write(JSON.stringify(object));
  return () => write(text);
}

const BREAKS: [string, (object: Record<string, unknown>) => void][] = [
  ['that knows no items', (object) => Object.assign(object, { items: { data: [] } })],
  ['of nobody', (object) => Object.assign(object, { customer: 'cus_nobody' })],
  ['that the database refuses', (object) => Object.assign(object, { billing_cycle_anchor: 1e20 })],
];

test.each(BREAKS)('a subscription %s keeps none of the others waiting', async (_, change) => {
  clock.now = new Date('2026-01-31T10:00:00Z');
  const [first, broken, last] = [await listener(), await listener(), await listener()];
  const mend = await spoil(broken.subscription, change);

  await pass('2026-04-01T10:00:00Z');

  for (const one of [first, last]) expect(await billed(one)).toEqual(['2026-01-31', '2026-02-28', '2026-03-31']);
  expect(await billed(broken)).toEqual(['2026-01-31']);
  expect(logged).toMatchObject([{ level: 'warn', object: broken.subscription }]);
  await mend();
  await stripe.subscriptions.cancel(broken.subscription);
});

test.each(BREAKS)('on a test clock a subscription %s keeps none of the others waiting', async (_, change) => {
  const moment = (text: string) => Date.parse(text) / 1000;
  const { id } = await stripe.testHelpers.testClocks.create({ frozen_time: moment('2026-01-31T10:00:00Z') });
  const [first, broken, last] = [await listener(id), await listener(id), await listener(id)];
  const mend = await spoil(broken.subscription, change);

  const passed = await stripe.testHelpers.testClocks.advance(id, { frozen_time: moment('2026-04-01T10:00:00Z') });
  const while_ = [await billed(first), await billed(broken), await billed(last)];
  await mend();
  await stripe.testHelpers.testClocks.advance(id, { frozen_time: moment('2026-04-02T10:00:00Z') });

  const months = ['2026-01-31', '2026-02-28', '2026-03-31'];
  expect(passed).toMatchObject({ status: 'ready', frozen_time: moment('2026-04-01T10:00:00Z') });
  expect(while_).toEqual([months, ['2026-01-31'], months]);
  expect(await billed(broken)).toEqual(months);
});

test('what failed is tried again ever later, then given up, and goes on from where it stood when it is taken up', async () => {
  clock.now = new Date('2026-06-01T10:00:00Z');
  const one = await listener();
  const mend = await spoil(one.subscription, (object) => Object.assign(object, { customer: 'cus_nobody' }));
  const begin = Date.parse('2026-07-01T10:00:00Z');

  for (let minute = 0; minute <= 27 * 60; minute += 5) await pass(new Date(begin + minute * MINUTE).toISOString());
  const failures = logged.map(({ level }) => level);
  await mend();
  await pass('2026-09-02T10:00:00Z');
  const untouched = await billed(one);
  await sandbox.tick({ retry: true });

  expect(failures).toEqual(['warn', 'warn', 'warn', 'warn', 'error']);
  expect(untouched).toEqual(['2026-06-01']);
  expect(await billed(one)).toEqual(['2026-06-01', '2026-07-01', '2026-08-01', '2026-09-01']);
});

test('a change of what was given up takes it up', async () => {
  clock.now = new Date('2026-10-01T10:00:00Z');
  const one = await listener();
  const mend = await spoil(one.subscription, (object) => Object.assign(object, { customer: 'cus_nobody' }));
  for (let day = 1; day < 9; day += 1) await pass(`2026-11-0${day}T12:00:00Z`);
  await mend();
  await pass('2026-11-20T12:00:00Z');
  const before = await billed(one);

  await stripe.subscriptions.update(one.subscription, { metadata: { mended: 'yes' } });
  await sandbox.tick();

  expect(before).toEqual(['2026-10-01']);
  expect(await billed(one)).toEqual(['2026-10-01', '2026-11-01']);
});

test('two processes that let time pass at once do each thing once', async () => {
  clock.now = new Date('2026-12-01T10:00:00Z');
  const listeners = [await listener(), await listener(), await listener()];
  const other = await openStripeSandbox({ client, log, baseUrl: PAGES, now: () => clock.now, autorun: false });
  clock.now = new Date('2027-01-20T10:00:00Z');

  const done = await Promise.all([sandbox.tick(), other.tick(), sandbox.tick(), other.tick()]);

  for (const one of listeners) expect(await billed(one)).toEqual(['2026-12-01', '2027-01-01']);
  expect(done.reduce((all, count) => all + count, 0)).toBeGreaterThanOrEqual(6);
});

/** Another process: its connections break off after a while, and with them it is gone. @returns whether it had finished */
async function livesFor(ms: number): Promise<boolean> {
  const own = postgres(url, { max: 2, onnotice: () => {} });
  const options = { client: own, log: createLog('silent'), baseUrl: PAGES, now: () => clock.now, autorun: false };
  const other = await openStripeSandbox(options);
  const tick = other.tick().then(
    () => true,
    () => false,
  );
  await sleep(ms);
  await own.end({ timeout: 0 });
  return tick;
}

test('a process that dies while time passes has done each thing whole or not at all', { timeout: 60_000 }, async () => {
  clock.now = new Date('2027-01-31T10:00:00Z');
  const listeners: Listener[] = [];
  for (let i = 0; i < 6; i += 1) listeners.push(await listener());
  await stripe.webhookEndpoints.create({ url: 'http://elsewhere.localhost/', enabled_events: ['invoice.paid'] });
  clock.now = new Date('2027-08-01T00:00:00Z');
  let deaths = 0;

  while (!(await livesFor(2 + deaths * 10))) deaths += 1;

  const months = ['01-31', '02-28', '03-31', '04-30', '05-31', '06-30', '07-31'].map((day) => `2027-${day}`);
  expect(deaths).toBeGreaterThan(3);
  for (const one of listeners) expect(await billed(one)).toEqual(months);
  const told = await client<{ invoice: string }[]>`
    select e.data->'data'->'object'->>'id' as invoice
    from sandbox_stripe.deliveries d join sandbox_stripe.objects e on e.id = d.event
    where e.data->'data'->'object'->>'customer' = any(${listeners.map(({ customer }) => customer)})`;
  expect(new Set(told.map(({ invoice }) => invoice)).size).toBe(6 * listeners.length);
  expect(told).toHaveLength(6 * listeners.length);
});
