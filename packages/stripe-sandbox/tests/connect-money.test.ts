import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { onboardAccount } from '../testing/onboard-account';
import { payByForms } from '../testing/pay-by-forms';
import { testSandbox } from './support/sandbox';

const opened = await testSandbox();
const { stripe, fetch, clock, sandbox, client } = opened;
const DAY = 86_400_000;
const PENDING = 7 * DAY;

/** A payment that is captured. */
const pay = async (more: Partial<Stripe.PaymentIntentCreateParams>, options: Stripe.RequestOptions = {}) => {
  const terms = { amount: 5000, currency: 'eur', payment_method: 'pm_card_visa', confirm: true };
  const intent = await stripe.paymentIntents.create({ ...terms, ...more }, options);
  await sandbox.capture();
  return intent;
};
const pass = async (ms: number) => {
  clock.now = new Date(clock.now.getTime() + ms);
  await sandbox.tick();
};
const available = async (account: string) => {
  const { available: parts } = await stripe.balance.retrieve({}, { stripeAccount: account });
  return parts.reduce((all, { amount }) => all + amount, 0);
};

test.each(['payment', 'checkout', 'subscription', 'transfer', 'direct charge'])(
  'an account that was never onboarded cannot be paid by a %s',
  async (way) => {
    const { id: account } = await stripe.accounts.create({ type: 'standard', country: 'ES' });
    const transfer_data = { destination: account };
    const { id: customer } = await stripe.customers.create({});
    const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
    const { id: product } = await stripe.products.create({ name: 'x' });
    const price_data = { currency: 'eur', unit_amount: 500, product };
    const monthly = { ...price_data, recurring: { interval: 'month' as const } };
    const attempts: Record<string, () => Promise<unknown>> = {
      payment: () => pay({ transfer_data }),
      checkout: () =>
        stripe.checkout.sessions.create({
          mode: 'payment',
          success_url: 'https://a.example/done',
          line_items: [{ quantity: 1, price_data }],
          payment_intent_data: { application_fee_amount: 250, transfer_data },
        }),
      subscription: () =>
        stripe.subscriptions.create({
          customer,
          default_payment_method: card,
          items: [{ price_data: monthly }],
          application_fee_percent: 10,
          transfer_data,
        }),
      transfer: () => stripe.transfers.create({ amount: 1, currency: 'eur', destination: account }),
      'direct charge': () => pay({}, { stripeAccount: account }),
    };

    const error: unknown = await attempts[way]!().catch((reason: unknown) => reason);

    expect(error).toMatchObject({
      code: way === 'direct charge' ? 'account_invalid' : 'insufficient_capabilities_for_transfer',
    });
  },
);

test('what a charge transfers becomes available with the charge', async () => {
  const account = await onboardAccount(opened);
  await stripe.balanceSettings.update(
    { payments: { payouts: { schedule: { interval: 'manual' } } } },
    { stripeAccount: account },
  );
  const { latest_charge } = await pay({ transfer_data: { destination: account }, application_fee_amount: 500 });
  const separate = await pay({});
  const source_transaction = String(separate.latest_charge);
  await stripe.transfers.create({ amount: 1000, currency: 'eur', destination: account, source_transaction });

  const early = await available(account);
  const { data } = await stripe.balanceTransactions.list({ type: 'transfer', limit: 2 });
  await pass(PENDING);

  expect(latest_charge).toMatch(/^ch_/);
  expect([early, await available(account)]).toEqual([0, 5500]);
  expect(data.map(({ status }) => status)).toEqual(['pending', 'pending']);
});

test('`account.updated` goes to the endpoints for connected accounts, with the account’s id', async () => {
  const url = 'http://hooks.example/';
  const enabled_events = ['account.updated' as const];
  const own = await stripe.webhookEndpoints.create({ url, enabled_events });
  const connected = await stripe.webhookEndpoints.create({ url, enabled_events, connect: true });

  const account = await onboardAccount(opened);

  const rows =
    await client`select account, endpoint from sandbox_stripe.deliveries where endpoint in (${own.id}, ${connected.id}) order by number`;
  expect([...rows]).toEqual([{ account, endpoint: connected.id }]);
  const { data } = await stripe.events.list({ type: 'account.updated' }, { stripeAccount: account });
  expect(data).toMatchObject([{ account, data: { object: { id: account, charges_enabled: true } } }]);
});

test('a percentage of a subscription is transferred, and later invoices follow a change', async () => {
  const [first, second] = [await onboardAccount(opened), await onboardAccount(opened)];
  const { id: customer } = await stripe.customers.create({});
  const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  const { id: product } = await stripe.products.create({ name: 'Ruido' });
  const price_data = { currency: 'eur', unit_amount: 999, product, recurring: { interval: 'month' as const } };
  const { id } = await stripe.subscriptions.create({
    customer,
    default_payment_method: card,
    items: [{ price_data }],
    transfer_data: { destination: first, amount_percent: 80 },
  });
  const transfersTo = async (destination: string) =>
    (await stripe.transfers.list({ destination })).data.map(({ amount }) => amount);

  await stripe.subscriptions.update(id, { transfer_data: { destination: second, amount_percent: 33.33 } });
  await pass(32 * DAY);

  expect([await transfersTo(first), await transfersTo(second)]).toEqual([[799], [333]]);
});

