import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, expect, test } from 'vitest';
import { stripePayments } from '~/server/adapters/payments/stripe';
import { testStripe } from '../../support/stripe-sandbox';
import { customerWithCard, eur, key } from './remote-stripe';
import { withBadCard } from './renewals.suite';

const { fetch: sandbox, stripe, payments: direct } = await testStripe();
const far = { payments: direct, stripe, real: false, pay: async () => {} };

type Fault = (request: Request, number: number) => Promise<Response | null>;
let fault: Fault = async () => null;
let seen: { key: string | null }[] = [];

/** In front of the real host name: the client is the one that production has. */
const server = setupServer(
  http.all('https://api.stripe.com/*', async ({ request }) => {
    if (request.method === 'POST') seen.push({ key: request.headers.get('idempotency-key') });
    return (await fault(request, seen.length)) ?? sandbox(request);
  }),
);
// before the clients are made: they hold on to the fetch of that moment
server.listen({ onUnhandledRequest: 'error' });
afterEach(() => {
  fault = async () => null;
  seen = [];
});
afterAll(() => server.close());

const payments = stripePayments({ secretKey: 'sk_test_x', webhookSecrets: [], production: true });
const hasty = stripePayments({ secretKey: 'sk_test_x', webhookSecrets: [], production: true, timeout: 300 });
const terms = { name: 'Ruido', price: eur(499), every: 'month' as const, reference: {} };

async function chargesOf(customer: string) {
  return (await stripe.charges.list({ customer })).data.filter(({ paid }) => paid);
}

const isSubscribing = (request: Request) =>
  request.method === 'POST' && new URL(request.url).pathname === '/v1/subscriptions';

/** The fault meets so many attempts to subscribe, and nothing else. */
function onSubscribing(times: number, answer: (request: Request) => Promise<Response | null>): void {
  let met = 0;
  fault = async (request) => {
    if (!isSubscribing(request) || met >= times) return null;
    met += 1;
    return answer(request);
  };
}

test('without a fault one call is one call', async () => {
  const { customer, card } = await customerWithCard(far);

  await payments.subscribe({ customer, card, ...terms }, key());

  expect(seen).toHaveLength(2);
  expect(await chargesOf(customer)).toHaveLength(1);
});

test('two answers of 500 and then success: the same key each time, one charge', async () => {
  const { customer, card } = await customerWithCard(far);
  const once = key();
  onSubscribing(2, async () => HttpResponse.json({ error: { type: 'api_error', message: 'oops' } }, { status: 500 }));

  const subscription = await payments.subscribe({ customer, card, ...terms }, once);

  expect(subscription.status).toBe('active');
  expect(seen.map((call) => call.key)).toEqual([`${once}/product`, once, once, once]);
  expect(await chargesOf(customer)).toHaveLength(1);
});

test('500 without end is unreachable, and a later attempt with the key charges once', async () => {
  const { customer, card } = await customerWithCard(far);
  const once = key();
  onSubscribing(3, async () => HttpResponse.json({ error: { type: 'api_error', message: 'oops' } }, { status: 500 }));

  const attempt = payments.subscribe({ customer, card, ...terms }, once);
  await expect(attempt).rejects.toMatchObject({ code: 'payments.unreachable', kind: 'upstream' });
  await payments.subscribe({ customer, card, ...terms }, once);

  expect(await chargesOf(customer)).toHaveLength(1);
});

const tooMany = (headers: Record<string, string>) =>
  HttpResponse.json(
    { error: { type: 'invalid_request_error', code: 'rate_limit', message: 'slow' } },
    { status: 429, headers },
  );

