import { onboardAccount } from 'stripe-sandbox/testing/onboard-account';
import { expect, test } from 'vitest';
import { testStripe } from '../../support/stripe-sandbox';
import { importChecks } from './imports.suite';
import { at, eur, key } from './remote-stripe';
import { runInSandbox } from './run-suite';

await runInSandbox(importChecks);
const sandbox = await testStripe();
const { payments, stripe, clock } = sandbox;

// connected accounts exist in the sandbox only: in test mode, Stripe needs an account that was set up by hand
test('sandbox: a card is copied to a connected account, and charged there with a fee of the platform', async () => {
  const account = await onboardAccount(sandbox);
  const own = payments.on(account);
  const { id: customer } = await payments.createCustomer(
    { email: 'ana@mail.example', name: 'Ana', language: 'es', reference: {} },
    key(),
  );
  const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  const there = await own.createCustomer(
    { email: 'ana@mail.example', name: 'Ana', language: 'es', reference: {} },
    key(),
  );

  const copied = await payments.copyCard({ customer, card }, { account, customer: there.id }, key());
  const renewsAt = at('2026-02-10T10:00:00Z');
  const subscription = await own.importSubscription(
    {
      ...{ customer: there.id, card: copied.id, name: 'Ruido', price: eur(1000), every: 'month', at: clock.now },
      ...{ renewsAt, platformFee: { feePercent: 5 }, reference: {} },
    },
    key(),
  );

  expect(copied).toMatchObject({ customer: there.id, last4: '4242' });
  expect(subscription.periodEnd).toEqual(renewsAt);
  await expect(payments.fetch.subscription(subscription.id)).rejects.toMatchObject({ code: 'payments.not_found' });
  await own.setPlatformFee(subscription.id, { feePercent: 10 }, key());
  clock.now = at('2026-02-10T12:00:00Z');
  await sandbox.sandbox.tick();
  await sandbox.sandbox.capture();
  const fees = await stripe.applicationFees.list();
  expect(fees.data).toMatchObject([{ amount: 100, account }]);
  expect(await payments.listCards(customer)).toHaveLength(1);
});

test('sandbox: another customer’s card is not copied', async () => {
  const account = await onboardAccount(sandbox);
  const { id: customer } = await stripe.customers.create({});
  const { id: other } = await stripe.customers.create({});
  const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer });

  await expect(
    payments.copyCard({ customer: other, card }, { account, customer: 'cus_none' }, key()),
  ).rejects.toThrow();
});
