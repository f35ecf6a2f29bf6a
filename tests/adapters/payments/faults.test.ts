import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import Stripe from 'stripe';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { stripePayments } from '~/server/adapters/payments/stripe';
import { testStripe } from '../../support/stripe-sandbox';
import { customerWithCard, eur, key } from './remote-stripe';
import { withBadCard } from './renewals.suite';

const { fetch: sandbox, stripe, payments: direct } = await testStripe();
const remote = { payments: direct, stripe, real: false, pay: async () => {}, capture: async () => {} };

type Fault = (request: Request, number: number) => Promise<Response | null>;
let fault: Fault = async () => null;
let seen: { key: string | null }[] = [];

/** Intercepts the real host name, so that the client is the one that production uses. */
const server = setupServer(
  http.all('https://api.stripe.com/*', async ({ request }) => {
    if (request.method === 'POST') seen.push({ key: request.headers.get('idempotency-key') });
    return (await fault(request, seen.length)) ?? sandbox(request);
  }),
);
// A web server of another file in this process replaces Response by its own, and msw recognizes errors of the current
// one.
const parent = Object.getPrototypeOf(Response);
vi.stubGlobal('Response', parent === Function.prototype ? Response : parent);
// before the clients are created, because they keep the fetch of that moment
server.listen({ onUnhandledRequest: 'error' });
afterEach(() => {
  fault = async () => null;
  seen = [];
});
// the SDK waits half a second before its first retry; the order of calls is what we test
const retryDelay = vi.spyOn(Stripe.prototype, 'getInitialNetworkRetryDelay').mockReturnValue(0.01);
afterAll(() => {
  retryDelay.mockRestore();
  vi.unstubAllGlobals();
  server.close();
});

const payments = stripePayments({ secretKey: 'sk_test_x', webhookSecrets: [], production: true });
const impatient = stripePayments({
  ...{ secretKey: 'sk_test_x', webhookSecrets: [], production: true },
  patience: { waited_for: 0, background: 0 },
});
const hasty = stripePayments({ secretKey: 'sk_test_x', webhookSecrets: [], production: true, timeout: 1000 });
const terms = { name: 'Ruido', price: eur(499), every: 'month' as const, reference: {} };

async function chargesOf(customer: string) {
  return (await stripe.charges.list({ customer })).data.filter(({ paid }) => paid);
}

const isSubscribing = (request: Request) =>
  request.method === 'POST' && new URL(request.url).pathname === '/v1/subscriptions';

/** Applies the fault to the first attempts to subscribe only. */
function onSubscribing(times: number, answer: (request: Request) => Promise<Response | null>): void {
  let matched = 0;
  fault = async (request) => {
    if (!isSubscribing(request) || matched >= times) return null;
    matched += 1;
    return answer(request);
  };
}

test('without a fault, each call is sent once', async () => {
  const { customer, card } = await customerWithCard(remote);

  await payments.subscribe({ customer, card, ...terms }, key());

  expect(seen).toHaveLength(2);
  expect(await chargesOf(customer)).toHaveLength(1);
});

test('two responses with 500, then success: same key each time, one charge', async () => {
  const { customer, card } = await customerWithCard(remote);
  const once = key();
  onSubscribing(2, async () => HttpResponse.json({ error: { type: 'api_error', message: 'oops' } }, { status: 500 }));

  const subscription = await payments.subscribe({ customer, card, ...terms }, once);

  expect(subscription.status).toBe('active');
  expect(seen.map((call) => call.key)).toEqual([`${once}/product`, once, once, once]);
  expect(await chargesOf(customer)).toHaveLength(1);
});

test('repeated 500 responses mean unreachable, and a later retry with the key charges once', async () => {
  const { customer, card } = await customerWithCard(remote);
  const once = key();
  onSubscribing(3, async () => HttpResponse.json({ error: { type: 'api_error', message: 'oops' } }, { status: 500 }));

  const attempt = payments.subscribe({ customer, card, ...terms }, once);
  await expect(attempt).rejects.toMatchObject({ code: 'payments.unreachable', kind: 'unavailable' });
  await payments.subscribe({ customer, card, ...terms }, once);

  expect(await chargesOf(customer)).toHaveLength(1);
});

const tooMany = (headers: Record<string, string>) =>
  HttpResponse.json(
    { error: { type: 'invalid_request_error', code: 'rate_limit', message: 'slow' } },
    { status: 429, headers },
  );

test('a rate-limited charge is repeated with its key within the caller’s time: one charge', async () => {
  const { customer, card } = await customerWithCard(remote);
  const once = key();
  onSubscribing(2, async () => tooMany({}));

  await payments.subscribe({ customer, card, ...terms }, once);

  expect(seen.map((call) => call.key)).toEqual([`${once}/product`, once, once, once]);
  expect(await chargesOf(customer)).toHaveLength(1);
});

