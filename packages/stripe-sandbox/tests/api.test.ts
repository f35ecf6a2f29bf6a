import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import Stripe from 'stripe';
import { afterAll, expect, test } from 'vitest';
import { testSandbox } from './support/sandbox';

const { stripe, fetch, sandbox, url } = await testSandbox();
const AUTHORIZED = { authorization: 'Bearer sk_test_x' };

async function callApi(method: string, path: string, body?: string, headers: Record<string, string> = AUTHORIZED) {
  const response = await fetch(`https://api.stripe.com${path}`, { method, body, headers });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Record<string, never> };
}

test.each([
  ['GET', '/v1/nothing'],
  ['POST', '/v1/customers/cus_1/nothing'],
  ['GET', '/v1/issuing/cards'],
  ['DELETE', '/v1/accounts/acct_1'],
  ['PUT', '/v1/customers'],
  ['GET', '/v1/'],
])('%s %s, which the sandbox does not support, fails in Stripe’s error format', async (method, path) => {
  const { status, body } = await callApi(method, path);

  expect(status).toBe(404);
  expect(body).toMatchObject({
    error: { type: 'invalid_request_error', message: expect.stringContaining('Unrecognized request URL') },
  });
});

test.each([
  ['colour=red', 'parameter_unknown', 'colour'],
  ['invoice_settings[colour]=red', 'parameter_unknown', 'invoice_settings[colour]'],
  ['balance=much', 'parameter_invalid_integer', 'balance'],
  ['email=invalid', 'email_invalid', 'email'],
])('%s is rejected with the parameter’s name', async (form, code, param) => {
  const { status, body } = await callApi('POST', '/v1/customers', form);

  expect(status).toBe(400);
  expect(body).toMatchObject({ error: { type: 'invalid_request_error', code, param } });
});

test.each([
  ['/v1/customers', 'name[first]=a', 'name'],
  ['/v1/customers', 'balance[x]=1', 'balance'],
  ['/v1/customers', 'metadata=a', 'metadata'],
  ['/v1/customers', 'invoice_settings=a', 'invoice_settings'],
  ['/v1/subscriptions', 'customer=cus_1&items=a', 'items'],
  ['/v1/subscriptions', 'customer=cus_1&items[0]=a', 'items[0]'],
  ['/v1/coupons', 'percent_off[a][b]=5', 'percent_off'],
  ['/v1/coupons', 'percent_off=101', 'percent_off'],
  ['/v1/coupons', 'percent_off=5&duration=long', 'duration'],
])('POST %s with %s has the wrong type and is rejected with the parameter’s name', async (path, form, param) => {
  const { status, body } = await callApi('POST', path, form);

  expect(status).toBe(400);
  expect(body).toMatchObject({ error: { type: 'invalid_request_error', param } });
});

test.each([
  ['limit=0', 'limit'],
  ['limit=101', 'limit'],
  ['colour=red', 'colour'],
  ['starting_after=cus_nobody', 'starting_after'],
  ['created[after]=1', 'created[after]'],
])('a list with %s is rejected with the parameter’s name', async (query, param) => {
  const { status, body } = await callApi('GET', `/v1/customers?${query}`);

  expect([400, 404]).toContain(status);
  expect(body).toMatchObject({ error: { type: 'invalid_request_error', param } });
});

test('metadata keys can be numeric', async () => {
  const { id } = await stripe.customers.create({ metadata: { 17: 'a', 2: 'b' } });
  await stripe.customers.update(id, { metadata: { 17: '', 3: 'c' } });

  expect(await stripe.customers.retrieve(id)).toMatchObject({ metadata: { 2: 'b', 3: 'c' } });
});

test('a missing parameter is named', async () => {
  const { body } = await callApi('POST', '/v1/payment_intents', 'currency=eur');

  expect(body).toMatchObject({ error: { code: 'parameter_missing', param: 'amount' } });
});

test.each([
  ['no key', {}],
  ['a live key', { authorization: 'Bearer sk_live_x' }],
  ['a word', { authorization: 'Bearer hello' }],
])('%s is rejected', async (_, headers) => {
  const { status, body } = await callApi('GET', '/v1/customers', undefined, headers as Record<string, string>);

  expect(status).toBe(401);
  expect(body).toMatchObject({ error: { type: 'invalid_request_error' } });
});