test('the fee of a monthly donation is the percentage, to the cent, in every month', async () => {
  const account = await onboardAccount(opened);
  const { id: customer } = await stripe.customers.create({ email: 'oyente@example.com' });
  const product_data = { name: 'Donativo' };
  const price_data = { currency: 'eur', unit_amount: 123_457, product_data, recurring: { interval: 'month' as const } };
  const { url } = await stripe.checkout.sessions.create({
    mode: 'subscription',
    customer,
    success_url: 'https://a.example/done',
    line_items: [{ quantity: 1, price_data }],
    subscription_data: { application_fee_percent: 7.25, transfer_data: { destination: account } },
  });
  await payByForms(fetch, url!, { number: '4242424242424242', email: 'oyente@example.com' });

  await pass(32 * DAY);

  const { data } = await stripe.applicationFees.list({ limit: 100 });
  const fees = data.filter((fee) => fee.account === account).map((fee) => fee.amount);
  expect(fees).toEqual([8951, 8951]);
});

test('a payment that was taken back in full is marked as refunded at the account, and so is its fee', async () => {
  const account = await onboardAccount(opened);
  const intent = await pay({ transfer_data: { destination: account }, application_fee_amount: 500 });
  const both = { reverse_transfer: true, refund_application_fee: true };
  const state = async () => {
    const expand = ['transfer', 'application_fee'];
    const charge = await stripe.charges.retrieve(String(intent.latest_charge), { expand });
    const { destination_payment: id } = await stripe.transfers.retrieve((charge.transfer as Stripe.Transfer).id);
    const payment = await stripe.charges.retrieve(String(id), {}, { stripeAccount: account });
    return [charge.refunded, payment.refunded, (charge.application_fee as Stripe.ApplicationFee).refunded];
  };

  await stripe.refunds.create({ payment_intent: intent.id, amount: 2000, ...both });
  const half = await state();
  await stripe.refunds.create({ payment_intent: intent.id, ...both });

  expect([half, await state()]).toEqual([
    [false, false, false],
    [true, true, true],
  ]);
});

test('reports tell a returned fee and a won dispute from a dispute', async () => {
  const account = await onboardAccount(opened);
  const shared = await pay({ transfer_data: { destination: account }, application_fee_amount: 500 });
  await stripe.refunds.create({ payment_intent: shared.id, reverse_transfer: true, refund_application_fee: true });
  const { id: payment_intent } = await pay({ payment_method: 'pm_card_createDispute' });
  const [dispute] = (await stripe.disputes.list({ payment_intent })).data;
  const evidence = { uncategorized_text: 'winning_evidence' };
  const { balance_transactions } = await stripe.disputes.update(dispute!.id, { evidence, submit: true });

  const { data } = await stripe.balanceTransactions.list({ type: 'adjustment' }, { stripeAccount: account });

  const categories = [...balance_transactions, ...data].map((booked) => booked.reporting_category);
  expect(categories).toEqual(['dispute', 'dispute_reversal', 'fee']);
});

test('an onboarded account is paid out every day, and each payout lists what it contains', async () => {
  const account = await onboardAccount(opened);
  const options = { stripeAccount: account };
  await pay({ transfer_data: { destination: account }, application_fee_amount: 500 });
  await pass(2 * DAY);
  await pay({ transfer_data: { destination: account } });

  await pass(PENDING + 5 * DAY);

  const payouts = (await stripe.payouts.list({}, options)).data;
  const contents = await Promise.all(
    payouts.map(async ({ id }) => (await stripe.balanceTransactions.list({ payout: id }, options)).data),
  );
  expect(payouts.map(({ amount, automatic, status }) => [amount, automatic, status])).toEqual([
    [5000, true, 'paid'],
    [4500, true, 'paid'],
  ]);
  expect(contents.map((parts) => parts.map(({ type, net }) => [type, net]))).toEqual([
    [
      ['payout', -5000],
      ['payment', 5000],
    ],
    [
      ['payout', -4500],
      ['payment', 4500],
    ],
  ]);
  expect(await available(account)).toBe(0);
});

test('with a manual schedule, nothing is paid out by itself', async () => {
  const account = await onboardAccount(opened);
  const options = { stripeAccount: account };
  await stripe.balanceSettings.update({ payments: { payouts: { schedule: { interval: 'manual' } } } }, options);
  await pay({ transfer_data: { destination: account } });

  await pass(PENDING + 5 * DAY);

  expect((await stripe.payouts.list({}, options)).data).toEqual([]);
  expect(await available(account)).toBe(5000);
});

test('the lists inside objects answer at their addresses, and so does each entry', async () => {
  const account = await onboardAccount(opened);
  const intent = await pay({ transfer_data: { destination: account }, application_fee_amount: 500 });
  const both = { reverse_transfer: true, refund_application_fee: true };
  for (const amount of [1000, 500, 300]) await stripe.refunds.create({ payment_intent: intent.id, amount, ...both });
  const charge = await stripe.charges.retrieve(String(intent.latest_charge), { expand: ['refunds'] });
  const transfer = String(charge.transfer);
  const fee = String(charge.application_fee);

  const reversals = await stripe.transfers.listReversals(transfer, { limit: 2 });
  const feeRefunds = await stripe.applicationFees.listRefunds(fee).autoPagingToArray({ limit: 10 });

  expect(reversals).toMatchObject({ has_more: true, data: [{ amount: 300 }, { amount: 500 }] });
  expect(feeRefunds.map(({ amount }) => amount)).toEqual([30, 50, 100]);
  expect(await stripe.rawRequest('GET', charge.refunds!.url)).toMatchObject({ data: [{ amount: 300 }, {}, {}] });
  expect(await stripe.transfers.retrieveReversal(transfer, reversals.data[0]!.id)).toMatchObject({ amount: 300 });
  expect(await stripe.applicationFees.retrieveRefund(fee, feeRefunds[0]!.id)).toMatchObject({ amount: 30 });
  await expect(stripe.transfers.listReversals('tr_nothing')).rejects.toMatchObject({ statusCode: 404 });
});
