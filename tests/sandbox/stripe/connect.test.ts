import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { eur, key, visit } from '../../adapters/payments/remote-stripe';
import { payByForms } from '../../support/stripe-pages';
import { testStripe } from '../../support/stripe-sandbox';

const { stripe, payments, fetch, clock, sandbox } = await testStripe();
const sharing = (account: string) => ({ account, fee: eur(250) });
const AT_ONCE = '4000000000000077';

async function creator() {
  const account = await payments.createAccount({ email: 'lucia@example.com', country: 'ES', reference: {} }, key());
  const { url } = await payments.startAccountSetup(
    account.id,
    { returnUrl: 'https://a.example/done', refreshUrl: 'https://a.example/x' },
    key(),
  );
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams({ answer: 'yes' }), redirect: 'manual' });
  return { id: account.id, location: answer.headers.get('location') };
}

async function sold(account: string, number = AT_ONCE) {
  const buyer = { email: 'oyente@example.com' };
  const checkout = await payments.startPurchase(
    { ...visit, buyer, name: 'Audiolibro', price: eur(5000), sharing: sharing(account) },
    key(),
  );
  await payByForms(fetch, checkout.url!, { number, email: buyer.email });
  return (await payments.fetch.checkout(checkout.id)).payment!;
}

async function balance(account?: string): Promise<number> {
  const { available, pending } = await stripe.balance.retrieve({}, account ? { stripeAccount: account } : {});
  return [...available, ...pending].reduce((all, { amount }) => all + amount, 0);
}

test('the owner gives what was missing, and comes back', async () => {
  const { id, location } = await creator();

  expect(location).toBe('https://a.example/done');
  expect(await payments.fetch.account(id)).toMatchObject({ chargesEnabled: true, payoutsEnabled: true, missing: [] });
});

test.each([
  ['another token', /token=\w+/, 'token=x'],
  ['no token', /token=\w+/, ''],
  ['an account that does not exist', /acct_\w+/, 'acct_x'],
])('nobody gives an owner’s details, or is sent anywhere, with %s', async (_, part, spoiled) => {
  const { id } = await payments.createAccount({ email: 'lucia@example.com', country: 'ES', reference: {} }, key());
  const urls = { returnUrl: 'https://a.example/done', refreshUrl: 'https://a.example/x' };
  const link = await payments.startAccountSetup(id, urls, key());
  const url = `${link.url.replace(part, spoiled)}&return_url=https://evil.example`;

  const page = await fetch(url);
  const answer = await fetch(url, { method: 'POST', redirect: 'manual' });

  expect([page.status, answer.status]).toEqual([404, 404]);
  expect(await page.text()).not.toContain('evil.example');
  expect(answer.headers.get('location')).toBeNull();
  expect(await payments.fetch.account(id)).toMatchObject({ chargesEnabled: false });
});

test('a link to give one’s details is over after five minutes', async () => {
  const { id } = await payments.createAccount({ email: 'lucia@example.com', country: 'ES', reference: {} }, key());
  const urls = { returnUrl: 'https://a.example/done', refreshUrl: 'https://a.example/x' };
  const { url } = await payments.startAccountSetup(id, urls, key());

  clock.now = new Date(clock.now.getTime() + 300_000);

  expect((await fetch(url, { method: 'POST' })).status).toBe(404);
});

test('of a sale the account has the price less the fee, and the platform the fee less the processing', async () => {
  const { id } = await creator();
  const before = await balance();

  const payment = await sold(id);

  const { fee } = await payments.fetch.payment(payment);
  expect(await balance(id)).toBe(4750);
  expect((await balance()) - before).toBe(250 - fee!.minor);
});

test('a refund that takes the share back leaves nobody with anything but the processing fee', async () => {
  const { id } = await creator();
  const before = await balance();
  const payment = await sold(id);

  await payments.refund(payment, { reference: {}, takeBackShare: true }, key());

  const { fee } = await payments.fetch.payment(payment);
  expect(await balance(id)).toBe(0);
  expect((await balance()) - before).toBe(0 - fee!.minor);
});

test('half a refund takes half of each back', async () => {
  const { id } = await creator();
  const payment = await sold(id);

  await payments.refund(payment, { amount: eur(2500), reference: {}, takeBackShare: true }, key());

  expect(await balance(id)).toBe(2375);
});

test('a subscription shares by percentage, each month', async () => {
  const { id: account } = await creator();
  const { id: customer } = await stripe.customers.create({});
  const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  const terms = { name: 'x', price: eur(1000), every: 'month' as const, reference: {} };
  await payments.subscribe({ customer, card, ...terms, sharing: { account, feePercent: 10 } }, key());

  clock.now = new Date('2026-03-01T10:00:00Z');
  await sandbox.tick();

  expect(await balance(account)).toBe(1800);
});

