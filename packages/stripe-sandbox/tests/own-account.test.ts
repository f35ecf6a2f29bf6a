import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { onboardAccount } from '../testing/onboard-account';
import { testSandbox } from './support/sandbox';

const opened = await testSandbox({ business: 'Radio del Barrio' });
const { stripe, sandbox } = opened;

test('the platform reads its own account, a connected account reads itself', async () => {
  const connected = await onboardAccount(opened);

  expect(await stripe.accounts.retrieveCurrent()).toMatchObject({ charges_enabled: true, default_currency: 'eur' });
  expect(await stripe.accounts.retrieveCurrent({}, { stripeAccount: connected })).toMatchObject({ id: connected });
});

test('the prefix on card statements is the business’s name until its owner sets another one', async () => {
  const prefix = async () =>
    (await stripe.accounts.retrieveCurrent()).settings?.card_payments.statement_descriptor_prefix;
  const before = await prefix();

  await sandbox.setOwnAccount({ statementPrefix: 'BARRIO' });

  expect([before, await prefix()]).toEqual(['RADIO DEL', 'BARRIO']);
  await expect(sandbox.setOwnAccount({ statementPrefix: 'ELEVENCHARS' })).rejects.toThrow('2 to 10');
});

test('an owner’s change leaves the other settings as they were', async () => {
  await sandbox.setOwnAccount({ statementPrefix: 'BARRIO' });
  await sandbox.setOwnAccount({ chargesEnabled: false, payoutsEnabled: false });

  expect(await stripe.accounts.retrieveCurrent()).toMatchObject({
    charges_enabled: false,
    payouts_enabled: false,
    settings: { card_payments: { statement_descriptor_prefix: 'BARRIO' } },
  });
});

test('the account shows the schedule of its payouts', async () => {
  await stripe.balanceSettings.update({ payments: { payouts: { schedule: { interval: 'daily' } } } });

  const { settings } = await stripe.accounts.retrieveCurrent();

  expect(settings?.payouts?.schedule).toEqual({ delay_days: 7, interval: 'daily' });
});

test('Stripe Tax is pending until the owner has given what it needs', async () => {
  const before = await stripe.tax.settings.retrieve();

  await sandbox.setOwnAccount({ isTaxActive: true });

  expect(before).toMatchObject({ status: 'pending', status_details: { pending: { missing_fields: ['head_office'] } } });
  expect(await stripe.tax.settings.retrieve()).toMatchObject({ status: 'active' });
});

test('an endpoint keeps the version of the API with which it was created', async () => {
  const params = { url: 'https://a.example/hooks', enabled_events: ['coupon.created' as const] };
  const pinned = await stripe.webhookEndpoints.create({ ...params, api_version: Stripe.API_VERSION });
  const other = await stripe.webhookEndpoints.create(params);

  await stripe.webhookEndpoints.update(pinned.id, { enabled_events: ['coupon.deleted'] });

  const { data } = await stripe.webhookEndpoints.list({ limit: 100 });
  expect(data.map(({ id, api_version, secret }) => [id, api_version, secret])).toEqual([
    [other.id, null, undefined],
    [pinned.id, Stripe.API_VERSION, undefined],
  ]);
  await expect(
    stripe.webhookEndpoints.update(pinned.id, { api_version: Stripe.API_VERSION } as never),
  ).rejects.toMatchObject({ param: 'api_version' });
});
