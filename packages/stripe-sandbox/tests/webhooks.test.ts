import Stripe from 'stripe';
import { beforeEach, expect, test } from 'vitest';
import { NO_FAULTS } from '../src/engine/deliveries';
import { testSandbox, WEBHOOK } from './support/sandbox';

let received: Stripe.Event[] = [];
let respond = () => new Response('ok');

/** The product's webhook endpoint: verifies the signature with the SDK and returns the current response. */
async function receive(request: Request): Promise<Response> {
  const signature = request.headers.get('stripe-signature') ?? '';
  received.push(Stripe.webhooks.constructEvent(await request.text(), signature, WEBHOOK.secret));
  return respond();
}

const { stripe, sandbox, client, clock, fetch } = await testSandbox({
  webhook: WEBHOOK,
  send: (request) => receive(request),
  retries: [0, 0, 0],
});

beforeEach(async () => {
  respond = () => new Response('ok');
  await sandbox.injectFaults(NO_FAULTS);
  await sandbox.deliver();
  received = [];
});

const attachCard = async () => {
  const { id: customer } = await stripe.customers.create({});
  return (await stripe.paymentMethods.attach('pm_card_visa', { customer })).id;
};
const cardsIn = (events: Stripe.Event[]) =>
  events.flatMap((event) => (event.type === 'payment_method.attached' ? [event.data.object.id] : []));
const receivedCards = () => cardsIn(received);

test('events are delivered signed and in order', async () => {
  const cards = [await attachCard(), await attachCard(), await attachCard()];

  await sandbox.deliver();

  expect(receivedCards()).toEqual(cards);
});

test('concurrent senders deliver each event once', async () => {
  await Promise.all(Array.from({ length: 30 }, () => attachCard()));

  await Promise.all([sandbox.deliver(), sandbox.deliver(), sandbox.deliver()]);

  expect(new Set(received.map(({ id }) => id)).size).toBe(received.length);
  expect(receivedCards()).toHaveLength(30);
});

test('a rejected webhook is retried with the same id', async () => {
  let rejections = 2;
  respond = () => (rejections-- > 0 ? new Response('no', { status: 500 }) : new Response('ok'));
  await stripe.customers.create({});

  await sandbox.deliver();

  expect(received).toHaveLength(3);
  expect(new Set(received.map(({ id }) => id)).size).toBe(1);
});

test('deliveries fail after the last retry', async () => {
  respond = () => new Response('no', { status: 500 });
  await stripe.customers.create({});

  await sandbox.deliver();

  expect(received).toHaveLength(4);
  expect(await sandbox.deliveries()).toMatchObject({ failed: 1 });
});

test('the fault `duplicates` sends each event twice', async () => {
  await sandbox.injectFaults({ duplicates: 1 });
  const card = await attachCard();

  await sandbox.deliver();

  expect(receivedCards()).toEqual([card, card]);
  expect(new Set(received.map(({ id }) => id)).size).toBe(received.length / 2);
});

test('the fault `reorder` sends events in reverse order', async () => {
  await sandbox.injectFaults({ reorder: true });
  const cards = [await attachCard(), await attachCard(), await attachCard()];

  await sandbox.deliver();

  expect(receivedCards()).toEqual(cards.reverse());
});

test('the fault `lose` drops the next deliveries', async () => {
  const cards = [await attachCard(), await attachCard()];
  await sandbox.injectFaults({ lose: 2 });

  await sandbox.deliver();

  expect(received).toHaveLength(2);
  expect(receivedCards()).toEqual([cards[1]]);
  expect(await sandbox.deliveries()).toMatchObject({ lost: 2 });
});

test('events that were never delivered are in the list, and read the same', async () => {
  await attachCard();
  await sandbox.deliver();
  const last = received.at(-1)!;
  await sandbox.injectFaults({ lose: 2 });
  const cards = [await attachCard(), await attachCard(), await attachCard()];

  await sandbox.deliver();
  const { data: missed } = await stripe.events.list({ ending_before: last.id, limit: 100 });

  const delivered = received.slice(received.indexOf(last) + 1);
  expect(cardsIn(missed.reverse())).toEqual(cards);
  expect(missed.length).toBe(delivered.length + 2);
  expect(missed).toEqual(expect.arrayContaining(delivered));
});

test('the fault `delaySeconds` delays deliveries', async () => {
  await sandbox.injectFaults({ delaySeconds: 3600 });
  const card = await attachCard();
  await sandbox.deliver();
  const early = receivedCards();

  await sandbox.injectFaults({ delaySeconds: 0 });
  await sandbox.deliver();

  expect([early, receivedCards()]).toEqual([[], [card]]);
});

test('an endpoint receives only the events it is subscribed to', async () => {
  const endpoint = await stripe.webhookEndpoints.create({
    url: 'http://elsewhere.localhost/',
    enabled_events: ['coupon.created'],
  });
  await stripe.customers.create({});
  await stripe.coupons.create({ percent_off: 5 });

  const rows =
    await client`select event from sandbox_stripe.deliveries where endpoint = ${endpoint.id} order by number`;

  expect(rows).toHaveLength(1);
  await stripe.webhookEndpoints.del(endpoint.id);
});