test('a direct charge on the account pays the fee to the platform', async () => {
  const { id } = await creator();
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

test('money can be transferred and taken back', async () => {
  const { id } = await creator();
  await stripe.paymentIntents.create({
    amount: 50_000,
    currency: 'eur',
    payment_method: 'pm_card_bypassPending',
    confirm: true,
  });

  const transfer = await stripe.transfers.create({ amount: 3000, currency: 'eur', destination: id });
  const between = await balance(id);
  await stripe.transfers.createReversal(transfer.id, { amount: 1000 });

  expect([between, await balance(id)]).toEqual([3000, 2000]);
  expect(await stripe.transfers.retrieve(transfer.id)).toMatchObject({ amount_reversed: 1000, reversed: false });
});

test('a payout takes what is available to the bank, and not more', async () => {
  const { id } = await creator();
  await sold(id);
  const options = { stripeAccount: id };

  const payout = await stripe.payouts.create({ amount: 4750, currency: 'eur' }, options);
  const tooMuch = stripe.payouts.create({ amount: 1, currency: 'eur' }, options);

  await expect(tooMuch).rejects.toMatchObject({ code: 'balance_insufficient' });
  clock.now = new Date(clock.now.getTime() + 3 * 86_400_000);
  await sandbox.tick();
  expect(await stripe.payouts.retrieve(payout.id, {}, options)).toMatchObject({ status: 'paid' });
});

test('what came in lately can’t be paid out yet', async () => {
  const { id } = await creator();
  await sold(id, '4242424242424242');

  const attempt = stripe.payouts.create({ amount: 100, currency: 'eur' }, { stripeAccount: id });

  await expect(attempt).rejects.toMatchObject({ code: 'balance_insufficient' });
});

test('an account that is not known is refused', async () => {
  await expect(stripe.balance.retrieve({}, { stripeAccount: 'acct_nobody' })).rejects.toMatchObject({
    code: 'account_invalid',
  });
});

test('a disputed payment takes amount and fee, and a won one gives the amount back', async () => {
  const before = await balance();
  const intent = await stripe.paymentIntents.create({
    amount: 4000,
    currency: 'eur',
    payment_method: 'pm_card_createDispute',
    confirm: true,
  });
  const { fee } = await payments.fetch.payment(intent.id);
  const [dispute] = (await stripe.disputes.list({ payment_intent: intent.id })).data;
  const taken = (await balance()) - before;

  await payments.answerDispute(dispute!.id, 'winning_evidence', key());

  expect(taken).toBe(0 - 1500 - fee!.minor);
  expect((await balance()) - before).toBe(4000 - 1500 - fee!.minor);
});

test('a dispute that nobody answers is lost when its time is over', async () => {
  const intent = await stripe.paymentIntents.create({
    amount: 4000,
    currency: 'eur',
    payment_method: 'pm_card_createDispute',
    confirm: true,
  });
  const [dispute] = (await stripe.disputes.list({ payment_intent: intent.id })).data;

  clock.now = new Date(clock.now.getTime() + 10 * 86_400_000);
  await sandbox.tick();

  expect(await payments.fetch.dispute(dispute!.id)).toMatchObject({ status: 'lost' });
});

test('a payout that is taken back gives the money back', async () => {
  const { id } = await creator();
  await sold(id);
  const options = { stripeAccount: id };
  const payout = await stripe.payouts.create({ amount: 4000, currency: 'eur' }, options);
  const between = await balance(id);

  await stripe.payouts.cancel(payout.id, {}, options);

  expect([between, await balance(id)]).toEqual([750, 4750]);
  await expect(stripe.payouts.cancel(payout.id, {}, options)).rejects.toMatchObject({ code: 'payouts_not_cancelable' });
});

test('an application fee is given back in parts, and no more than it was', async () => {
  const { id } = await creator();
  await sold(id);
  const [fee] = (await stripe.applicationFees.list({ limit: 1 })).data;
  const before = await balance();

  await stripe.applicationFees.createRefund(fee!.id, { amount: 100 });
  const tooMuch = stripe.applicationFees.createRefund(fee!.id, { amount: 151 });

  await expect(tooMuch).rejects.toMatchObject({ param: 'amount' });
  expect([await balance(id), (await balance()) - before]).toEqual([4850, -100]);
  expect(await stripe.applicationFees.retrieve(fee!.id)).toMatchObject({ amount_refunded: 100, refunded: false });
});

test('an account without its details is paid out nothing', async () => {
  const { id } = await stripe.accounts.create({ type: 'standard', country: 'ES' });

  const attempt = stripe.payouts.create({ amount: 100, currency: 'eur' }, { stripeAccount: id });

  await expect(attempt).rejects.toMatchObject({ code: 'payouts_not_allowed' });
});
