import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { beforeEach, expect, test } from 'vitest';
import { openStripeSandbox } from '../src/sandbox';
import { PAGES } from '../testing/open-test-sandbox';
import { isDeep } from './support/deep';
import { testSandbox } from './support/sandbox';

const MINUTE = 60_000;
/** Every five minutes during the short retries, then every hour until after the last retry, one day later. */
const RETRY_MINUTES = [
  ...Array.from({ length: 36 }, (_, i) => i * 5),
  ...Array.from({ length: 25 }, (_, i) => 180 + i * 60),
];
/** The factor by which each process runs longer than the previous one. */
const GROWTH = isDeep ? 1.05 : 1.6;
let logged: { level: string; object?: string }[] = [];
const keep = (level: string) => (facts: object) => void logged.push({ level, ...facts });
const log = { debug() {}, warn: keep('warn'), error: keep('error') };
const silent = { debug() {}, warn() {}, error() {} };
const { stripe, sandbox, clock, client, url } = await testSandbox({ log });

beforeEach(() => {
  logged = [];
});

/** A subscriber for 4.99 € a month from now on. */
async function newSubscriber(test_clock?: string) {
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
type TestSubscriber = Awaited<ReturnType<typeof newSubscriber>>;

/** The dates of a subscriber's invoices, oldest first. Expects all of them to be paid. */
async function invoiceDates({ customer }: TestSubscriber): Promise<string[]> {
  const { data } = await stripe.invoices.list({ customer, limit: 100 });
  expect(data.filter(({ status }) => status !== 'paid')).toEqual([]);
  const { data: charges } = await stripe.charges.list({ customer, limit: 100 });
  expect(charges).toHaveLength(data.length);
  return data.map(({ created }) => new Date(created * 1000).toISOString().slice(0, 10)).reverse();
}

async function advanceTo(to: string): Promise<void> {
  clock.now = new Date(to);
  await sandbox.tick();
}

/** Corrupts a stored object directly in the database. @returns a function that restores it */
async function corrupt(id: string, change: (object: Record<string, unknown>) => void) {
  const [{ text } = { text: '' }] = await client<{ text: string }[]>`
    select data::text as text from sandbox_stripe.objects where id = ${id}`;
  const object = JSON.parse(text);
  change(object);
  const write = (data: string) =>
    client`update sandbox_stripe.objects set data = ${data}::text::json where id = ${id}`.then(() => {});
  await write(JSON.stringify(object));
  return () => write(text);
}

const CORRUPTIONS: [string, (object: Record<string, unknown>) => void][] = [
  ['without items', (object) => Object.assign(object, { items: { data: [] } })],
  ['of an unknown customer', (object) => Object.assign(object, { customer: 'cus_unknown' })],
  ['that the database rejects', (object) => Object.assign(object, { billing_cycle_anchor: 1e20 })],
];

test.each(CORRUPTIONS)('a broken subscription %s does not block the others', async (_, change) => {
  clock.now = new Date('2026-01-31T10:00:00Z');
  const [first, broken, last] = [await newSubscriber(), await newSubscriber(), await newSubscriber()];
  const repair = await corrupt(broken.subscription, change);

  await advanceTo('2026-04-01T10:00:00Z');

  for (const subscriber of [first, last])
    expect(await invoiceDates(subscriber)).toEqual(['2026-01-31', '2026-02-28', '2026-03-31']);
  expect(await invoiceDates(broken)).toEqual(['2026-01-31']);
  expect(logged).toMatchObject([{ level: 'warn', object: broken.subscription }]);
  await repair();
  await stripe.subscriptions.cancel(broken.subscription);
});

test.each(CORRUPTIONS)('on a test clock, a broken subscription %s does not block the others', async (_, change) => {
  const moment = (text: string) => Date.parse(text) / 1000;
  const { id } = await stripe.testHelpers.testClocks.create({ frozen_time: moment('2026-01-31T10:00:00Z') });
  const [first, broken, last] = [await newSubscriber(id), await newSubscriber(id), await newSubscriber(id)];
  const repair = await corrupt(broken.subscription, change);

  const passed = await stripe.testHelpers.testClocks.advance(id, { frozen_time: moment('2026-04-01T10:00:00Z') });
  const duringFailure = [await invoiceDates(first), await invoiceDates(broken), await invoiceDates(last)];
  await repair();
  await stripe.testHelpers.testClocks.advance(id, { frozen_time: moment('2026-04-02T10:00:00Z') });

  const months = ['2026-01-31', '2026-02-28', '2026-03-31'];
  expect(passed).toMatchObject({ status: 'ready', frozen_time: moment('2026-04-01T10:00:00Z') });
  expect(duringFailure).toEqual([months, ['2026-01-31'], months]);
  expect(await invoiceDates(broken)).toEqual(months);
});

test('failed objects are retried with growing delays, then skipped, and continue where they stopped after a reset', async () => {
  clock.now = new Date('2026-06-01T10:00:00Z');
  const subscriber = await newSubscriber();
  const repair = await corrupt(subscriber.subscription, (object) => Object.assign(object, { customer: 'cus_unknown' }));
  const start = Date.parse('2026-07-01T10:00:00Z');

  for (const minute of RETRY_MINUTES) await advanceTo(new Date(start + minute * MINUTE).toISOString());
  const failures = logged.map(({ level }) => level);
  await repair();
  await advanceTo('2026-09-02T10:00:00Z');
  const untouched = await invoiceDates(subscriber);
  await sandbox.tick({ retry: true });

  expect(failures).toEqual(['warn', 'warn', 'warn', 'warn', 'error']);
  expect(untouched).toEqual(['2026-06-01']);
  expect(await invoiceDates(subscriber)).toEqual(['2026-06-01', '2026-07-01', '2026-08-01', '2026-09-01']);
});

test('changing a skipped object makes it due again', async () => {
  clock.now = new Date('2026-10-01T10:00:00Z');
  const subscriber = await newSubscriber();
  const repair = await corrupt(subscriber.subscription, (object) => Object.assign(object, { customer: 'cus_unknown' }));
  for (let day = 1; day < 9; day += 1) await advanceTo(`2026-11-0${day}T12:00:00Z`);
  await repair();
  await advanceTo('2026-11-20T12:00:00Z');
  const before = await invoiceDates(subscriber);

  await stripe.subscriptions.update(subscriber.subscription, { metadata: { changed: 'yes' } });
  await sandbox.tick();

  expect(before).toEqual(['2026-10-01']);
  expect(await invoiceDates(subscriber)).toEqual(['2026-10-01', '2026-11-01']);
});

test('two processes that tick at once process each object once', async () => {
  clock.now = new Date('2026-12-01T10:00:00Z');
  const subscribers = [await newSubscriber(), await newSubscriber(), await newSubscriber()];
  const { sandbox: other } = await testSandbox({ url, log, now: () => clock.now });
  clock.now = new Date('2027-01-20T10:00:00Z');

  const done = await Promise.all([sandbox.tick(), other.tick(), sandbox.tick(), other.tick()]);

  for (const subscriber of subscribers) expect(await invoiceDates(subscriber)).toEqual(['2026-12-01', '2027-01-01']);
  expect(done.reduce((all, count) => all + count, 0)).toBeGreaterThanOrEqual(6);
});

/** Simulates a process whose connections break after some time. @returns whether its tick finished before */
async function tickFor(ms: number): Promise<boolean> {
  const own = postgres(url, { max: 2, onnotice: () => {} });
  const options = { client: own, log: silent, baseUrl: PAGES, now: () => clock.now, autorun: false };
  const other = await openStripeSandbox(options);
  const tick = other.tick().then(
    () => true,
    () => false,
  );
  await sleep(ms);
  await own.end({ timeout: 0 });
  return tick;
}

test('a process that dies during a tick leaves no half-processed object', async () => {
  clock.now = new Date('2027-01-31T10:00:00Z');
  const subscribers: TestSubscriber[] = [];
  for (let i = 0; i < 6; i += 1) subscribers.push(await newSubscriber());
  await stripe.webhookEndpoints.create({ url: 'http://elsewhere.localhost/', enabled_events: ['invoice.paid'] });
  clock.now = new Date('2027-08-01T00:00:00Z');
  let deaths = 0;

  while (!(await tickFor(2 * GROWTH ** deaths))) deaths += 1;

  const months = ['01-31', '02-28', '03-31', '04-30', '05-31', '06-30', '07-31'].map((day) => `2027-${day}`);
  expect(deaths).toBeGreaterThan(3);
  for (const subscriber of subscribers) expect(await invoiceDates(subscriber)).toEqual(months);
  const delivered = await client<{ invoice: string }[]>`
    select e.data->'data'->'object'->>'id' as invoice
    from sandbox_stripe.deliveries d join sandbox_stripe.objects e on e.id = d.event
    where e.data->'data'->'object'->>'customer' = any(${subscribers.map(({ customer }) => customer)}) order by d.number`;
  expect(new Set(delivered.map(({ invoice }) => invoice)).size).toBe(6 * subscribers.length);
  expect(delivered).toHaveLength(6 * subscribers.length);
});
