import type Stripe from 'stripe';
import { afterEach, expect, test } from 'vitest';
import { testStripe } from '../../support/stripe-sandbox';

const { stripe, sandbox, fetch } = await testStripe();
const DAY = 86_400;
const BEGIN = Date.parse('2026-01-31T10:00:00Z') / 1000;

afterEach(() => sandbox.setDunning({ days: [1, 3, 5, 7], finally: 'cancel' }));

/** A listener of 4.99 € a month on a test clock of their own. */
async function listener(card = 'pm_card_visa', over: Partial<Stripe.SubscriptionCreateParams> = {}) {
  const { id: clock } = await stripe.testHelpers.testClocks.create({ frozen_time: BEGIN });
  const { id: customer } = await stripe.customers.create({ test_clock: clock });
  const method = card === '' ? null : (await stripe.paymentMethods.attach(card, { customer })).id;
  const { id: product } = await stripe.products.create({ name: 'Ruido' });
  const { id } = await stripe.subscriptions.create({
    customer,
    items: [{ price_data: { currency: 'eur', unit_amount: 499, recurring: { interval: 'month' }, product } }],
    ...(method && { default_payment_method: method }),
    ...over,
  });
  const pass = (days: number) =>
    stripe.testHelpers.testClocks.advance(clock, { frozen_time: BEGIN + Math.round(days * DAY) });
  const status = async () => (await stripe.subscriptions.retrieve(id)).status;
  const invoices = async () => (await stripe.invoices.list({ customer, limit: 50 })).data.reverse();
  return { clock, customer, id, pass, status, invoices };
}

/** Their card is refused from now on. */
async function spoilCard({ id, customer }: { id: string; customer: string }): Promise<void> {
  const { id: bad } = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer });
  await stripe.subscriptions.update(id, { default_payment_method: bad });
}

test.each([
  ['cancel', 'canceled', 1],
  ['unpaid', 'unpaid', 2],
  ['past_due', 'past_due', 2],
] as const)('where failed renewals shall come to %s, a subscription ends up %s', async (end, status, renewals) => {
  await sandbox.setDunning({ days: [2, 4], finally: end });
  const one = await listener();
  await spoilCard(one);

  await one.pass(29);
  const [first, later] = [await one.status(), await one.pass(40).then(one.status)];
  await one.pass(60);

  expect([first, later, await one.status()]).toEqual(['past_due', status, status]);
  const [, failed, ...more] = await one.invoices();
  expect(failed).toMatchObject({ status: 'open', attempt_count: 3, next_payment_attempt: null });
  expect(more).toHaveLength(renewals - 1);
});

test('the bills of an unpaid subscription stay drafts, until the open one is paid', async () => {
  await sandbox.setDunning({ days: [1], finally: 'unpaid' });
  const one = await listener();
  await spoilCard(one);
  await one.pass(62);
  const [, open, draft] = await one.invoices();
  const { id: good } = await stripe.paymentMethods.attach('pm_card_visa', { customer: one.customer });

  await stripe.invoices.pay(open!.id, { payment_method: good });
  const between = await one.status();
  await stripe.invoices.pay(draft!.id, { payment_method: good });

  expect(draft).toMatchObject({ status: 'draft', auto_advance: false });
  expect([between, await one.status()]).toEqual(['unpaid', 'active']);
});

test('what failed renewals come to is said from outside the process, and nonsense is refused', async () => {
  const ask = async (form: string) => {
    const answer = await fetch('http://altavoz.localhost/_sandbox/stripe/_control/dunning', {
      method: 'POST',
      body: form,
    });
    return { status: answer.status, body: await answer.json() };
  };

  expect(await ask('finally=unpaid')).toEqual({ status: 200, body: { days: [1, 3, 5, 7], finally: 'unpaid' } });
  expect(await ask('days=2,9')).toEqual({ status: 200, body: { days: [2, 9], finally: 'unpaid' } });
  for (const form of ['finally=never', 'days=3,2', 'days=x'])
    expect(await ask(form)).toMatchObject({ status: 400, body: { error: { type: 'invalid_request_error' } } });
});

test('the card that is good for one payment pays, and is refused at each renewal', async () => {
  const one = await listener('pm_card_sandbox_failsAtRenewal');
  const before = await one.status();

  await one.pass(29);

  const [first, second] = await one.invoices();
  expect([before, await one.status()]).toEqual(['active', 'past_due']);
  expect([first!.status, second!.status]).toEqual(['paid', 'open']);
});