test('after the caller’s time, rate limiting returns when to retry, and the same key charges once', async () => {
  const { customer, card } = await customerWithCard(remote);
  const once = key();
  onSubscribing(1, async () => tooMany({ 'retry-after': '4' }));

  const attempt = impatient.subscribe({ customer, card, ...terms }, once);
  await expect(attempt).rejects.toMatchObject({
    code: 'payments.rate_limited',
    kind: 'too_many',
    params: { seconds: 4 },
  });
  expect(await chargesOf(customer)).toEqual([]);
  await payments.subscribe({ customer, card, ...terms }, once);

  expect(seen.map((call) => call.key)).toEqual([`${once}/product`, once, `${once}/product`, once]);
  expect(await chargesOf(customer)).toHaveLength(1);
});

test('rate-limited calls that Stripe asks to retry are retried with the same key: one charge', async () => {
  const { customer, card } = await customerWithCard(remote);
  const once = key();
  onSubscribing(2, async () => tooMany({ 'stripe-should-retry': 'true' }));

  await payments.subscribe({ customer, card, ...terms }, once);

  expect(seen.map((call) => call.key)).toEqual([`${once}/product`, once, once, once]);
  expect(await chargesOf(customer)).toHaveLength(1);
});

/** Ways to lose a response after Stripe has acted. */
const LOSSES: [string, (answer: Response) => Response | Promise<Response>][] = [
  ['a broken connection', () => HttpResponse.error()],
  [
    'a response that is not JSON',
    () => new Response('<html>busy</html>', { headers: { 'content-type': 'text/html' } }),
  ],
  [
    'a truncated response',
    async (answer) => {
      const text = await answer.text();
      return new Response(text.slice(0, text.length / 2), { headers: { 'content-type': 'application/json' } });
    },
  ],
  ['a gateway error', () => new Response('Bad gateway', { status: 502 })],
];

test.each(LOSSES)('%s after Stripe has acted, every time: unreachable, but one charge', async (_, lose) => {
  const { customer, card } = await customerWithCard(remote);
  const once = key();
  onSubscribing(3, async (request) => lose(await sandbox(request.clone())));

  await expect(payments.subscribe({ customer, card, ...terms }, once)).rejects.toMatchObject({
    code: 'payments.unreachable',
  });
  fault = async () => null;
  const after = await payments.subscribe({ customer, card, ...terms }, once);

  expect(after.status).toBe('active');
  expect(new Set(seen.map((call) => call.key))).toEqual(new Set([`${once}/product`, once]));
  expect(await chargesOf(customer)).toHaveLength(1);
});

test('one broken connection after Stripe has acted is retried: one charge', async () => {
  const { customer, card } = await customerWithCard(remote);
  onSubscribing(1, async (request) => {
    await sandbox(request.clone());
    return HttpResponse.error();
  });

  const subscription = await payments.subscribe({ customer, card, ...terms }, key());

  expect(subscription.status).toBe('active');
  expect(await chargesOf(customer)).toHaveLength(1);
});

test('a response that comes after the next attempt: one charge', async () => {
  const { customer, card } = await customerWithCard(remote);
  const retried = expect.poll(() => seen.length).toBe(3);
  onSubscribing(1, async (request) => {
    const answer = await sandbox(request.clone());
    await retried;
    return answer;
  });

  const subscription = await hasty.subscribe({ customer, card, ...terms }, key());

  expect(subscription.status).toBe('active');
  expect(seen).toHaveLength(3);
  expect(await chargesOf(customer)).toHaveLength(1);
});

test('missing responses mean unreachable after three attempts', async () => {
  const { customer, card } = await customerWithCard(remote);
  onSubscribing(9, async (request) => {
    await sandbox(request.clone());
    return new Promise(() => {});
  });

  await expect(hasty.subscribe({ customer, card, ...terms }, key())).rejects.toMatchObject({
    code: 'payments.unreachable',
  });

  expect(seen).toHaveLength(4);
  expect(await chargesOf(customer)).toHaveLength(1);
});

/** Delivers every change to Stripe, but loses each response. */
const losing: Fault = async (request) => {
  if (request.method === 'GET') return null;
  await sandbox(request.clone());
  return HttpResponse.error();
};

test('a plan change with lost responses is charged once, even when retried', async () => {
  const { customer, card, start } = await customerWithCard(remote);
  const { id } = await payments.subscribe({ customer, card, ...terms }, key());
  const change = { price: eur(4990), every: 'year' as const, at: start };
  const once = key();
  seen = [];
  fault = losing;

  await expect(payments.changeSubscription(id, change, once)).rejects.toMatchObject({ code: 'payments.unreachable' });
  fault = async () => null;
  const changed = await payments.changeSubscription(id, change, once);

  expect(changed).toMatchObject({ every: 'year' });
  expect(seen.map((call) => call.key)).toEqual(Array(4).fill(once));
  expect((await chargesOf(customer)).map(({ amount }) => amount)).toEqual([4491, 499]);
});

