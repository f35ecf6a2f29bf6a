import { beforeEach, expect, test } from 'vitest';
import type { PaymentEvent } from '~/server/adapters/payments/objects';
import { NO_FAULTS } from '~/server/sandbox/stripe/engine/deliveries';
import { testStripe, WEBHOOK_SECRET } from '../../support/stripe-sandbox';

let heard: PaymentEvent[] = [];
let answer = () => new Response('ok');

/** The product's end: reads with the port, answers as told. */
async function hear(request: Request): Promise<Response> {
  heard.push(
    await payments.readWebhook(await request.text(), request.headers.get('stripe-signature') ?? '', new Date()),
  );
  return answer();
}

const { payments, stripe, sandbox, client, clock, fetch } = await testStripe({
  webhook: { url: 'http://altavoz.localhost/webhooks/stripe', secret: WEBHOOK_SECRET },
  send: (request) => hear(request),
  retries: [0, 0, 0],
});

beforeEach(async () => {
  answer = () => new Response('ok');
  await sandbox.injectFaults(NO_FAULTS);
  await sandbox.deliver();
  heard = [];
});

const attached = async () => {
  const { id: customer } = await stripe.customers.create({});
  return (await stripe.paymentMethods.attach('pm_card_visa', { customer })).id;
};
const cardsHeard = () => heard.flatMap((event) => (event.type === 'card_added' ? [event.card] : []));

test('what happens is told, signed, in the order in which it happened', async () => {
  const cards = [await attached(), await attached(), await attached()];

  await sandbox.deliver();

  expect(cardsHeard()).toEqual(cards);
});

test('an event is told once, also by two processes that deliver at once', async () => {
  await Promise.all(Array.from({ length: 30 }, () => attached()));

  await Promise.all([sandbox.deliver(), sandbox.deliver(), sandbox.deliver()]);

  expect(new Set(heard.map(({ id }) => id)).size).toBe(heard.length);
  expect(cardsHeard()).toHaveLength(30);
});

test('what was not taken is told again, with the same id', async () => {
  let refusals = 2;
  answer = () => (refusals-- > 0 ? new Response('no', { status: 500 }) : new Response('ok'));
  await stripe.customers.create({});

  await sandbox.deliver();

  expect(heard).toHaveLength(3);
  expect(new Set(heard.map(({ id }) => id)).size).toBe(1);
});

test('an endpoint that never takes anything is given up', async () => {
  answer = () => new Response('no', { status: 500 });
  await stripe.customers.create({});

  await sandbox.deliver();

  expect(heard).toHaveLength(4);
  expect(await sandbox.deliveries()).toMatchObject({ failed: 1 });
});

test('on demand each comes twice', async () => {
  await sandbox.injectFaults({ duplicates: 1 });
  const card = await attached();

  await sandbox.deliver();

  expect(cardsHeard()).toEqual([card, card]);
  expect(new Set(heard.map(({ id }) => id)).size).toBe(heard.length / 2);
});

test('on demand they come in the wrong order', async () => {
  await sandbox.injectFaults({ reorder: true });
  const cards = [await attached(), await attached(), await attached()];

  await sandbox.deliver();

  expect(cardsHeard()).toEqual(cards.reverse());
});

test('on demand some never come', async () => {
  const cards = [await attached(), await attached()];
  await sandbox.injectFaults({ dropDeliveries: 2 });

  await sandbox.deliver();

  expect(heard).toHaveLength(2);
  expect(cardsHeard()).toEqual([cards[1]]);
  expect(await sandbox.deliveries()).toMatchObject({ lost: 2 });
});

test('on demand they come later', async () => {
  await sandbox.injectFaults({ delaySeconds: 3600 });
  const card = await attached();
  await sandbox.deliver();
  const early = cardsHeard();

  await sandbox.injectFaults({ delaySeconds: 0 });
  await sandbox.deliver();

  expect([early, cardsHeard()]).toEqual([[], [card]]);
});

