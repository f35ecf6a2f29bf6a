import { expect } from 'vitest';
import type { PaymentEvent } from '~/server/adapters/payments/payment-events';
import { advanceClock, at, collectChecks, customerWithCard, eur, key, newSubscriber } from './remote-stripe';

const terms = { name: 'Ruido de fondo', price: eur(499), every: 'month' as const, reference: { product: '9' } };
const isOf = (card: string) => (event: PaymentEvent) => 'card' in event && event.card === card;

export const listingChecks = collectChecks();
const { check } = listingChecks;

check('events after a cursor are listed oldest first ("List all events")', async (remote) => {
  const { payments, stripe } = remote;
  const { customer, card } = await customerWithCard(remote);
  const read = async (after: string) => (await payments.listEvents({ after, limit: 100 })).filter(isOf(card));
  const cursor = async () => (await stripe.events.list({ type: 'payment_method.attached', limit: 100 })).data;
  await expect.poll(async () => (await cursor()).some(({ data }) => 'id' in data.object && data.object.id === card), {
    timeout: 30_000,
  });
  const added = (await cursor()).find(({ data }) => 'id' in data.object && data.object.id === card)!;
  await payments.setDefaultCard(customer, card, key());
  await payments.removeCard(card, key());

  await expect.poll(() => read(added.id), { timeout: 30_000 }).toHaveLength(1);

  expect(await read(added.id)).toMatchObject([{ type: 'card_removed', card, customer, account: null, live: false }]);
});

check('an event that the provider no longer has is not found ("Error codes": resource_missing)', async (remote) => {
  const attempt = remote.payments.listEvents({ after: 'evt_nothing', limit: 10 });

  await expect(attempt).rejects.toMatchObject({ code: 'payments.not_found' });
});

check('subscriptions of a customer are listed in all states, newest first ("Pagination")', async (remote) => {
  const { payments } = remote;
  const { customer, card, subscription: first } = await newSubscriber(remote);
  await payments.cancel(first.id, 'now', key());
  if (remote.real) await new Promise((resolve) => setTimeout(resolve, 1500));
  const second = await payments.subscribe({ customer, card, ...terms }, key());

  const [newest] = await payments.listSubscriptions({ customer, limit: 1 });
  const rest = await payments.listSubscriptions({ customer, after: newest!.id, limit: 10 });

  expect(newest).toEqual(await payments.fetch.subscription(second.id));
  expect(rest).toEqual([await payments.fetch.subscription(first.id)]);
  expect(rest[0]!.status).toBe('canceled');
  expect(await payments.listSubscriptions({ customer, after: first.id, limit: 10 })).toEqual([]);
});

check('payments are listed with their invoice and subscription, newest first ("Pagination")', async (remote) => {
  const { payments } = remote;
  const { customer, clock, subscription } = await newSubscriber(remote);
  await advanceClock(remote, clock, '2026-03-01T12:00:00Z');

  const [newest] = await payments.listPayments({ customer, limit: 1 });
  const rest = await payments.listPayments({ customer, after: newest!.id, limit: 10 });

  expect(newest).toEqual(await payments.fetch.payment(newest!.id));
  expect([newest, ...rest]).toMatchObject([
    { subscription: subscription.id, invoice: expect.stringMatching(/^in_/), amount: eur(499), status: 'succeeded' },
    { subscription: subscription.id, invoice: expect.stringMatching(/^in_/), amount: eur(499), status: 'succeeded' },
  ]);
});

check('payments since a moment leave out earlier ones ("List all PaymentIntents": created)', async (remote) => {
  const { customer, clock } = await newSubscriber(remote);
  await advanceClock(remote, clock, '2026-03-01T12:00:00Z');

  const found = await remote.payments.listPayments({ customer, since: at('2026-02-15T00:00:00Z'), limit: 10 });

  expect(found).toHaveLength(1);
});
