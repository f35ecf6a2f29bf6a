import { holdWrites } from 'stripe-sandbox/testing/hold-writes';
import { afterEach, expect, test } from 'vitest';
import type { ClientSettings } from '~/server/adapters/payments/client';
import { stripePayments } from '~/server/adapters/payments/stripe';
import { testStripe } from '../../support/stripe-sandbox';
import { customerWithCard, eur, key } from './remote-stripe';

const { sandbox, stripe, payments: direct, fetch, client } = await testStripe();
const remote = { payments: direct, stripe, real: false, pay: async () => {}, capture: async () => {} };
const OFF = { perSecond: null, locks: 0, rejectsKeysInUse: false, repeatsFailures: false };
afterEach(() => {
  sandbox.setLimits(OFF);
});

const terms = { name: 'Ruido', price: eur(499), every: 'month' as const, reference: {} };
const portWith = (settings: Partial<ClientSettings>) =>
  stripePayments({ secretKey: 'sk_test_x', webhookSecrets: [], production: false, fetch, ...settings });

const chargesOf = async (customer: string) =>
  (await stripe.charges.list({ customer })).data.filter(({ paid }) => paid).length;

test('two calls at once with one key, of which Stripe rejects the second: one charge, and both get it', async () => {
  const { customer, card } = await customerWithCard(remote);
  const statuses: number[] = [];
  const port = portWith({
    async fetch(input, init) {
      const answer = await fetch(input, init);
      statuses.push(answer.status);
      return answer;
    },
  });
  const once = key();
  const subscribe = () => port.subscribe({ customer, card, ...terms }, once);
  sandbox.setLimits({ rejectsKeysInUse: true });

  const writes = await holdWrites(client);
  const first = subscribe();
  await expect.poll(writes.waiting).toBe(1);
  const second = subscribe();
  await expect.poll(() => statuses).toContain(409);
  await writes.release();

  expect((await second).id).toBe((await first).id);
  expect(await chargesOf(customer)).toBe(1);
});

test('a locked object is tried again', async () => {
  const { customer, card } = await customerWithCard(remote);
  const { id } = await direct.subscribe({ customer, card, ...terms }, key());
  sandbox.setLimits({ locks: 3 });

  const ended = await portWith({}).cancel(id, 'at_period_end', key());

  expect(ended.endsAt).not.toBeNull();
  expect(sandbox.setLimits({}).locks).toBe(0);
});

test('an object that stays locked is not a conflict of its state: nothing has happened', async () => {
  const { customer, card } = await customerWithCard(remote);
  const { id } = await direct.subscribe({ customer, card, ...terms }, key());
  sandbox.setLimits({ locks: 9 });
  const impatient = portWith({ patience: { waited_for: 0, background: 0 } });

  await expect(impatient.cancel(id, 'at_period_end', key())).rejects.toMatchObject({
    code: 'payments.rate_limited',
    params: { seconds: 1 },
  });

  expect(sandbox.setLimits({}).locks).toBe(8);
  expect((await direct.fetch.subscription(id)).endsAt).toBeNull();
});

test('a call that gets no turn in our own limit is not sent, and says when to retry', async () => {
  const { customer, card } = await customerWithCard(remote);
  const port = portWith({ turns: { take: async () => false }, fetch: () => Promise.reject(new Error('sent')) });

  await expect(port.subscribe({ customer, card, ...terms }, key())).rejects.toMatchObject({
    code: 'payments.rate_limited',
    params: { seconds: 1 },
  });
});

test('jobs ask for their turns in the background, also on other accounts', async () => {
  const asked: string[] = [];
  const turns = {
    async take(urgency: string) {
      asked.push(urgency);
      return true;
    },
  };
  const port = portWith({ turns });

  for (const each of [port, port.inBackground(), port.inBackground().on('acct_x')])
    await each.fetch.customer('cus_x').catch(() => {});

  expect(asked).toEqual(['waited_for', 'background', 'background']);
});

/** Stripe with a rule that rejects refunds for now; each key repeats its rejection. */
function rejectingRefunds(rejection: { status: number; error: object }) {
  const rejected = new Set<string>();
  const state = { isShort: true, keys: [] as string[] };
  const port = portWith({
    async fetch(input, init) {
      const once = new Headers(init?.headers).get('idempotency-key') ?? '';
      if (init?.method !== 'POST' || !String(input).endsWith('/v1/refunds')) return fetch(input, init);
      state.keys.push(once);
      const isRepeated = rejected.has(once);
      if (!isRepeated && !state.isShort) return fetch(input, init);
      rejected.add(once);
      const headers = { 'stripe-should-retry': 'false', ...(isRepeated && { 'idempotent-replayed': 'true' }) };
      return Response.json({ error: rejection.error }, { status: rejection.status, headers });
    },
  });
  return { port, state };
}

async function paid() {
  const { customer, card } = await customerWithCard(remote);
  await direct.subscribe({ customer, card, ...terms }, key());
  const [invoice] = await direct.listInvoices(customer, 1);
  return invoice!.payment!;
}

const noMoney = {
  status: 400,
  error: { type: 'invalid_request_error', code: 'balance_insufficient', message: 'Insufficient funds.' },
};

test('a refund that failed is tried again with the next key, and concurrent attempts make one refund', async () => {
  const { port, state } = rejectingRefunds(noMoney);
  const payment = await paid();
  const once = key();
  const refund = () => port.refund(payment, { amount: eur(200), reference: {} }, once);
  await expect(refund()).rejects.toMatchObject({ code: 'payments.conflict' });
  state.isShort = false;

  const [first, second] = await Promise.all([refund(), refund()]);

  expect(first.id).toBe(second.id);
  expect(await direct.listRefunds(payment)).toHaveLength(1);
  expect(new Set(state.keys)).toEqual(new Set([once, `${once}/1`]));
});

test('an outage that a key repeats is not tried again with another key: it may have refunded', async () => {
  const { port, state } = rejectingRefunds({ status: 500, error: { type: 'api_error', message: 'oops' } });
  const payment = await paid();
  const once = key();
  const refund = () => port.refund(payment, { amount: eur(200), reference: {} }, once);
  await expect(refund()).rejects.toMatchObject({ code: 'payments.unreachable' });
  state.isShort = false;

  await expect(refund()).rejects.toMatchObject({ code: 'payments.unreachable' });

  expect(new Set(state.keys)).toEqual(new Set([once]));
});
