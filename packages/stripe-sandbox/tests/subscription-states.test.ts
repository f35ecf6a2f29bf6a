import type Stripe from 'stripe';
import { afterEach, expect, test } from 'vitest';
import { onboardAccount } from '../testing/onboard-account';
import { testSandbox } from './support/sandbox';

const { stripe, sandbox, fetch } = await testSandbox();
const DAY = 86_400;
const START = Date.parse('2026-01-31T10:00:00Z') / 1000;

afterEach(() => sandbox.setDunning({ days: [1, 3, 5, 7], finally: 'cancel' }));

/** A subscriber for 4.99 € a month on a test clock. */
async function newSubscriber(card = 'pm_card_visa', over: Partial<Stripe.SubscriptionCreateParams> = {}) {
  const { id: clock } = await stripe.testHelpers.testClocks.create({ frozen_time: START });
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
    stripe.testHelpers.testClocks.advance(clock, { frozen_time: START + Math.round(days * DAY) });
  const status = async () => (await stripe.subscriptions.retrieve(id)).status;
  const invoices = async () => (await stripe.invoices.list({ customer, limit: 50 })).data.reverse();
  return { clock, customer, id, pass, status, invoices };
}

/** Replaces the card with one that is declined. */
async function replaceCardWithBad({ id, customer }: { id: string; customer: string }): Promise<void> {
  const { id: bad } = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer });
  await stripe.subscriptions.update(id, { default_payment_method: bad });
}

const post = async (url: string, fields: Record<string, string> = {}) =>
  (await fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })).headers.get(
    'location',
  )!;

/** Pays on the hosted page of an invoice, and confirms to the bank. */
async function confirmOnPage(url: string): Promise<void> {
  await post(await post(url), { answer: 'yes' });
}

async function intentOf(invoice: string): Promise<Stripe.PaymentIntent> {
  const { payments } = await stripe.invoices.retrieve(invoice, { expand: ['payments'] });
  return stripe.paymentIntents.retrieve(String(payments!.data[0]!.payment.payment_intent));
}

async function eventsOf(id: string): Promise<string[]> {
  const { data } = await stripe.events.list({ limit: 100 });
  return data.filter(({ data: { object } }) => (object as { id?: string }).id === id).map(({ type }) => type);
}

test.each([
  ['cancel', 'canceled', 1],
  ['unpaid', 'unpaid', 2],
  ['past_due', 'past_due', 2],
] as const)('with the final action %s, failed renewals make a subscription %s', async (end, status, renewals) => {
  await sandbox.setDunning({ days: [2, 4], finally: end });
  const subscriber = await newSubscriber();
  await replaceCardWithBad(subscriber);

  await subscriber.pass(29);
  const [first, later] = [await subscriber.status(), await subscriber.pass(40).then(subscriber.status)];
  await subscriber.pass(60);

  expect([first, later, await subscriber.status()]).toEqual(['past_due', status, status]);
  const [, failed, ...more] = await subscriber.invoices();
  expect(failed).toMatchObject({ status: 'open', attempt_count: 3, next_payment_attempt: null });
  expect(more).toHaveLength(renewals - 1);
});

test('the invoices of an unpaid subscription stay drafts until the open one is paid', async () => {
  await sandbox.setDunning({ days: [1], finally: 'unpaid' });
  const subscriber = await newSubscriber();
  await replaceCardWithBad(subscriber);
  await subscriber.pass(62);
  const [, open, draft] = await subscriber.invoices();
  const { id: good } = await stripe.paymentMethods.attach('pm_card_visa', { customer: subscriber.customer });

  await stripe.invoices.pay(open!.id, { payment_method: good });
  const between = await subscriber.status();
  await stripe.invoices.pay(draft!.id, { payment_method: good });

  expect(draft).toMatchObject({ status: 'draft', auto_advance: false });
  expect([between, await subscriber.status()]).toEqual(['unpaid', 'active']);
});

test('other processes can set dunning, and invalid values are rejected', async () => {
  const post = async (form: string) => {
    const response = await fetch('http://sandbox.localhost/stripe/_control/dunning', {
      method: 'POST',
      body: form,
    });
    return { status: response.status, body: await response.json() };
  };

  expect(await post('finally=unpaid')).toEqual({ status: 200, body: { days: [1, 3, 5, 7], finally: 'unpaid' } });
  expect(await post('days=2,9')).toEqual({ status: 200, body: { days: [2, 9], finally: 'unpaid' } });
  for (const form of ['finally=never', 'days=3,2', 'days=x'])
    expect(await post(form)).toMatchObject({ status: 400, body: { error: { type: 'invalid_request_error' } } });
});

