import type Stripe from 'stripe';
import { beforeEach, expect, test } from 'vitest';
import { onboardAccount } from '../testing/onboard-account';
import { testSandbox } from './support/sandbox';

const opened = await testSandbox();
const { stripe, sandbox, clock, client } = opened;
const DAY = 86_400_000;

beforeEach(() => sandbox.setTiming({ captureSeconds: 3, settlementDays: 7 }));

const pay = (more: Partial<Stripe.PaymentIntentCreateParams> = {}, options: Stripe.RequestOptions = {}) => {
  const terms = { amount: 5000, currency: 'eur', payment_method: 'pm_card_visa', confirm: true };
  const expand = ['latest_charge'];
  return stripe.paymentIntents.create({ ...terms, ...more, expand }, options);
};
const chargeOf = ({ latest_charge }: Stripe.PaymentIntent, options: Stripe.RequestOptions = {}) =>
  stripe.charges.retrieve((latest_charge as Stripe.Charge).id, { expand: ['balance_transaction'] }, options);
async function pass(ms: number): Promise<void> {
  clock.now = new Date(clock.now.getTime() + ms);
  await sandbox.tick();
}
/** The events about a charge, oldest first, as their endpoints get them. */
const eventsOf = async ({ latest_charge }: Stripe.PaymentIntent) => {
  const rows = await client<{ data: Stripe.Event }[]>`
    select data from sandbox_stripe.objects where kind = 'event'
      and data->'data'->'object'->>'id' = ${(latest_charge as Stripe.Charge).id} order by number`;
  return rows.map(({ data }) => data as Stripe.ChargeSucceededEvent | Stripe.ChargeUpdatedEvent);
};
const UNKNOWN = { balance_transaction: null, application_fee: null };
const hasTransfer = ({ transfer }: Stripe.Charge) => typeof transfer === 'string';

test.each(['destination', 'direct'])('a %s charge is captured later, and an event reports it', async (kind) => {
  const account = await onboardAccount(opened);
  const isDirect = kind === 'direct';
  const options = isDirect ? { stripeAccount: account } : {};
  const intent = await pay(
    { application_fee_amount: 500, ...(!isDirect && { transfer_data: { destination: account } }) },
    options,
  );

  await pass(2000);
  const before = await chargeOf(intent, options);
  await pass(1000);

  expect(intent).toMatchObject({ status: 'succeeded', latest_charge: { captured: true, paid: true, ...UNKNOWN } });
  expect(before).toMatchObject(UNKNOWN);
  expect([hasTransfer(before), hasTransfer(await chargeOf(intent, options))]).toEqual([false, !isDirect]);
  expect(await chargeOf(intent, options)).toMatchObject({
    balance_transaction: { amount: 5000 },
    application_fee: expect.stringMatching(/^fee_/),
  });
  const [succeeded, updated, ...more] = await eventsOf(intent);
  expect(succeeded).toMatchObject({ type: 'charge.succeeded', data: { object: UNKNOWN } });
  expect(updated).toMatchObject({
    type: 'charge.updated',
    data: {
      object: { balance_transaction: expect.stringMatching(/^txn_/) },
      previous_attributes: { balance_transaction: null, application_fee: null, ...(!isDirect && { transfer: null }) },
    },
  });
  expect(more).toEqual([]);
});

test('the payments of subscriptions are captured later, too, also on a test clock', async () => {
  const { id: test_clock } = await stripe.testHelpers.testClocks.create({ frozen_time: 1_780_000_000 });
  const { id: customer } = await stripe.customers.create({ test_clock });
  const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  const { id: product } = await stripe.products.create({ name: 'x' });
  const price_data = { currency: 'eur', unit_amount: 1000, product, recurring: { interval: 'month' as const } };
  await stripe.subscriptions.create({ customer, default_payment_method: card, items: [{ price_data }] });
  const transactions = async () =>
    (await stripe.charges.list({ customer })).data.map(({ balance_transaction }) => balance_transaction !== null);

  const first = await transactions();
  await stripe.testHelpers.testClocks.advance(test_clock, { frozen_time: 1_780_000_003 });
  const later = await transactions();
  await stripe.testHelpers.testClocks.advance(test_clock, { frozen_time: 1_780_000_003 + 33 * 86_400 });

  expect([first, later, await transactions()]).toEqual([[false], [true], [true, true]]);
});

test('the time of the capture can be set: at once, or in a day; a control completes it now', async () => {
  sandbox.setTiming({ captureSeconds: null });
  const atOnce = await pay();
  sandbox.setTiming({ captureSeconds: 86_400 });
  const late = await pay();
  await pass(DAY - 1000);
  const waiting = await chargeOf(late);

  const captured = await sandbox.capture();

  expect((atOnce.latest_charge as Stripe.Charge).balance_transaction).not.toBeNull();
  expect(waiting.balance_transaction).toBeNull();
  expect([captured, await sandbox.capture()]).toEqual([1, 0]);
  expect((await chargeOf(late)).balance_transaction).toMatchObject({ amount: 5000 });
  await pass(DAY);
  expect((await stripe.balanceTransactions.list({ source: (await chargeOf(late)).id })).data).toHaveLength(1);
});

test('what needs the transaction completes the capture: a refund, and a dispute', async () => {
  const account = await onboardAccount(opened);
  const shared = await pay({ transfer_data: { destination: account } });
  const disputed = await pay({ payment_method: 'pm_card_createDispute' });

  await stripe.refunds.create({ payment_intent: shared.id, reverse_transfer: true });

  expect((await chargeOf(shared)).balance_transaction).toMatchObject({ amount: 5000 });
  expect((await chargeOf(disputed)).balance_transaction).toMatchObject({ amount: 5000 });
  const typesOf = async (intent: Stripe.PaymentIntent) => (await eventsOf(intent)).map(({ type }) => type);
  expect(await typesOf(shared)).toEqual(['charge.succeeded', 'charge.updated', 'charge.refunded']);
  // the second one is about the dispute
  expect(await typesOf(disputed)).toEqual(['charge.succeeded', 'charge.updated', 'charge.updated']);
});

test.each([2, 7, 14])('money stays pending for %i days, as the account’s country has it', async (settlementDays) => {
  sandbox.setTiming({ settlementDays });
  const intent = await pay();
  await sandbox.capture();
  const { balance_transaction } = await chargeOf(intent);
  const { available_on, created, status } = balance_transaction as Stripe.BalanceTransaction;

  expect([available_on - created, status]).toEqual([settlementDays * 86_400, 'pending']);
  expect((await stripe.balanceSettings.retrieve()).payments.settlement_timing.delay_days).toBe(settlementDays);
  await pass(settlementDays * DAY);
  expect((await chargeOf(intent)).balance_transaction).toMatchObject({ id: expect.any(String) });
  expect(await stripe.balanceTransactions.retrieve((balance_transaction as { id: string }).id)).toMatchObject({
    status: 'available',
  });
});

test('other processes set times over HTTP', async () => {
  const post = async (body: string) => {
    const answer = await sandbox.app.request('/_control/timing', { method: 'POST', body });
    return answer.json();
  };
  await post('capture=none&settlement=2');
  const atOnce = await pay();
  await post('capture=60');
  await pay();

  expect(await post('captured=true')).toEqual({ captured: 1 });
  const { available_on, created } = (await chargeOf(atOnce)).balance_transaction as Stripe.BalanceTransaction;
  expect(available_on - created).toBe(2 * 86_400);
});
