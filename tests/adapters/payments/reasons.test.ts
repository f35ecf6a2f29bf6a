import { expect, test } from 'vitest';
import { stripePayments } from '~/server/adapters/payments/stripe';
import { testStripe } from '../../support/stripe-sandbox';
import { eur, key, newSubscriber, visit } from './remote-stripe';

const { fetch, stripe, payments: direct } = await testStripe();
const remote = { payments: direct, stripe, real: false, pay: async () => {}, capture: async () => {} };
const terms = { price: eur(900), every: 'month' as const };

/** A Stripe that rejects every change with a message but no code. */
const payments = stripePayments({
  secretKey: 'sk_test_x',
  webhookSecrets: [],
  production: false,
  async fetch(input, init) {
    if (init?.method === 'GET') return fetch(input, init);
    return Response.json({ error: { type: 'invalid_request_error', message: 'No.' } }, { status: 400 });
  },
});

/** The code and the cause of each failure. */
async function failures(attempts: Promise<unknown>[]) {
  const outcomes = await Promise.allSettled(attempts);
  return outcomes.map((outcome) => {
    if (outcome.status === 'fulfilled') return outcome.value;
    return [outcome.reason.code, String(outcome.reason.cause)];
  });
}

test('the object’s state explains an error without a code', async () => {
  const { customer, subscription } = await newSubscriber(remote);
  const [invoice] = await direct.listInvoices(customer, 1);
  const payment = invoice!.payment!;
  const page = await direct.startPurchase({ ...visit, buyer: { customer }, name: 'x', price: eur(500) }, key());
  const coupon = { id: key(), off: { percent: 100 }, length: 'once' as const, maxRedemptions: 1 };
  await direct.createCoupon(coupon, key());
  await newSubscriber(remote, { coupon: coupon.id });
  await direct.refund(payment, { amount: eur(400), reference: {} }, key());
  await direct.expireCheckout(page.id, key());
  await direct.cancel(subscription.id, 'now', key());

  const found = await failures([
    payments.refund(payment, { amount: eur(100), reference: {} }, key()),
    payments.expireCheckout(page.id, key()),
    payments.changeSubscription(subscription.id, { ...terms, at: new Date() }, key()),
    payments.payInvoice(invoice!.id, key()),
    payments.startSubscription({ ...visit, customer, name: 'x', ...terms, coupon: coupon.id }, key()),
  ]);

  const conflict = ['payments.conflict', 'Error: No.'];
  expect(found).toEqual([...Array(4).fill(conflict), ['payments.coupon_not_redeemable', 'Error: No.']]);
});

test('no change of a subscription that has ended is possible', async () => {
  const { card, subscription } = await newSubscriber(remote);
  const { id } = subscription;
  await direct.cancel(id, 'now', key());

  const found = await failures([
    direct.cancel(id, 'at_period_end', key()),
    direct.resume(id, key()),
    direct.pause(id, null, key()),
    direct.resumeCollection(id, key()),
    direct.setSubscriptionCard(id, card, key()),
    direct.changeSubscription(id, { ...terms, at: new Date() }, key()),
    direct.preview(id, { ...terms, at: new Date() }),
    direct.preview(id, null),
  ]);

  expect(found.map((failure) => (failure as string[])[0])).toEqual(Array(8).fill('payments.conflict'));
});

test('a customer’s second subscription in another currency is a conflict', async () => {
  const { customer, card } = await newSubscriber(remote);
  const price = { minor: 900, currency: 'usd' as const };
  const plan = { customer, name: 'x', price, every: 'month' as const };

  const found = await failures([
    direct.subscribe({ ...plan, card, reference: {} }, key()),
    direct.startSubscription({ ...visit, ...plan }, key()),
  ]);

  expect(found.map((failure) => (failure as string[])[0])).toEqual(Array(2).fill('payments.conflict'));
});

test('an error that the state does not explain stays `payments.rejected`', async () => {
  const { customer, subscription } = await newSubscriber(remote);
  const [invoice] = await direct.listInvoices(customer, 1);
  const page = await direct.startPurchase({ ...visit, buyer: { customer }, name: 'x', price: eur(500) }, key());

  const found = await failures([
    payments.refund(invoice!.payment!, { amount: eur(100), reference: {} }, key()),
    payments.expireCheckout(page.id, key()),
    payments.changeSubscription(subscription.id, { ...terms, at: new Date() }, key()),
    payments.payInvoice('in_nothing', key()),
    payments.startSubscription({ ...visit, customer, name: 'x', ...terms }, key()),
  ]);

  expect(found).toEqual(Array(5).fill(['payments.rejected', 'Error: No.']));
});
