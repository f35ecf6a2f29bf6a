import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { makeUrls } from '~/server/base/urls';
import { parseEnv } from '~/server/env/read';
import { selectPayments } from '~/server/runtime/select-payments';
import { createLog } from '~/server/watching/log';
import { databaseProxy } from '../../support/database-proxy';
import { testDatabase } from '../../support/db';
import { reachableModules } from '../../support/static-imports';

const { url, client } = await testDatabase();
const environment = {
  database: { url, directUrl: url, prepare: true },
  urls: makeUrls(parseEnv({}).urls),
  log: createLog('silent'),
  production: false,
  webhooks: null,
  client,
};

test('the sandbox is selected with its pages on the app’s host, and can be closed', async () => {
  const { payments, sandbox, close } = await selectPayments({ provider: 'sandbox' }, environment);
  const input = {
    successUrl: 'https://a.example',
    cancelUrl: 'https://a.example',
    language: 'es' as const,
    reference: {},
  };
  const buyer = { email: 'oyente@example.com' };

  const checkout = await payments.startPurchase(
    { ...input, buyer, name: 'x', price: { minor: 500, currency: 'eur' } },
    'chosen',
  );

  expect(checkout.url).toMatch(/^http:\/\/altavoz\.localhost:3000\/_sandbox\/stripe\/pay\/cs_test_/);
  expect((await sandbox!.pages.request(`/pay/${checkout.id}`)).status).toBe(200);
  expect((await sandbox!.pages.request('/v1/customers')).status).toBe(404);
  await close();
});

test('the sandbox sends its webhooks to this machine, signed so that every process of the installation can check them', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const webhooks = { port: (server.address() as AddressInfo).port, secret: 'of the installation' };
  const [web, worker] = [
    await selectPayments({ provider: 'sandbox' }, { ...environment, webhooks }),
    await selectPayments({ provider: 'sandbox' }, { ...environment, webhooks }),
  ];
  onTestFinished(async () => {
    await Promise.all([web.close(), worker.close()]);
    server.close();
  });

  const arrived = once(server, 'request');
  await web.payments.createCustomer({ email: 'a@mail.example', name: '', language: 'en', reference: {} }, 'webhook');

  const [request, response]: [IncomingMessage, ServerResponse] = (await arrived) as never;
  const body = Buffer.concat(await request.toArray()).toString();
  response.end();
  expect(request.url).toBe('/webhooks/stripe');
  const signature = String(request.headers['stripe-signature']);
  expect(await worker.payments.readWebhook(body, signature, new Date())).toMatchObject({ type: 'other' });
});

test('webhooks that a stopped process could not deliver arrive after a restart, at the new address', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  onTestFinished(() => void server.close());
  const secret = 'of the installation';
  const input = { email: 'a@mail.example', name: '', language: 'en' as const, reference: {} };
  const open = (at: number) =>
    selectPayments({ provider: 'sandbox' }, { ...environment, webhooks: { port: at, secret } });
  const before = await open(1);
  const { id } = await before.payments.createCustomer(input, 'undelivered');
  await before.close();

  const answered = new Promise<string>((resolve) => {
    server.on('request', async (request: IncomingMessage, response: ServerResponse) => {
      const body = Buffer.concat(await request.toArray()).toString();
      response.end();
      if (body.includes(id)) resolve(body);
    });
  });
  const after = await open(port);
  onTestFinished(after.close);

  expect(JSON.parse(await answered)).toMatchObject({ type: 'customer.created' });
  expect(await after.payments.fetch.customer(id)).toMatchObject({ id });
});

test('the sandbox outlives lost connections to its database', async () => {
  const proxy = await databaseProxy(url);
  const database = { url: proxy.url, directUrl: proxy.url, prepare: true };
  const { sandbox, close } = await selectPayments({ provider: 'sandbox' }, { ...environment, database });
  onTestFinished(async () => {
    await close();
    await proxy.close();
  });
  const create = async () => {
    const headers = { authorization: 'Bearer sk_test_sandbox' };
    const response = await sandbox!.app.request('/v1/customers', { method: 'POST', headers });
    return response.status;
  };
  expect(await create()).toBe(200);

  const running = Array.from({ length: 8 }, create);
  await sleep(3);
  await proxy.refuse();

  const lost = await Promise.all(running);
  expect(lost).toContain(500);
  // an error in a later turn of the event loop would fail the test run
  await sleep(100);
  await proxy.restore();
  expect(await create()).toBe(200);
});

test('without payments, every call fails with not_set_up', async () => {
  const { payments, sandbox } = await selectPayments({ provider: 'none' }, environment);
  const { fetch, setup, on, inBackground, account, canConnect, ...verbs } = payments;
  expect([account, canConnect]).toEqual([null, false]);

  // every operation finds the fields that it reads
  const price = { minor: 500, currency: 'eur' };
  const input = Object.assign(new Date(), {
    buyer: { email: 'a@example.com' },
    price,
    amount: price,
    every: null,
    label: 'x',
    name: 'x',
  });
  const ofAccount = () => inBackground().on('acct_1').fetch.payment('pi_1');
  const calls = [...Object.values(fetch), ...Object.values(setup), ...Object.values(verbs), ofAccount] as ((
    ...input: unknown[]
  ) => Promise<unknown>)[];
  const outcomes = await Promise.allSettled(calls.map(async (call) => call(input, input, 'key')));

  expect(sandbox).toBeNull();
  expect(calls.length).toBeGreaterThan(35);
  expect(new Set(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code))).toEqual(
    new Set(['payments.not_set_up']),
  );
});

test('with an API key there is no sandbox', async () => {
  const settings = {
    provider: 'stripe' as const,
    secretKey: 'sk_test_1',
    webhookSecrets: ['whsec_1'],
    callsPerSecond: 24,
  };

  expect((await selectPayments(settings, environment)).sandbox).toBeNull();
});

test('the SDK is loaded by the first call, not at startup', () => {
  const loaded = reachableModules('server/runtime/select-payments.ts');

  expect(reachableModules('server/adapters/payments/client.ts')).toContain('stripe');
  expect(loaded).toContain(path.resolve('server/adapters/payments/stripe.ts'));
  expect(loaded).not.toContain('stripe');
});
