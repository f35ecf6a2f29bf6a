import Stripe from 'stripe';
import { afterEach, expect, test } from 'vitest';
import { NO_LIMITS } from '../src/api/limits';
import { holdWrites } from '../testing/hold-writes';
import { testSandbox } from './support/sandbox';

let milliseconds = 0;
const { sandbox, stripe, fetch, client, clock } = await testSandbox({ callClock: () => milliseconds });
const patient = stripe;
const impatient = new Stripe('sk_test_sandbox', {
  httpClient: Stripe.createFetchHttpClient(fetch),
  maxNetworkRetries: 0,
  telemetry: false,
});
afterEach(() => {
  sandbox.setLimits(NO_LIMITS);
});

const DAY_MS = 24 * 60 * 60 * 1000;
const moveClock = (ms: number) => {
  clock.now = new Date(clock.now.getTime() + ms);
};

test('a second call with the key of a running one is rejected with 409, and works afterwards', async () => {
  sandbox.setLimits({ rejectsKeysInUse: true });
  const writes = await holdWrites(client);
  const create = () => impatient.customers.create({ name: 'Ana' }, { idempotencyKey: 'same' });

  const first = create();
  await expect.poll(writes.waiting).toBe(1);
  const second = await create().catch((error: unknown) => error);
  await writes.release();

  expect(second).toMatchObject({ statusCode: 409, rawType: 'idempotency_error', code: 'idempotency_key_in_use' });
  const { id } = await first;
  expect((await create()).id).toBe(id);
});

test('by default, it waits for the answer of the running call', async () => {
  const writes = await holdWrites(client);
  const create = () => impatient.customers.create({ name: 'Ana' }, { idempotencyKey: 'waits' });

  const both = Promise.all([create(), create()]);
  await expect.poll(writes.waiting).toBe(2);
  await writes.release();

  const [first, second] = await both;
  expect(second.id).toBe(first.id);
});

test('a key repeats its answer for 24 hours, and then does the work again, also with other parameters', async () => {
  const create = (name: string) => stripe.customers.create({ name }, { idempotencyKey: 'a day' });
  const { id } = await create('Ana');

  moveClock(DAY_MS - 1000);
  const repeated = await create('Ana');
  moveClock(1000);
  const again = await create('Eva');

  expect(repeated.id).toBe(id);
  expect(again).toMatchObject({ name: 'Eva' });
  expect(again.id).not.toBe(id);
  expect((await create('Eva')).id).toBe(again.id);
});

test('a locked object is rejected with 429 and a header that asks to retry; nothing is stored for the key', async () => {
  const { id } = await stripe.customers.create({ name: 'Ana' });
  const rename = (client: Stripe) => client.customers.update(id, { name: 'Eva' }, { idempotencyKey: 'lock' });
  sandbox.setLimits({ locks: 3 });

  const error = await rename(impatient).catch((thrown: unknown) => thrown);
  const renamed = await rename(patient);

  expect(error).toMatchObject({ statusCode: 429, code: 'lock_timeout', headers: { 'stripe-should-retry': 'true' } });
  expect(renamed.name).toBe('Eva');
  expect(sandbox.setLimits({}).locks).toBe(0);
});

test('more calls in a second than the limit are rejected with 429, reads and changes together', async () => {
  sandbox.setLimits({ perSecond: 3 });
  const { id } = await stripe.customers.create({});
  milliseconds += 900;
  const read = () => stripe.customers.retrieve(id);
  await read();
  await read();

  const error = await read().catch((thrown: unknown) => thrown);
  milliseconds += 100;
  await read();
  const stillFull = await read().catch((thrown: unknown) => thrown);
  milliseconds += 900;
  await read();

  expect(error).toMatchObject({
    statusCode: 429,
    code: 'rate_limit',
    headers: { 'stripe-rate-limited-reason': 'global-rate' },
  });
  expect(stillFull).toMatchObject({ code: 'rate_limit' });
});

test('a failure because of the state of an object is repeated by its key, if that is switched on', async () => {
  const { id } = await stripe.customers.create({});
  const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer: id });
  const detach = (idempotencyKey: string) =>
    stripe.paymentMethods.detach(card, {}, { idempotencyKey }).catch((error: unknown) => error);
  await stripe.paymentMethods.detach(card);
  sandbox.setLimits({ repeatsFailures: true });

  const failed = await detach('failure');
  const repeated = await detach('failure');
  const rejected = await stripe.customers.create({ bogus: 1 } as object, { idempotencyKey: 'b' }).catch((e) => e);
  const corrected = await stripe.customers.create({ name: 'Ana' }, { idempotencyKey: 'b' });

  expect(failed).toMatchObject({ statusCode: 400 });
  expect(repeated).toMatchObject({ statusCode: 400, headers: { 'idempotent-replayed': 'true' } });
  expect(rejected).toMatchObject({ code: 'parameter_unknown' });
  expect(corrected.name).toBe('Ana');
});

test('POST /_control/limits switches them on for other programs', async () => {
  const control = async (body: string) =>
    (await sandbox.app.request('/_control/limits', { method: 'POST', body })).json();

  const on = await control('perSecond=25&locks=2&rejectsKeysInUse=true&repeatsFailures=true');
  const off = await control('perSecond=0&locks=0&rejectsKeysInUse=false&repeatsFailures=false');

  expect(on).toEqual({ perSecond: 25, locks: 2, rejectsKeysInUse: true, repeatsFailures: true });
  expect(off).toEqual(NO_LIMITS);
});
