import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { payByForms } from '../testing/pay-by-forms';
import { testSandbox } from './support/sandbox';

const { stripe, fetch, clock, sandbox } = await testSandbox();
const TAKE_BACK_SHARE = { reverse_transfer: true, refund_application_fee: true };
const BYPASSES_PENDING = '4000000000000077';

async function startOnboarding() {
  const { id } = await stripe.accounts.create({ type: 'standard', country: 'ES', email: 'lucia@example.com' });
  const urls = { return_url: 'https://a.example/done', refresh_url: 'https://a.example/x' };
  const { url } = await stripe.accountLinks.create({ account: id, type: 'account_onboarding', ...urls });
  return { id, url };
}

async function onboardedAccount() {
  const { id, url } = await startOnboarding();
  const response = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams({ answer: 'yes' }),
    redirect: 'manual',
  });
  return { id, location: response.headers.get('location') };
}

async function sell(account: string, number = BYPASSES_PENDING) {
  const price_data = { currency: 'eur', unit_amount: 5000, product_data: { name: 'Audiolibro' } };
  const { id, url } = await stripe.checkout.sessions.create({
    mode: 'payment',
    success_url: 'https://a.example/done',
    line_items: [{ quantity: 1, price_data }],
    payment_intent_data: { application_fee_amount: 250, transfer_data: { destination: account } },
  });
  await payByForms(fetch, url!, { number, email: 'oyente@example.com' });
  await sandbox.capture();
  return String((await stripe.checkout.sessions.retrieve(id)).payment_intent);
}

/** The platform's fee for processing a payment. */
async function feeOf(payment: string): Promise<number> {
  const expand = ['latest_charge.balance_transaction'];
  const { latest_charge } = await stripe.paymentIntents.retrieve(payment, { expand });
  return ((latest_charge as Stripe.Charge).balance_transaction as Stripe.BalanceTransaction).fee;
}

async function balance(account?: string): Promise<number> {
  const { available, pending } = await stripe.balance.retrieve({}, account ? { stripeAccount: account } : {});
  return [...available, ...pending].reduce((all, { amount }) => all + amount, 0);
}

test('the onboarding page completes the account and redirects back', async () => {
  const { id, location } = await onboardedAccount();

  expect(location).toBe('https://a.example/done');
  expect(await stripe.accounts.retrieve(id)).toMatchObject({
    charges_enabled: true,
    payouts_enabled: true,
    requirements: { currently_due: [] },
  });
});

test.each([
  ['another token', /token=\w+/, 'token=x'],
  ['no token', /token=\w+/, ''],
  ['an account that does not exist', /acct_\w+/, 'acct_x'],
])('the onboarding page neither opens nor redirects with %s', async (_, part, replacement) => {
  const { id, url: link } = await startOnboarding();
  const url = `${link.replace(part, replacement)}&return_url=https://evil.example`;

  const page = await fetch(url);
  const response = await fetch(url, { method: 'POST', redirect: 'manual' });

  expect([page.status, response.status]).toEqual([404, 404]);
  expect(await page.text()).not.toContain('evil.example');
  expect(response.headers.get('location')).toBeNull();
  expect(await stripe.accounts.retrieve(id)).toMatchObject({ charges_enabled: false });
});

test('an onboarding link expires after five minutes, and leads to where a new one is made', async () => {
  const { id, url } = await startOnboarding();

  clock.now = new Date(clock.now.getTime() + 300_000);
  const response = await fetch(url, { method: 'POST', redirect: 'manual' });

  expect(response.headers.get('location')).toBe('https://a.example/x');
  expect(await stripe.accounts.retrieve(id)).toMatchObject({ charges_enabled: false });
});

test('a sale pays the account the price less the fee, and the platform the fee less processing', async () => {
  const { id } = await onboardedAccount();
  const before = await balance();

  const payment = await sell(id);

  const fee = await feeOf(payment);
  expect(await balance(id)).toBe(4750);
  expect((await balance()) - before).toBe(250 - fee);
});

test('a refund that takes back the share leaves only the processing fee', async () => {
  const { id } = await onboardedAccount();
  const before = await balance();
  const payment = await sell(id);

  await stripe.refunds.create({ payment_intent: payment, ...TAKE_BACK_SHARE });

  const fee = await feeOf(payment);
  expect(await balance(id)).toBe(0);
  expect((await balance()) - before).toBe(0 - fee);
});

test('a half refund takes back half of each share', async () => {
  const { id } = await onboardedAccount();
  const payment = await sell(id);

  await stripe.refunds.create({ payment_intent: payment, amount: 2500, ...TAKE_BACK_SHARE });

  expect(await balance(id)).toBe(2375);
});

test('a subscription shares a percentage every month', async () => {
  const { id: account } = await onboardedAccount();
  const { id: customer } = await stripe.customers.create({});
  const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  const { id: product } = await stripe.products.create({ name: 'x' });
  const price_data = { currency: 'eur', unit_amount: 1000, product, recurring: { interval: 'month' as const } };
  await stripe.balanceSettings.update(
    { payments: { payouts: { schedule: { interval: 'manual' } } } },
    { stripeAccount: account },
  );
  await stripe.subscriptions.create({
    customer,
    default_payment_method: card,
    items: [{ price_data }],
    application_fee_percent: 10,
    transfer_data: { destination: account },
  });

  clock.now = new Date('2026-03-01T10:00:00Z');
  await sandbox.tick();

  expect(await balance(account)).toBe(1800);
});