test('an open invoice with lost responses is paid once', async () => {
  const { customer, card, subscription } = await withBadCard(remote);
  await direct.setSubscriptionCard(subscription.id, card, key());
  const [invoice] = await direct.listInvoices(customer, 1);
  const once = key();
  fault = losing;

  await expect(payments.payInvoice(invoice!.id, once)).rejects.toMatchObject({ code: 'payments.unreachable' });
  fault = async () => null;
  const paid = await payments.payInvoice(invoice!.id, once);

  expect(paid).toMatchObject({ status: 'paid', paid: eur(499) });
  expect(seen.map((call) => call.key)).toEqual(Array(4).fill(once));
  expect((await chargesOf(customer)).map(({ amount }) => amount)).toEqual([499, 499]);
});

/** Delivers the first change with this method, but loses its response. */
function losingFirst(method: string): void {
  let lost = false;
  fault = async (request) => {
    if (request.method !== method || lost) return null;
    lost = true;
    return losing(request, 0);
  };
}

test('a cancellation with a lost response succeeds, although Stripe ignores keys for DELETE', async () => {
  const { customer, card } = await customerWithCard(remote);
  const { id } = await payments.subscribe({ customer, card, ...terms }, key());
  losingFirst('DELETE');

  const ended = await payments.cancel(id, 'now', key());

  expect(ended).toMatchObject({ id, status: 'canceled' });
});

test('a deletion of a customer with a lost response succeeds', async () => {
  const { customer } = await customerWithCard(remote);
  losingFirst('DELETE');

  await payments.deleteCustomer(customer);

  expect(await direct.fetch.customer(customer)).toMatchObject({ deleted: true });
});

test('a cancellation with credit and a lost response credits once', async () => {
  const { customer, card } = await customerWithCard(remote);
  const { id } = await payments.subscribe({ customer, card, ...terms }, key());
  losingFirst('DELETE');

  await payments.cancel(id, 'now_with_credit', key());
  await payments.cancel(id, 'now_with_credit', key());

  expect(await direct.fetch.customer(customer)).toMatchObject({ credit: eur(499) });
});

test('a charge of a saved card with lost responses is one charge', async () => {
  const { customer, card } = await customerWithCard(remote);
  const input = { customer, card, amount: eur(700), name: 'Ruido', reference: {} };
  const once = key();
  fault = losing;

  await expect(payments.charge(input, once)).rejects.toMatchObject({ code: 'payments.unreachable' });
  fault = async () => null;
  const payment = await payments.charge(input, once);

  expect(payment.status).toBe('succeeded');
  expect((await chargesOf(customer)).map(({ amount }) => amount)).toEqual([700]);
});

test('a refund with a lost response is one refund', async () => {
  const { customer, card } = await customerWithCard(remote);
  await payments.subscribe({ customer, card, ...terms }, key());
  const [invoice] = await payments.listInvoices(customer, 1);
  losingFirst('POST');

  await payments.refund(invoice!.payment!, { amount: eur(200), reference: {} }, key());

  expect(await payments.listRefunds(invoice!.payment!)).toHaveLength(1);
  expect(await payments.fetch.payment(invoice!.payment!)).toMatchObject({ refunded: eur(200) });
});

test('an invalid API key is our error, not the customer’s', async () => {
  fault = async () =>
    HttpResponse.json({ error: { type: 'invalid_request_error', message: 'Invalid API Key' } }, { status: 401 });

  await expect(payments.fetch.customer('cus_x')).rejects.toMatchObject({ code: 'payments.not_set_up' });
});

test.each([429, 409])(
  'a locked object (%i) is not a conflict of its state, and the call may be repeated',
  async (status) => {
    fault = async () =>
      HttpResponse.json(
        { error: { type: 'invalid_request_error', code: 'lock_timeout', message: 'locked' } },
        { status, headers: { 'stripe-should-retry': 'true' } },
      );

    await expect(impatient.removeCard('pm_x', key())).rejects.toMatchObject({
      code: 'payments.rate_limited',
      params: { seconds: 1 },
    });
    expect(seen).toHaveLength(1);
  },
);

test('the error keeps its cause for the log', async () => {
  fault = async () => HttpResponse.json({ error: { type: 'api_error', message: 'oops' } }, { status: 500 });

  const error = await payments.fetch.customer('cus_x').catch((thrown: unknown) => thrown);

  expect((error as Error).cause).toMatchObject({ statusCode: 500 });
});
