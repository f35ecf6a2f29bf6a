import { expect, test } from 'vitest';
import { choosePayments } from '~/server/adapters/chosen-payments';
import { createLog } from '~/server/log';
import { testDatabase } from '../support/db';
import { testUrls } from '../support/listener-ctx';

const { url } = await testDatabase();
const around = { databaseUrl: url, urls: testUrls, log: createLog('silent'), production: false };

test('the sandbox is chosen with its pages on the app’s host, and is closed with the rest', async () => {
  const { payments, sandbox, close } = await choosePayments({ far: 'sandbox' }, around);
  const said = {
    successUrl: 'https://a.example',
    cancelUrl: 'https://a.example',
    language: 'es' as const,
    reference: {},
  };
  const buyer = { email: 'oyente@example.com' };

  const checkout = await payments.startPurchase(
    { ...said, buyer, name: 'x', price: { minor: 500, currency: 'eur' } },
    'chosen',
  );

  expect(checkout.url).toMatch(/^http:\/\/altavoz\.localhost:3000\/_sandbox\/stripe\/pay\/cs_test_/);
  expect((await sandbox!.pages.request(`/pay/${checkout.id}`)).status).toBe(200);
  expect((await sandbox!.pages.request('/v1/customers')).status).toBe(404);
  await close();
});

test('where payments are not set up each verb says so', async () => {
  const { payments, sandbox } = await choosePayments({ far: 'none' }, around);

  expect(sandbox).toBeNull();
  await expect(payments.listCards('cus_1')).rejects.toMatchObject({ code: 'payments.not_set_up' });
  await expect(payments.fetch.customer('cus_1')).rejects.toMatchObject({ code: 'payments.not_set_up' });
  await expect(payments.readWebhook('', '', new Date())).rejects.toMatchObject({ code: 'payments.not_set_up' });
});

test('with a key there is no sandbox', async () => {
  const settings = { far: 'stripe' as const, secretKey: 'sk_test_1', webhookSecrets: ['whsec_1'] };

  expect((await choosePayments(settings, around)).sandbox).toBeNull();
});