test('a card whose month is over is refused as expired', async () => {
  const one = await listener();
  const { default_payment_method: card } = await stripe.subscriptions.retrieve(one.id);
  await stripe.paymentMethods.update(String(card), { card: { exp_month: 2, exp_year: 2026 } });

  await one.pass(29);
  const february = await one.status();
  await one.pass(60);

  const [, , march] = await one.invoices();
  const { data } = await stripe.charges.list({ customer: one.customer, limit: 1 });
  expect([february, await one.status(), march!.status]).toEqual(['active', 'past_due', 'open']);
  expect(data).toMatchObject([{ status: 'failed', failure_code: 'expired_card' }]);
});

test.each([
  ['void', 'void'],
  ['mark_uncollectible', 'uncollectible'],
  ['keep_as_draft', 'draft'],
] as const)('while collection is paused with %s, bills become %s and nothing is charged', async (behavior, status) => {
  const one = await listener();
  const resumes_at = BEGIN + 50 * DAY;
  await stripe.subscriptions.update(one.id, { pause_collection: { behavior, resumes_at } });

  await one.pass(40);
  const [, held] = await one.invoices();
  await one.pass(62);

  const [, , next] = await one.invoices();
  expect(held).toMatchObject({ status, amount_paid: 0 });
  expect(next).toMatchObject({ status: 'paid' });
  expect(await stripe.subscriptions.retrieve(one.id)).toMatchObject({ status: 'active', pause_collection: null });
});

const noCard = (behaviour: 'pause' | 'cancel' | 'create_invoice') => ({
  trial_period_days: 7,
  trial_settings: { end_behavior: { missing_payment_method: behaviour } },
});

test.each([
  ['pause', 'paused', 1],
  ['cancel', 'canceled', 1],
  ['create_invoice', 'past_due', 2],
] as const)('a trial that ends without a card, and shall %s then, is %s', async (behaviour, status, bills) => {
  const one = await listener('', noCard(behaviour));

  await one.pass(8);

  expect(await one.status()).toBe(status);
  expect(await one.invoices()).toHaveLength(bills);
});

test('a paused subscription is taken up again with a card, and begins a new period then', async () => {
  const one = await listener('', noCard('pause'));
  await one.pass(20);
  const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer: one.customer });
  await stripe.customers.update(one.customer, { invoice_settings: { default_payment_method: card } });

  const resumed = await stripe.subscriptions.resume(one.id, { billing_cycle_anchor: { type: 'now' } });

  expect(resumed).toMatchObject({ status: 'active', billing_cycle_anchor: BEGIN + 20 * DAY });
  expect((await one.invoices()).at(-1)).toMatchObject({ status: 'paid', amount_paid: 499 });
});

test('three days before a trial ends it is told, once', async () => {
  const one = await listener('pm_card_visa', { trial_period_days: 10 });
  const told = async () => {
    const { data } = await stripe.events.list({ type: 'customer.subscription.trial_will_end', limit: 100 });
    return data
      .filter(({ data: { object } }) => (object as { id: string }).id === one.id)
      .map(({ created }) => created);
  };

  await one.pass(6.9);
  const early = await told();
  await one.pass(12);

  expect([early, await told()]).toEqual([[], [BEGIN + 7 * DAY]]);
});

test('a first payment that its bank asks about waits 23 hours for its owner', async () => {
  const [proven, left] = [
    await listener('pm_card_authenticationRequired'),
    await listener('pm_card_authenticationRequired'),
  ];
  const before = [await proven.status(), await left.status()];
  const [invoice] = (await stripe.invoices.list({ customer: proven.customer, expand: ['data.payments'] })).data;
  const intent = await stripe.paymentIntents.retrieve(String(invoice!.payments!.data[0]!.payment.payment_intent));

  const url = intent.next_action!.redirect_to_url!.url!;
  await fetch(url, { method: 'POST', body: new URLSearchParams({ answer: 'yes' }), redirect: 'manual' });
  for (const one of [proven, left]) await one.pass(0.97);

  expect(before).toEqual(['incomplete', 'incomplete']);
  expect([await proven.status(), await left.status()]).toEqual(['active', 'incomplete_expired']);
  expect((await left.invoices()).map(({ status }) => status)).toEqual(['void']);
});

test('with a test clock all that lived on it is gone, and a clock never goes back', async () => {
  const one = await listener();
  await one.pass(40);

  await expect(one.pass(39)).rejects.toMatchObject({ param: 'frozen_time' });
  await stripe.testHelpers.testClocks.del(one.clock);

  await expect(stripe.subscriptions.retrieve(one.id)).rejects.toMatchObject({ code: 'resource_missing' });
  await expect(stripe.customers.retrieve(one.customer)).rejects.toMatchObject({ code: 'resource_missing' });
});

test('of two people on two clocks one grows older', async () => {
  const [one, other] = [await listener(), await listener()];

  await one.pass(200);
  await sandbox.tick();

  expect([(await one.invoices()).length, (await other.invoices()).length]).toEqual([7, 1]);
});