test('a disabled endpoint receives nothing', async () => {
  const endpoint = await stripe.webhookEndpoints.create({ url: 'http://elsewhere.localhost/', enabled_events: ['*'] });
  await stripe.webhookEndpoints.update(endpoint.id, { disabled: true });
  await stripe.customers.create({});

  expect(await client`select 1 from sandbox_stripe.deliveries where endpoint = ${endpoint.id}`).toHaveLength(0);
  await stripe.webhookEndpoints.del(endpoint.id);
});

test('an endpoint for connected accounts receives their events, not the platform’s', async () => {
  const { id: stripeAccount } = await stripe.accounts.create({ type: 'standard', country: 'ES' });
  const params = { url: 'http://elsewhere.localhost/', enabled_events: ['customer.created' as const] };
  const [connected, own] = [
    await stripe.webhookEndpoints.create({ ...params, connect: true }),
    await stripe.webhookEndpoints.create(params),
  ];

  await stripe.customers.create({}, { stripeAccount });
  await stripe.customers.create({});

  const accountsOf = async ({ id }: { id: string }) =>
    (await client`select account from sandbox_stripe.deliveries where endpoint = ${id} order by number`).map(
      ({ account }) => account,
    );
  expect(await accountsOf(connected)).toEqual([stripeAccount]);
  expect(await accountsOf(own)).toHaveLength(1);
  expect(await accountsOf(own)).not.toContain(stripeAccount);
  for (const { id } of [connected, own]) await stripe.webhookEndpoints.del(id);
});

test('other processes can set webhook faults and count deliveries', async () => {
  const control = async (path: string, form?: string) =>
    (
      await fetch(`http://sandbox.localhost/stripe/_control/${path}`, {
        method: form === undefined ? 'GET' : 'POST',
        body: form,
      })
    ).json();
  const before = await control('webhooks');
  await control('webhooks', 'duplicates=2&reorder=true');
  const cards = [await attachCard(), await attachCard()];

  const result = await control('tick', '');

  expect(result).toEqual({ happened: 0, delivered: 4 });
  expect(receivedCards()).toEqual([cards[1], cards[1], cards[1], cards[0], cards[0], cards[0]]);
  expect((await control('webhooks')).delivered - before.delivered).toBe(4);
  await control('webhooks', 'duplicates=0&lose=1');
  await attachCard();
  expect(await control('tick', '')).toEqual({ happened: 0, delivered: 1 });
});

test('the time between attempts grows', async () => {
  const other = await testSandbox({
    webhook: WEBHOOK,
    send: async () => new Response('no', { status: 503 }),
  });
  await other.stripe.customers.create({});
  const waits: number[] = [];

  for (let attempt = 1; attempt <= 4; attempt += 1) {
    await other.sandbox.deliver();
    const [row] = await other.client<{ wait: number }[]>`
      select round(extract(epoch from due - now()))::int as wait from sandbox_stripe.deliveries`;
    waits.push(row!.wait);
    await other.client`update sandbox_stripe.deliveries set due = now()`;
  }
  await other.sandbox.deliver();

  expect(waits.map((wait, i) => Math.abs(wait - [5, 60, 600, 3600][i]!) <= 2)).toEqual([true, true, true, true]);
  expect(await other.sandbox.deliveries()).toEqual({ failed: 1 });
});

test('a subscription’s start, renewal and end create events, and each object can be fetched', async () => {
  const { id: customer } = await stripe.customers.create({});
  const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  const { id: product } = await stripe.products.create({ name: 'x' });
  const price_data = { currency: 'eur', unit_amount: 499, product, recurring: { interval: 'month' as const } };
  const terms = { items: [{ price_data }], default_payment_method: card, trial_period_days: 7 };
  const { id } = await stripe.subscriptions.create({ customer, ...terms });
  clock.now = new Date('2026-02-08T12:00:00Z');
  await sandbox.tick();
  await stripe.subscriptions.cancel(id);

  await sandbox.deliver();

  const steps = received.map(({ type }) => type).filter((type) => /^customer\.subscription|^invoice\.paid/.test(type));
  expect(steps).toEqual([
    'customer.subscription.created',
    'invoice.paid',
    'customer.subscription.trial_will_end',
    'customer.subscription.updated',
    'invoice.paid',
    'customer.subscription.deleted',
  ]);
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'canceled' });
  for (const event of received)
    if (event.type === 'invoice.paid')
      expect(await stripe.invoices.retrieve(event.data.object.id!)).toMatchObject({ status: 'paid' });
});

test('events are listed newest first and can be fetched', async () => {
  const { data } = await stripe.events.list({ type: 'customer.created', limit: 2 });

  expect(data).toHaveLength(2);
  expect(await stripe.events.retrieve(data[0]!.id)).toMatchObject({
    type: 'customer.created',
    data: { object: { object: 'customer' } },
  });
});