test('the sandbox_failsAtRenewal card pays once and is declined at renewals', async () => {
  const subscriber = await newSubscriber('pm_card_sandbox_failsAtRenewal');
  const before = await subscriber.status();

  await subscriber.pass(29);

  const [first, second] = await subscriber.invoices();
  expect([before, await subscriber.status()]).toEqual(['active', 'past_due']);
  expect([first!.status, second!.status]).toEqual(['paid', 'open']);
});

test('a renewal with the authenticationRequired card waits for its owner, and is not tried again meanwhile', async () => {
  await sandbox.setDunning({ days: [1, 2], finally: 'past_due' });
  const subscriber = await newSubscriber('pm_card_authenticationRequired');
  const { hosted_invoice_url: first } = (await subscriber.invoices())[0]!;
  await confirmOnPage(first!);
  await subscriber.pass(28.1);
  const [, due] = await subscriber.invoices();
  await subscriber.pass(35);
  const [, later] = await subscriber.invoices();
  const types = await eventsOf(due!.id);
  const intent = await intentOf(due!.id);

  await expect(stripe.invoices.pay(due!.id)).rejects.toMatchObject({ code: 'invoice_payment_intent_requires_action' });
  await confirmOnPage(due!.hosted_invoice_url!);

  expect(intent).toMatchObject({ status: 'requires_action', last_payment_error: null });
  expect(types.filter((type) => type === 'invoice.payment_action_required')).toHaveLength(1);
  expect(types.filter((type) => type === 'invoice.payment_failed')).toHaveLength(1);
  expect([due!.attempt_count, later!.attempt_count]).toEqual([1, 3]);
  expect(await stripe.invoices.retrieve(due!.id)).toMatchObject({ status: 'paid' });
  expect(await subscriber.status()).toBe('active');
});

test('the hosted invoice page of a connected account is on its own address', async () => {
  const account = await onboardAccount({ stripe, fetch });
  const options = { stripeAccount: account };
  const { id: customer } = await stripe.customers.create({}, options);
  const card = await stripe.paymentMethods.attach('pm_card_authenticationRequired', { customer }, options);
  const { id: product } = await stripe.products.create({ name: 'Ruido' }, options);
  const recurring = { interval: 'month' as const };
  const items = [{ price_data: { currency: 'eur', unit_amount: 499, recurring, product } }];
  const params = { customer, default_payment_method: card.id, items, expand: ['latest_invoice'] };
  const { id, latest_invoice } = await stripe.subscriptions.create(params, options);
  const { hosted_invoice_url: url, invoice_pdf: pdf } = latest_invoice as Stripe.Invoice;

  const page = await fetch(url!);
  await confirmOnPage(url!);

  expect([page.status, (await fetch(pdf!)).status]).toEqual([200, 200]);
  expect(await stripe.subscriptions.retrieve(id, {}, options)).toMatchObject({ status: 'active' });
});

test('a card past its expiry month is declined as expired', async () => {
  const subscriber = await newSubscriber();
  const { default_payment_method: card } = await stripe.subscriptions.retrieve(subscriber.id);
  await stripe.paymentMethods.update(String(card), { card: { exp_month: 2, exp_year: 2026 } });

  await subscriber.pass(29);
  const february = await subscriber.status();
  await subscriber.pass(60);

  const [, , march] = await subscriber.invoices();
  const { data } = await stripe.charges.list({ customer: subscriber.customer, limit: 1 });
  expect([february, await subscriber.status(), march!.status]).toEqual(['active', 'past_due', 'open']);
  expect(data).toMatchObject([{ status: 'failed', failure_code: 'expired_card' }]);
});

