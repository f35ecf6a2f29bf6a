import { onboardAccount } from 'stripe-sandbox/testing/onboard-account';
import { expect, test } from 'vitest';
import { toBookEntry } from '~/server/adapters/payments/books';
import { DAYS, HOURS, later } from '~/server/base/time';
import { testStripe } from '../../support/stripe-sandbox';
import { bookChecks } from './books.suite';
import { eur, key } from './remote-stripe';
import { runInSandbox } from './run-suite';

await runInSandbox(bookChecks);

const remote = await testStripe();
const { payments, stripe, clock } = remote;

/** A destination charge of 10.00, of which the account keeps 9.00. */
async function sharedCharge(card = 'pm_card_visa') {
  const account = await onboardAccount(remote);
  const { id: customer } = await payments.createCustomer(
    { email: 'a@example.com', name: 'A', language: 'es', reference: {} },
    key(),
  );
  const { id } = await stripe.paymentMethods.attach(card, { customer });
  const sharing = { account, fee: eur(100) };
  const sold = { customer, card: id, amount: eur(1000), name: 'Olas', reference: {}, sharing };
  return { account, payment: await payments.charge(sold, key()) };
}

test('sandbox: a connected account’s share of a payment is taken back after a lost dispute, once', async () => {
  const { account, payment } = await sharedCharge('pm_card_createDispute');
  const [transfer] = await payments.listTransfers({ limit: 1 });
  expect(transfer).toMatchObject({ account, amount: eur(1000), reversed: eur(0), charge: payment.charge });
  expect(await payments.listApplicationFees({ limit: 1 })).toMatchObject([
    { account, amount: eur(100), refunded: eur(0), charge: payment.charge },
  ]);
  const again = key();

  const recovered = await payments.recoverShare(payment.id, eur(900), again);

  expect(recovered).toMatchObject({ id: transfer!.id, reversed: eur(900) });
  expect(await payments.recoverShare(payment.id, eur(900), again)).toMatchObject({ reversed: eur(900) });
  await expect(payments.recoverShare(payment.id, eur(900), key())).rejects.toMatchObject({ code: 'payments.conflict' });
  expect(await payments.recoverShare(payment.id, undefined, key())).toMatchObject({ reversed: eur(1000) });
});

test('sandbox: a payment that was not shared has nothing to recover', async () => {
  const { id: customer } = await payments.createCustomer(
    { email: 'b@example.com', name: 'B', language: 'es', reference: {} },
    key(),
  );
  const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  const { id } = await payments.charge({ customer, card, amount: eur(1000), name: 'Olas', reference: {} }, key());

  await expect(payments.recoverShare(id, undefined, key())).rejects.toMatchObject({ code: 'payments.conflict' });
});

test('a currency in which we do not sell is read all the same', async () => {
  const { id: customer } = await payments.createCustomer(
    { email: 'c@example.com', name: 'C', language: 'en', reference: {} },
    key(),
  );
  const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  const { id: product } = await stripe.products.create({ name: 'Waves' });
  const price_data = { currency: 'gbp', product, unit_amount: 450, recurring: { interval: 'month' as const } };
  const { id } = await stripe.subscriptions.create({ customer, default_payment_method: card, items: [{ price_data }] });

  expect((await payments.listSubscriptions({ customer, limit: 10 }))[0]).toMatchObject({
    id,
    price: { minor: 450, currency: 'gbp' },
  });
  expect((await payments.listPayments({ customer, limit: 10 }))[0]).toMatchObject({
    amount: { minor: 450, currency: 'gbp' },
  });
});

test('an entry of a kind that we do not know is read as another one', async () => {
  const { data } = await stripe.balanceTransactions.list({ limit: 1 });

  expect(toBookEntry({ ...data[0]!, reporting_category: 'climate_order_purchase' })).toMatchObject({ kind: 'other' });
});

test('sandbox: the next payments of a running subscription go to another account, at another percentage, or to us', async () => {
  const [first, second] = [await onboardAccount(remote), await onboardAccount(remote)];
  const { id: customer } = await payments.createCustomer(
    { email: 'd@example.com', name: 'D', language: 'es', reference: {} },
    key(),
  );
  const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  const terms = { name: 'Olas', price: eur(1000), every: 'month' as const, reference: {} };
  const sharing = { account: first, feePercent: 10 };
  const { id } = await payments.subscribe({ customer, card, ...terms, sharing }, key());
  const shares = async () => {
    await remote.sandbox.capture();
    const [transfers, fees] = await Promise.all([
      payments.listTransfers({ limit: 1 }),
      payments.listApplicationFees({ limit: 1 }),
    ]);
    return [transfers[0]!.account, fees[0]!.amount.minor];
  };
  const nextMonth = async () => {
    clock.now = later(clock.now, DAYS(32));
    await remote.sandbox.tick();
    clock.now = later(clock.now, HOURS(2));
    await remote.sandbox.tick();
  };
  expect(await shares()).toEqual([first, 100]);

  await payments.setShare(id, { account: second, feePercent: 4.5 }, key());
  await nextMonth();
  expect(await shares()).toEqual([second, 45]);
  await payments.setShare(id, null, key());
  await nextMonth();

  expect(await shares()).toEqual([second, 45]);
  expect(await payments.listPayments({ customer, limit: 10 })).toHaveLength(3);
});