test('an endpoint hears only what it asked for', async () => {
  const endpoint = await stripe.webhookEndpoints.create({
    url: 'http://elsewhere.localhost/',
    enabled_events: ['coupon.created'],
  });
  await stripe.customers.create({});
  await stripe.coupons.create({ percent_off: 5 });

  const rows = await client`select event from sandbox_stripe.deliveries where endpoint = ${endpoint.id}`;

  expect(rows).toHaveLength(1);
  await stripe.webhookEndpoints.del(endpoint.id);
});

test('an endpoint that is switched off hears nothing', async () => {
  const endpoint = await stripe.webhookEndpoints.create({ url: 'http://elsewhere.localhost/', enabled_events: ['*'] });
  await stripe.webhookEndpoints.update(endpoint.id, { disabled: true });
  await stripe.customers.create({});

  expect(await client`select 1 from sandbox_stripe.deliveries where endpoint = ${endpoint.id}`).toHaveLength(0);
  await stripe.webhookEndpoints.del(endpoint.id);
});

test('an endpoint for connected accounts hears of them, and not of the platform', async () => {
  const { id: stripeAccount } = await stripe.accounts.create({ type: 'standard', country: 'ES' });
  const said = { url: 'http://elsewhere.localhost/', enabled_events: ['customer.created' as const] };
  const [connected, own] = [
    await stripe.webhookEndpoints.create({ ...said, connect: true }),
    await stripe.webhookEndpoints.create(said),
  ];

  await stripe.customers.create({}, { stripeAccount });
  await stripe.customers.create({});

  const heardBy = async ({ id }: { id: string }) =>
    (await client`select account from sandbox_stripe.deliveries where endpoint = ${id}`).map(({ account }) => account);
  expect(await heardBy(connected)).toEqual([stripeAccount]);
  expect(await heardBy(own)).toHaveLength(1);
  expect(await heardBy(own)).not.toContain(stripeAccount);
  for (const { id } of [connected, own]) await stripe.webhookEndpoints.del(id);
});

test('what goes wrong with webhooks is said from outside the process, which counts them', async () => {
  const control = async (path: string, form?: string) =>
    (
      await fetch(`http://altavoz.localhost/_sandbox/stripe/_control/${path}`, {
        method: form === undefined ? 'GET' : 'POST',
        body: form,
      })
    ).json();
  const before = await control('webhooks');
  await control('webhooks', 'duplicates=2&reorder=true');
  const cards = [await attached(), await attached()];

  const told = await control('tick', '');

  expect(told).toEqual({ happened: 0, delivered: 4 });
  expect(cardsHeard()).toEqual([cards[1], cards[1], cards[1], cards[0], cards[0], cards[0]]);
  expect((await control('webhooks')).delivered - before.delivered).toBe(4);
});

test('a webhook that was not taken waits ever longer for its next attempt', async () => {
  const other = await testStripe({
    webhook: { url: 'http://altavoz.localhost/webhooks/stripe', secret: WEBHOOK_SECRET },
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

test('a subscription that begins, renews and ends tells it all, and each object can be fetched', async () => {
  const { id: customer } = await stripe.customers.create({});
  const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  const terms = { name: 'x', price: { minor: 499, currency: 'eur' as const }, every: 'month' as const, reference: {} };
  const { id } = await payments.subscribe({ customer, card, ...terms, trialDays: 7 }, 'tells');
  clock.now = new Date('2026-02-08T12:00:00Z');
  await sandbox.tick();
  await payments.cancel(id, 'now', 'tells-end');

  await sandbox.deliver();

  const own = heard.filter((event) => 'subscription' in event && event.subscription === id);
  const told = own.map(({ type }) => type).filter((type, i, all) => type !== all[i - 1]);
  expect(told).toEqual([
    'subscription_changed',
    'invoice_paid',
    'trial_ending',
    'subscription_changed',
    'invoice_paid',
    'subscription_ended',
  ]);
  for (const event of own)
    if (event.type === 'invoice_paid')
      expect(await payments.fetch.invoice(event.invoice)).toMatchObject({ status: 'paid' });
});

test('events can be listed and fetched, newest first', async () => {
  const { data } = await stripe.events.list({ type: 'customer.created', limit: 2 });

  expect(data).toHaveLength(2);
  expect(await stripe.events.retrieve(data[0]!.id)).toMatchObject({
    type: 'customer.created',
    data: { object: { object: 'customer' } },
  });
});
