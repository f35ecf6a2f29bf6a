import path from 'node:path';
import { expect, test } from 'vitest';
import { selectPayments } from '~/server/adapters/select-payments';
import { parseEnv } from '~/server/env/read';
import { createLog } from '~/server/log';
import { makeUrls } from '~/server/urls';
import { testDatabase } from '../../support/db';
import { reachableModules } from '../../support/static-imports';

const { url } = await testDatabase();
const environment = {
  databaseUrl: url,
  urls: makeUrls(parseEnv({}).urls),
  log: createLog('silent'),
  production: false,
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

test('without payments, every call fails with not_set_up', async () => {
  const { payments, sandbox } = await selectPayments({ provider: 'none' }, environment);
  const { fetch, ...verbs } = payments;

  // every operation finds the fields that it reads
  const price = { minor: 500, currency: 'eur' };
  const input = Object.assign(new Date(), { buyer: { email: 'a@example.com' }, price, amount: price, every: null });
  const calls = [...Object.values(fetch), ...Object.values(verbs)] as ((...input: unknown[]) => Promise<unknown>)[];
  const outcomes = await Promise.allSettled(calls.map((call) => call(input, input, 'key')));

  expect(sandbox).toBeNull();
  expect(calls.length).toBeGreaterThan(35);
  expect(new Set(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code))).toEqual(
    new Set(['payments.not_set_up']),
  );
});

test('with an API key there is no sandbox', async () => {
  const settings = { provider: 'stripe' as const, secretKey: 'sk_test_1', webhookSecrets: ['whsec_1'] };

  expect((await selectPayments(settings, environment)).sandbox).toBeNull();
});

test('the SDK is loaded by the first call, not at startup', () => {
  const loaded = reachableModules('server/adapters/select-payments.ts');

  expect(reachableModules('server/adapters/payments/client.ts')).toContain('stripe');
  expect(loaded).toContain(path.resolve('server/adapters/payments/stripe.ts'));
  expect(loaded).not.toContain('stripe');
});