test('every response has a request id, and a replay repeats the first one', async () => {
  const headers = { ...AUTHORIZED, 'idempotency-key': 'wire-1' };
  const first = await callApi('POST', '/v1/customers', 'email=a@example.com&name=A', headers);
  const second = await callApi('POST', '/v1/customers', 'name=A&email=a@example.com', headers);

  expect(first.headers.get('request-id')).toMatch(/^req_/);
  expect(second.headers.get('request-id')).toBe(first.headers.get('request-id'));
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect(second.body).toEqual(first.body);
});

test('a key with other parameters is an idempotency error (400)', async () => {
  const headers = { ...AUTHORIZED, 'idempotency-key': 'wire-2' };
  await callApi('POST', '/v1/customers', 'name=A', headers);

  const { status, body } = await callApi('POST', '/v1/customers', 'name=B', headers);

  expect(status).toBe(400);
  expect(body).toMatchObject({ error: { type: 'idempotency_error' } });
});

test('a call with rejected parameters can be corrected under the same key', async () => {
  const headers = { ...AUTHORIZED, 'idempotency-key': 'wire-3' };
  const wrong = await callApi('POST', '/v1/customers', 'colour=red', headers);
  const right = await callApi('POST', '/v1/customers', 'name=A', headers);

  expect([wrong.status, right.status]).toEqual([400, 200]);
});

test('a declined payment is stored under its key and keeps its charge', async () => {
  const pay = () =>
    stripe.paymentIntents.create(
      { amount: 1000, currency: 'eur', payment_method: 'pm_card_visa_chargeDeclined', confirm: true },
      { idempotencyKey: 'wire-4' },
    );
  const [first, second] = [await pay().catch((error) => error), await pay().catch((error) => error)];

  expect(first).toBeInstanceOf(Stripe.errors.StripeCardError);
  expect(second.payment_intent.id).toBe(first.payment_intent.id);
  expect((await stripe.charges.list({ payment_intent: first.payment_intent.id })).data).toHaveLength(1);
});

test('lists page forward and back, and auto-paging works', async () => {
  for (let i = 0; i < 23; i += 1) await stripe.products.create({ name: `product ${i}` });
  const first = await stripe.products.list({ limit: 10 });
  const next = await stripe.products.list({ limit: 10, starting_after: first.data[9]!.id });
  const back = await stripe.products.list({ limit: 10, ending_before: next.data[0]!.id });

  const all = await stripe.products.list({ limit: 7 }).autoPagingToArray({ limit: 100 });

  expect(first.has_more).toBe(true);
  expect(back.data.map(({ id }) => id)).toEqual(first.data.map(({ id }) => id));
  expect(all.map(({ name }) => name)).toEqual(Array.from({ length: 23 }, (_, i) => `product ${22 - i}`));
});

test('expand replaces ids at several levels and in lists', async () => {
  const customer = await stripe.customers.create({ email: 'b@example.com' });
  const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
  const paid = { amount: 1000, currency: 'eur', customer: customer.id, payment_method: method.id, confirm: true };
  const { id } = await stripe.paymentIntents.create(paid);
  await sandbox.capture();
  const intent = await stripe.paymentIntents.retrieve(id, {
    expand: ['latest_charge.balance_transaction', 'customer'],
  });
  const list = await stripe.paymentIntents.list({ customer: customer.id, expand: ['data.latest_charge'] });

  expect(intent).toMatchObject({
    customer: { email: 'b@example.com' },
    latest_charge: { balance_transaction: { amount: 1000, net: 941 } },
  });
  expect(list.data[0]).toMatchObject({ latest_charge: { amount: 1000, customer: customer.id } });
});

test('optional fields are included on request', async () => {
  const { id: customer } = await stripe.customers.create({});
  const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  const { id: product } = await stripe.products.create({ name: 'Ruido' });
  const { latest_invoice } = await stripe.subscriptions.create({
    customer,
    default_payment_method: card,
    items: [
      { quantity: 2, price_data: { currency: 'eur', unit_amount: 499, recurring: { interval: 'month' }, product } },
    ],
    expand: ['latest_invoice.payments.data.payment.payment_intent', 'items.data.price.product'],
  });

  expect(latest_invoice).toMatchObject({
    payments: { data: [{ payment: { payment_intent: { amount_received: 998 } } }] },
  });
  expect(await stripe.invoices.list({ customer })).not.toHaveProperty('data.0.payments');
});