test('a direct charge on the account pays the fee to the platform', async () => {
  const { id } = await onboardedAccount();
  const before = await balance();
  const options = { stripeAccount: id };

  const intent = await stripe.paymentIntents.create(
    {
      amount: 2000,
      currency: 'eur',
      payment_method: 'pm_card_bypassPending',
      confirm: true,
      application_fee_amount: 200,
    },
    options,
  );
  await sandbox.capture();

  const charge = await stripe.charges.retrieve(
    String(intent.latest_charge),
    { expand: ['balance_transaction'] },
    options,
  );
  const { fee_details } = charge.balance_transaction as Stripe.BalanceTransaction;
  expect((await balance()) - before).toBe(200);
  expect(fee_details.map(({ type, amount }) => [type, amount])).toEqual([
    ['stripe_fee', 88],
    ['application_fee', 200],
  ]);
  expect(await balance(id)).toBe(2000 - 288);
});

test('a transfer can be partly reversed', async () => {
  const { id } = await onboardedAccount();
  await stripe.paymentIntents.create({
    amount: 50_000,
    currency: 'eur',
    payment_method: 'pm_card_bypassPending',
    confirm: true,
  });
  await sandbox.capture();

  const transfer = await stripe.transfers.create({ amount: 3000, currency: 'eur', destination: id });
  const between = await balance(id);
  await stripe.transfers.createReversal(transfer.id, { amount: 1000 });

  expect([between, await balance(id)]).toEqual([3000, 2000]);
  expect(await stripe.transfers.retrieve(transfer.id)).toMatchObject({ amount_reversed: 1000, reversed: false });
});

test('a payout is limited to the available balance', async () => {
  const { id } = await onboardedAccount();
  await sell(id);
  const options = { stripeAccount: id };

  const payout = await stripe.payouts.create({ amount: 4750, currency: 'eur' }, options);
  const tooMuch = stripe.payouts.create({ amount: 1, currency: 'eur' }, options);

  await expect(tooMuch).rejects.toMatchObject({ code: 'balance_insufficient' });
  clock.now = new Date(clock.now.getTime() + 3 * 86_400_000);
  await sandbox.tick();
  expect(await stripe.payouts.retrieve(payout.id, {}, options)).toMatchObject({ status: 'paid' });
});

test('pending funds cannot be paid out', async () => {
  const { id } = await onboardedAccount();
  await sell(id, '4242424242424242');

  const attempt = stripe.payouts.create({ amount: 100, currency: 'eur' }, { stripeAccount: id });

  await expect(attempt).rejects.toMatchObject({ code: 'balance_insufficient' });
});

test('an unknown account is rejected', async () => {
  await expect(stripe.balance.retrieve({}, { stripeAccount: 'acct_unknown' })).rejects.toMatchObject({
    code: 'account_invalid',
  });
});

test('a dispute withdraws the amount and a fee, and winning it returns both', async () => {
  const before = await balance();
  const intent = await stripe.paymentIntents.create({
    amount: 4000,
    currency: 'eur',
    payment_method: 'pm_card_createDispute',
    confirm: true,
  });
  const fee = await feeOf(intent.id);
  const [dispute] = (await stripe.disputes.list({ payment_intent: intent.id })).data;
  const withdrawn = (await balance()) - before;

  await stripe.disputes.update(dispute!.id, { evidence: { uncategorized_text: 'winning_evidence' }, submit: true });

  expect(withdrawn).toBe(0 - 2000 - fee);
  expect((await balance()) - before).toBe(4000 - fee);
});

test('a dispute without a response is lost after its deadline', async () => {
  const intent = await stripe.paymentIntents.create({
    amount: 4000,
    currency: 'eur',
    payment_method: 'pm_card_createDispute',
    confirm: true,
  });
  const [dispute] = (await stripe.disputes.list({ payment_intent: intent.id })).data;

  clock.now = new Date(clock.now.getTime() + 10 * 86_400_000);
  await sandbox.tick();

  expect(await stripe.disputes.retrieve(dispute!.id)).toMatchObject({ status: 'lost' });
});

test('a canceled payout returns the money', async () => {
  const { id } = await onboardedAccount();
  await sell(id);
  const options = { stripeAccount: id };
  const payout = await stripe.payouts.create({ amount: 4000, currency: 'eur' }, options);
  const between = await balance(id);

  await stripe.payouts.cancel(payout.id, {}, options);

  expect([between, await balance(id)]).toEqual([750, 4750]);
  await expect(stripe.payouts.cancel(payout.id, {}, options)).rejects.toMatchObject({ code: 'payouts_not_cancelable' });
});

test('an application fee can be refunded in parts up to its amount', async () => {
  const { id } = await onboardedAccount();
  await sell(id);
  const [fee] = (await stripe.applicationFees.list({ limit: 1 })).data;
  const before = await balance();

  await stripe.applicationFees.createRefund(fee!.id, { amount: 100 });
  const tooMuch = stripe.applicationFees.createRefund(fee!.id, { amount: 151 });

  await expect(tooMuch).rejects.toMatchObject({ param: 'amount' });
  expect([await balance(id), (await balance()) - before]).toEqual([4850, -100]);
  expect(await stripe.applicationFees.retrieve(fee!.id)).toMatchObject({ amount_refunded: 100, refunded: false });
});

test('an account without onboarding gets no payouts', async () => {
  const { id } = await stripe.accounts.create({ type: 'standard', country: 'ES' });

  const attempt = stripe.payouts.create({ amount: 100, currency: 'eur' }, { stripeAccount: id });

  await expect(attempt).rejects.toMatchObject({ code: 'payouts_not_allowed' });
});
