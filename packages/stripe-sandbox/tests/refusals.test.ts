import { expect, test } from 'vitest';
import { onboardAccount } from '../testing/onboard-account';
import { testSandbox } from './support/sandbox';

const opened = await testSandbox();
const { stripe, fetch } = opened;
const account = await onboardAccount(opened);
const card = { payment_method: 'pm_card_visa', confirm: true };
const product_data = { name: 'x' };
const session = (unit_amount: number, more: object = {}) =>
  stripe.checkout.sessions.create({
    mode: 'payment',
    success_url: 'https://a.example',
    line_items: [{ quantity: 1, price_data: { currency: 'eur', unit_amount, product_data } }],
    ...more,
  });

test.each([
  ['a fee without a destination', { application_fee_amount: 100 }, 'application_fee_amount'],
  ['49 cents', { amount: 49 }, 'amount'],
  ['29 pence', { amount: 29, currency: 'gbp' }, 'amount'],
  ['a currency that does not exist', { currency: 'zzz' }, 'currency'],
  ['a return URL without a host', { ...card, return_url: 'nowhere' }, 'return_url'],
  [
    'a statement that is too long with the account’s prefix',
    { statement_descriptor_suffix: 'ELEVENCHARS' },
    'statement_descriptor_suffix',
  ],
  ['a customer that does not exist', { customer: 'cus_nothing' }, 'customer'],
  ['a card that does not exist', { payment_method: 'pm_nothing', confirm: true }, 'payment_method'],
])('a payment with %s is rejected with 400 and the parameter’s name', async (_, more, param) => {
  const attempt = stripe.paymentIntents.create({ amount: 1000, currency: 'eur', ...more });

  await expect(attempt).rejects.toMatchObject({ statusCode: 400, param });
});

test('30 pence are enough, and an upper-case currency is the same', async () => {
  expect(await stripe.paymentIntents.create({ amount: 30, currency: 'GBP' })).toMatchObject({ currency: 'gbp' });
});

test.each([
  ['a total below the minimum', 49, {}, 'line_items'],
  [
    'a fee without a destination',
    900,
    { payment_intent_data: { application_fee_amount: 1 } },
    'payment_intent_data[application_fee_amount]',
  ],
  [
    'a statement that is too long with the account’s prefix',
    900,
    { payment_intent_data: { statement_descriptor_suffix: 'ELEVENCHARS' } },
    'payment_intent_data[statement_descriptor_suffix]',
  ],
  ['a success URL that is none', 900, { success_url: 'javascript:alert(1)' }, 'success_url'],
  ['a cancel URL that is none', 900, { cancel_url: '//' }, 'cancel_url'],
  ['a customer that does not exist', 900, { customer: 'cus_nothing' }, 'customer'],
  ['a coupon that does not exist', 900, { discounts: [{ coupon: 'nothing' }] }, 'discounts[0][coupon]'],
])('a checkout with %s is rejected with 400 and the parameter’s name', async (_, amount, more, param) => {
  await expect(session(amount, more)).rejects.toMatchObject({ statusCode: 400, param });
});

test('percentages have at most two decimals', async () => {
  const { id: customer } = await stripe.customers.create({});
  const { id: product } = await stripe.products.create({ name: 'x' });
  const recurring = { interval: 'month' as const };
  const items = [{ price_data: { currency: 'eur', unit_amount: 900, product, recurring } }];
  const transfer_data = { destination: account };
  const subscribe = (percent: number) =>
    stripe.subscriptions.create({
      customer,
      items,
      trial_period_days: 3,
      transfer_data,
      application_fee_percent: percent,
    });

  await expect(subscribe(7.255)).rejects.toMatchObject({ param: 'application_fee_percent' });
  await expect(stripe.coupons.create({ percent_off: 33.333 })).rejects.toMatchObject({ param: 'percent_off' });
  expect(await subscribe(7.25)).toMatchObject({ application_fee_percent: 7.25 });
});

test('an id in the URL that does not exist is 404, one in a parameter 400', async () => {
  const missing = { code: 'resource_missing' };
  const inParameter = { ...missing, statusCode: 400 };
  const inUrl = { ...missing, statusCode: 404 };

  await expect(stripe.customers.retrieve('cus_nothing')).rejects.toMatchObject(inUrl);
  await expect(stripe.customers.update('cus_nothing', { name: 'x' })).rejects.toMatchObject(inUrl);
  await expect(stripe.coupons.retrieve('nothing')).rejects.toMatchObject(inUrl);
  await expect(stripe.paymentMethods.detach('pm_nothing')).rejects.toMatchObject(inUrl);
  await expect(stripe.customers.list({ starting_after: 'cus_nothing' })).rejects.toMatchObject(inParameter);
  await expect(stripe.refunds.create({ charge: 'ch_nothing' })).rejects.toMatchObject(inParameter);
  await expect(stripe.paymentMethods.attach('pm_card_visa', { customer: 'cus_nothing' })).rejects.toMatchObject(
    inParameter,
  );
});

test.each([
  ['a test key as the user name', `Basic ${btoa('sk_test_x:')}`, 200],
  ['a live key', `Basic ${btoa('sk_live_x:')}`, 401],
  ['the key in clear text', 'Basic sk_test_x', 401],
  ['a scheme in lower case', 'bearer sk_test_x', 200],
])('HTTP Basic authentication with %s', async (_, authorization, status) => {
  const response = await fetch('https://api.stripe.com/v1/customers', { headers: { authorization } });

  expect(response.status).toBe(status);
});