test('expanding more than four levels fails', async () => {
  const path = 'customer.invoice_settings.default_payment_method.customer.invoice_settings.default_payment_method';
  const attempt = stripe.subscriptions.list({ expand: [`data.${path}`] });

  await expect(attempt).rejects.toMatchObject({ message: expect.stringContaining('more than 4 levels') });
});

test('expanding an unknown property fails', async () => {
  const attempt = stripe.customers.create({ expand: ['colour'] });

  await expect(attempt).rejects.toMatchObject({ message: expect.stringContaining('cannot be expanded') });
});

test('lists can be filtered by creation time', async () => {
  const { data } = await stripe.products.list({ created: { gt: 4_000_000_000 } });

  expect(data).toEqual([]);
});

test('an update of one part of a group keeps the others', async () => {
  const { id: customer } = await stripe.customers.create({});
  const { id: product } = await stripe.products.create({ name: 'Ruido' });
  const price_data = { currency: 'eur', unit_amount: 900, product, recurring: { interval: 'month' as const } };
  const { id } = await stripe.subscriptions.create({ customer, items: [{ price_data }], trial_period_days: 3 });
  const payment = { amount: 900, currency: 'eur', payment_method: 'pm_card_createDispute', confirm: true };
  const { id: payment_intent } = await stripe.paymentIntents.create(payment);
  const [dispute] = (await stripe.disputes.list({ payment_intent })).data;

  await stripe.subscriptions.update(id, { cancellation_details: { feedback: 'unused' } });
  await stripe.subscriptions.update(id, { payment_settings: { payment_method_types: ['card'] } });
  await stripe.disputes.update(dispute!.id, { evidence: { customer_name: 'Ana' }, submit: false });
  const settings = { save_default_payment_method: 'on_subscription' as const };
  const subscription = await stripe.subscriptions.update(id, {
    cancellation_details: { comment: 'Bye' },
    payment_settings: settings,
  });
  const { evidence } = await stripe.disputes.update(dispute!.id, { evidence: { receipt: 'file_1' }, submit: false });

  expect(subscription).toMatchObject({
    cancellation_details: { comment: 'Bye', feedback: 'unused' },
    payment_settings: { payment_method_types: ['card'], ...settings },
  });
  expect(evidence).toMatchObject({ customer_name: 'Ana', receipt: 'file_1', refund_policy: null });
});

test('another process sees the same state, even after a restart', async () => {
  const { id } = await stripe.customers.create({ email: 'c@example.com' });
  const { stripe: second } = await testSandbox({ url });

  expect(await second.customers.retrieve(id)).toMatchObject({ email: 'c@example.com' });
});

test('two concurrent processes do not exceed a coupon’s cap', async () => {
  const { stripe: second } = await testSandbox({ url });
  await stripe.coupons.create({ id: 'rare', percent_off: 50, max_redemptions: 3 });
  const price = await stripe.prices.create({
    currency: 'eur',
    unit_amount: 499,
    recurring: { interval: 'month' },
    product_data: { name: 'x' },
  });
  const customer = await stripe.customers.create({});
  const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
  const attempts = Array.from({ length: 12 }, (_, i) =>
    (i % 2 ? stripe : second).subscriptions.create({
      customer: customer.id,
      default_payment_method: method.id,
      items: [{ price: price.id }],
      discounts: [{ coupon: 'rare' }],
    }),
  );

  const made = (await Promise.allSettled(attempts)).filter(({ status }) => status === 'fulfilled');

  expect(made).toHaveLength(3);
});

test('the API over HTTP has the same state as in the process', async () => {
  const server = createServer(getRequestListener(sandbox.app.fetch)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => void server.close());
  const remote = new Stripe('sk_test_x', {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    protocol: 'http',
  });

  const made = await remote.customers.create({ email: 'd@example.com' });

  expect(await stripe.customers.retrieve(made.id)).toMatchObject({ email: 'd@example.com' });
});
