import { onboardAccount } from 'stripe-sandbox/testing/onboard-account';
import { payByForms } from 'stripe-sandbox/testing/pay-by-forms';
import { expect, test } from 'vitest';
import { statementSuffix } from '~/server/adapters/payments/sellers';
import { testStripe } from '../../support/stripe-sandbox';
import { customerWithCard, eur, key, visit } from './remote-stripe';
import { runInSandbox } from './run-suite';
import { saleChecks } from './sales.suite';

await runInSandbox(saleChecks);

const sandbox = await testStripe();
const { payments, stripe, fetch, clock } = sandbox;
const account = await onboardAccount(sandbox);
const remote = { payments, stripe, real: false, pay: async () => {}, capture: sandbox.sandbox.capture };
const purchase = { ...visit, buyer: { email: 'a@example.com' }, name: 'Audiolibro', price: eur(1299) };
const buyWith = (url: string, number: string, proven?: boolean) =>
  payByForms(fetch, url, { number, email: 'a@example.com', proven });

/** The fee and the destination of a checkout's payment. */
async function shareOf(payment: string | null) {
  const intent = await stripe.paymentIntents.retrieve(payment ?? '');
  return { paid: intent.amount, fee: intent.application_fee_amount, to: intent.transfer_data?.destination };
}

test.each([
  ['no coupon', undefined, 7.25, { paid: 1299, fee: 94 }],
  ['a percentage', { percent: 33.33 }, 7.25, { paid: 866, fee: 63 }],
  ['a flat amount', eur(300), 10, { paid: 999, fee: 100 }],
  ['half of the price, with half a cent', { percent: 50 }, 0.5, { paid: 649, fee: 3 }],
])('the platform’s percentage of a purchase with %s is of the paid amount', async (_, off, feePercent, expected) => {
  const coupon = off && (await payments.createCoupon({ id: key(), off, length: 'once' }, key())).id;
  const { id, url } = await payments.startPurchase({ ...purchase, coupon, sharing: { account, feePercent } }, key());

  await buyWith(url!, '4242424242424242');

  expect(await shareOf((await payments.fetch.checkout(id)).payment)).toEqual({ ...expected, to: account });
});

test('a percentage of nothing is no share', async () => {
  const { id: coupon } = await payments.createCoupon({ id: key(), off: { percent: 100 }, length: 'once' }, key());
  const sharing = { account, feePercent: 10 };
  const { id, url } = await payments.startPurchase({ ...purchase, coupon, sharing }, key());

  await buyWith(url!, '4242424242424242');

  expect(await payments.fetch.checkout(id)).toMatchObject({ settled: true, total: eur(0), payment: null });
});

test('donations and charges of a saved card share a percentage too', async () => {
  const { customer, card } = await customerWithCard(remote);
  const sharing = { account, feePercent: 7.25 };
  const donation = { ...visit, buyer: { email: 'a@example.com' }, name: 'Donativo', amount: eur(500), every: null };
  const { id, url } = await payments.startDonation({ ...donation, sharing }, key());

  await buyWith(url!, '4242424242424242');
  const charged = await payments.charge({ customer, card, amount: eur(500), name: 'x', reference: {}, sharing }, key());

  for (const payment of [(await payments.fetch.checkout(id)).payment, charged.id])
    expect(await shareOf(payment)).toEqual({ paid: 500, fee: 36, to: account });
});

test('after its deadline, a page takes no payment, not even one that was being authenticated', async () => {
  const expiresAt = new Date(clock.now.getTime() + 30 * 60_000);
  const [late, authenticating] = [
    await payments.startPurchase({ ...purchase, expiresAt }, key()),
    await payments.startPurchase({ ...purchase, expiresAt }, key()),
  ];
  const form = { step: 'pay', number: '4000002760003184', email: 'a@example.com' };
  const answer = await fetch(authenticating.url!, {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'manual',
  });
  clock.now = new Date(expiresAt.getTime());

  await buyWith(late.url!, '4242424242424242');
  await fetch(answer.headers.get('location')!, { method: 'POST', body: new URLSearchParams({ answer: 'yes' }) });
  await sandbox.sandbox.tick();

  for (const { id } of [late, authenticating])
    expect(await payments.fetch.checkout(id)).toMatchObject({
      status: 'expired',
      settled: false,
      payment: null,
      url: null,
    });
});

test.each([
  ['Lucía', 'LUCIA'],
  ['Los amigos de la radio', 'LOS AMIGOS'],
  ['La  "Voz" * 24', 'LA VOZ 24'],
  ['Ñ', 'N'],
  ['Radio 3\u00a0FM', 'RADIO 3FM'],
  ['2026', undefined],
  ['أصوات', undefined],
  ['声', undefined],
  ['', undefined],
])('the name %j is %j on a card statement', (name, suffix) => {
  expect(statementSuffix({ label: 'Sold by', name })).toBe(suffix);
});