test('too many calls on the way to a charge: it says when to come back, and with the same key one charge', async () => {
  const { customer, card } = await customerWithCard(far);
  const once = key();
  onSubscribing(1, async () => tooMany({ 'retry-after': '4' }));

  const attempt = payments.subscribe({ customer, card, ...terms }, once);
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

test('too many calls that Stripe says to repeat are repeated with the same key: one charge', async () => {
  const { customer, card } = await customerWithCard(far);
  const once = key();
  onSubscribing(2, async () => tooMany({ 'stripe-should-retry': 'true' }));

  await payments.subscribe({ customer, card, ...terms }, once);

  expect(seen.map((call) => call.key)).toEqual([`${once}/product`, once, once, once]);
  expect(await chargesOf(customer)).toHaveLength(1);
});

/** What becomes of an answer on its way, when the far end has acted already. */
const LOSSES: [string, (answer: Response) => Response | Promise<Response>][] = [
  ['a connection that breaks', () => HttpResponse.error()],
  ['an answer that is no JSON', () => new Response('<html>busy</html>', { headers: { 'content-type': 'text/html' } })],
  [
    'half an answer',
    async (answer) => {
      const text = await answer.text();
      return new Response(text.slice(0, text.length / 2), { headers: { 'content-type': 'application/json' } });
    },
  ],
  ['a gateway that gives up', () => new Response('Bad gateway', { status: 502 })],
];

test.each(LOSSES)('%s each time after the far end acted: unreachable, and still one charge', async (_, lose) => {
  const { customer, card } = await customerWithCard(far);
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

test('a connection that breaks once after the far end acted is not noticed: one charge', async () => {
  const { customer, card } = await customerWithCard(far);
  onSubscribing(1, async (request) => {
    await sandbox(request.clone());
    return HttpResponse.error();
  });

  const subscription = await payments.subscribe({ customer, card, ...terms }, key());

  expect(subscription.status).toBe('active');
  expect(await chargesOf(customer)).toHaveLength(1);
});

test('an answer that comes too late: one charge', async () => {
  const { customer, card } = await customerWithCard(far);
  onSubscribing(1, async (request) => {
    const answer = await sandbox(request.clone());
    await new Promise((resolve) => setTimeout(resolve, 900));
    return answer;
  });

  const subscription = await hasty.subscribe({ customer, card, ...terms }, key());

  expect(subscription.status).toBe('active');
  expect(seen).toHaveLength(3);
  expect(await chargesOf(customer)).toHaveLength(1);
});

test('answers that never come are unreachable, in bounded time', async () => {
  const { customer, card } = await customerWithCard(far);
  const began = Date.now();
  onSubscribing(9, async (request) => {
    await sandbox(request.clone());
    return new Promise((resolve) => setTimeout(() => resolve(HttpResponse.error()), 5000));
  });

  await expect(hasty.subscribe({ customer, card, ...terms }, key())).rejects.toMatchObject({
    code: 'payments.unreachable',
  });

  expect(Date.now() - began).toBeLessThan(8000);
  expect(await chargesOf(customer)).toHaveLength(1);
});

/** Every change gets to the far end; no answer to one comes back. */
const losing: Fault = async (request) => {
  if (request.method === 'GET') return null;
  await sandbox(request.clone());
  return HttpResponse.error();
};

test('a change of plan whose answers were lost is charged once, also when it is tried again', async () => {
  const { customer, card, begin } = await customerWithCard(far);
  const { id } = await payments.subscribe({ customer, card, ...terms }, key());
  const change = { price: eur(4990), every: 'year' as const, at: begin };
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

test('an open invoice whose payment’s answers were lost is paid once', async () => {
  const { customer, card, subscription } = await withBadCard(far);
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

/** The first such change gets to the far end; its answer does not come back. */
function losingFirst(method: string): void {
  let lost = false;
  fault = async (request) => {
    if (request.method !== method || lost) return null;
    lost = true;
    return losing(request, 0);
  };
}

test('an end whose answer was lost is an end, though Stripe keeps no keys for it', async () => {
  const { customer, card } = await customerWithCard(far);
  const { id } = await payments.subscribe({ customer, card, ...terms }, key());
  losingFirst('DELETE');

  const ended = await payments.cancel(id, 'now', key());

  expect(ended).toMatchObject({ id, status: 'canceled' });
});

test('a refund whose answer was lost is one refund', async () => {
  const { customer, card } = await customerWithCard(far);
  await payments.subscribe({ customer, card, ...terms }, key());
  const [invoice] = await payments.listInvoices(customer, 1);
  losingFirst('POST');

  await payments.refund(invoice!.payment!, { amount: eur(200), reference: {} }, key());

  expect(await payments.listRefunds(invoice!.payment!)).toHaveLength(1);
  expect(await payments.fetch.payment(invoice!.payment!)).toMatchObject({ refunded: eur(200) });
});

test('a key that is not known is our fault, not the customer’s', async () => {
  fault = async () =>
    HttpResponse.json({ error: { type: 'invalid_request_error', message: 'Invalid API Key' } }, { status: 401 });

  await expect(payments.fetch.customer('cus_x')).rejects.toMatchObject({ code: 'payments.not_set_up' });
});

test.each([
  [429, 1],
  [409, 3],
])('an object that is locked (%i) is a conflict, and no sign of too many calls', async (status, calls) => {
  fault = async () =>
    HttpResponse.json(
      { error: { type: 'invalid_request_error', code: 'lock_timeout', message: 'locked' } },
      { status },
    );

  await expect(payments.removeCard('pm_x', key())).rejects.toMatchObject({ code: 'payments.conflict' });
  expect(seen).toHaveLength(calls);
});

test('the cause stays with the error, for the log', async () => {
  fault = async () => HttpResponse.json({ error: { type: 'api_error', message: 'oops' } }, { status: 500 });

  const error = await payments.fetch.customer('cus_x').catch((thrown: unknown) => thrown);

  expect((error as Error).cause).toMatchObject({ statusCode: 500 });
});