test.each([
  ['void', 'void'],
  ['mark_uncollectible', 'uncollectible'],
  ['keep_as_draft', 'draft'],
] as const)('during a pause with %s, invoices become %s and nothing is charged', async (behavior, status) => {
  const subscriber = await newSubscriber();
  const resumes_at = START + 50 * DAY;
  await stripe.subscriptions.update(subscriber.id, { pause_collection: { behavior, resumes_at } });

  await subscriber.pass(40);
  const [, held] = await subscriber.invoices();
  await subscriber.pass(62);

  const [, , next] = await subscriber.invoices();
  expect(held).toMatchObject({ status, amount_paid: 0 });
  expect(next).toMatchObject({ status: 'paid' });
  expect(await stripe.subscriptions.retrieve(subscriber.id)).toMatchObject({
    status: 'active',
    pause_collection: null,
  });
});

const noCard = (behaviour: 'pause' | 'cancel' | 'create_invoice') => ({
  trial_period_days: 7,
  trial_settings: { end_behavior: { missing_payment_method: behaviour } },
});

test.each([
  ['pause', 'paused', 1],
  ['cancel', 'canceled', 1],
  ['create_invoice', 'past_due', 2],
] as const)(
  'without a card and with the setting %s, a subscription is %s after its trial',
  async (behaviour, status, bills) => {
    const subscriber = await newSubscriber('', noCard(behaviour));

    await subscriber.pass(8);

    expect(await subscriber.status()).toBe(status);
    expect(await subscriber.invoices()).toHaveLength(bills);
  },
);

test('a paused subscription resumes with a card and starts a new period', async () => {
  const subscriber = await newSubscriber('', noCard('pause'));
  await subscriber.pass(20);
  const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer: subscriber.customer });
  await stripe.customers.update(subscriber.customer, { invoice_settings: { default_payment_method: card } });

  const resumed = await stripe.subscriptions.resume(subscriber.id, { billing_cycle_anchor: { type: 'now' } });

  expect(resumed).toMatchObject({ status: 'active', billing_cycle_anchor: START + 20 * DAY });
  expect((await subscriber.invoices()).at(-1)).toMatchObject({ status: 'paid', amount_paid: 499 });
});

test('an event announces the end of a trial once, three days before', async () => {
  const subscriber = await newSubscriber('pm_card_visa', { trial_period_days: 10 });
  const announcements = async () => {
    const { data } = await stripe.events.list({ type: 'customer.subscription.trial_will_end', limit: 100 });
    return data
      .filter(({ data: { object } }) => (object as { id: string }).id === subscriber.id)
      .map(({ created }) => created);
  };

  await subscriber.pass(6.9);
  const early = await announcements();
  await subscriber.pass(12);

  expect([early, await announcements()]).toEqual([[], [START + 7 * DAY]]);
});

test('a first payment waits 23 hours for authentication', async () => {
  const [authenticated, abandoned] = [
    await newSubscriber('pm_card_authenticationRequired'),
    await newSubscriber('pm_card_authenticationRequired'),
  ];
  const before = [await authenticated.status(), await abandoned.status()];
  const [invoice] = (await stripe.invoices.list({ customer: authenticated.customer, expand: ['data.payments'] })).data;
  const intent = await stripe.paymentIntents.retrieve(String(invoice!.payments!.data[0]!.payment.payment_intent));

  const url = intent.next_action!.redirect_to_url!.url!;
  await fetch(url, { method: 'POST', body: new URLSearchParams({ answer: 'yes' }), redirect: 'manual' });
  for (const subscriber of [authenticated, abandoned]) await subscriber.pass(0.97);

  expect(before).toEqual(['incomplete', 'incomplete']);
  expect([await authenticated.status(), await abandoned.status()]).toEqual(['active', 'incomplete_expired']);
  expect((await abandoned.invoices()).map(({ status }) => status)).toEqual(['void']);
});

test('deleting a test clock deletes its objects, and a clock cannot go back', async () => {
  const subscriber = await newSubscriber();
  await subscriber.pass(40);

  await expect(subscriber.pass(39)).rejects.toMatchObject({ param: 'frozen_time' });
  await stripe.testHelpers.testClocks.del(subscriber.clock);

  await expect(stripe.subscriptions.retrieve(subscriber.id)).rejects.toMatchObject({ code: 'resource_missing' });
  await expect(stripe.customers.retrieve(subscriber.customer)).rejects.toMatchObject({ code: 'resource_missing' });
});

test('advancing one test clock does not affect another', async () => {
  const [subscriber, other] = [await newSubscriber(), await newSubscriber()];

  await subscriber.pass(200);
  await sandbox.tick();

  expect([(await subscriber.invoices()).length, (await other.invoices()).length]).toEqual([7, 1]);
});
