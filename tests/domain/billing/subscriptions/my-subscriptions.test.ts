import { and, eq } from 'drizzle-orm';
import { payByForms } from 'stripe-sandbox/testing/pay-by-forms';
import { expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { sales, subscriptions } from '~/db/schema/billing';
import { checkouts, paymentCards } from '~/db/schema/checkouts';
import { products } from '~/db/schema/products';
import { DAYS, earlier, later, MINUTES, utcDay } from '~/server/base/time';
import { currentUser } from '~/server/domain/accounts/base/queries';
import { chargeLost, chargeToStoredCard } from '~/server/domain/billing/payers/charge-card';
import {
  finishCard,
  listMyCards,
  removeCard,
  setDefaultCard,
  startCard,
} from '~/server/domain/billing/payers/payment-methods';
import { findMyReceipt } from '~/server/domain/billing/payers/receipts';
import { lookupCardRow } from '~/server/domain/billing/plan-billing/plan-overview';
import { endQueued, resumeQueued } from '~/server/domain/billing/subscriptions/end-subscriptions';
import {
  cancelSubscription,
  listMySubscriptions,
  renewSubscription,
} from '~/server/domain/billing/subscriptions/my-subscriptions';
import { changeToYearly, previewYearly } from '~/server/domain/billing/subscriptions/yearly';
import { applyCard, chargeStoredCard, endSubscription, resumeSubscription } from '~/server/queue/jobs/billing';
import { runJobs } from '../../../support/run-jobs';
import { shop, showItem } from '../../../support/shop';

const RENEWAL_FAILS = '4000000000000044';
const OTHER_CARD = '5555555555554444';
const { runtime, ctxOf, make, lucia, tom, paidPodcast, fetch, clock, settle, buy, pass, payments } = await shop();
const { db } = runtime;
await db.update(products).set({ annualPriceMinor: 7000 }).where(eq(products.id, paidPodcast.id));

/** Runs the jobs that changes of cards and ends of subscriptions enqueue. */
async function work(): Promise<void> {
  await settle();
  await runJobs(runtime, chargeStoredCard.name, (payload, ctx) => chargeToStoredCard(ctx, payload));
  await runJobs(runtime, applyCard.name, (payload, ctx) => chargeLost(ctx, payload));
  await runJobs(runtime, endSubscription.name, (payload, ctx) => endQueued(ctx, payload));
  await runJobs(runtime, resumeSubscription.name, (payload, ctx) => resumeQueued(ctx, payload));
  await settle();
}

async function subscriber(number?: string) {
  const person = await make.person();
  await buy(showItem(paidPodcast, { userId: person.id }), number);
  await work();
  const ctx = ctxOf({ id: person.id, creatorId: null });
  const [view] = await listMySubscriptions(ctx);
  return { ctx, userId: person.id, id: view!.id };
}

const ctxId = (id: number) => ({ id, creatorId: null });
const rowOf = async (id: number) => (await db.select().from(subscriptions).where(eq(subscriptions.id, id)))[0]!;
const stateOf = async (ctx: Parameters<typeof listMySubscriptions>[0]) => (await listMySubscriptions(ctx))[0]!;
const grantOf = async (userId: number) => (await db.select().from(grants).where(eq(grants.userId, userId)))[0]!;

async function addCard(ctx: Parameters<typeof startCard>[0], number: string, subscription?: number): Promise<string> {
  const { url } = await startCard(ctx, { subscription });
  await payByForms(fetch, url, { number, email: 'oyente@mail.example', proven: true });
  const rows = await db
    .select()
    .from(checkouts)
    .where(and(eq(checkouts.purpose, 'card'), eq(checkouts.url, url)))
    .orderBy(checkouts.createdAt);
  return rows[0]!.id;
}

test('a cancelled subscription keeps its access until the end of the period, and renewing restores it', async () => {
  const { ctx, id, userId } = await subscriber();
  const { periodEnd } = await rowOf(id);

  const cancelled = await cancelSubscription(ctx, { id, reason: 'Too many shows' });
  await cancelSubscription(ctx, { id });
  expect(cancelled).toMatchObject({ status: 'unsubscribed_until', at: periodEnd, mayRenew: true, mayCancel: false });
  expect(await grantOf(userId)).toMatchObject({ endsAt: periodEnd, renews: false });
  expect(await rowOf(id)).toMatchObject({ endReason: 'subscriber' });

  expect(await renewSubscription(ctx, { id })).toMatchObject({ status: 'subscribed', mayCancel: true });
  await settle();
  expect(await rowOf(id)).toMatchObject({ endsAt: null, endReason: null, leavingReason: null });

  await cancelSubscription(ctx, { id });
  await pass(later(periodEnd, MINUTES(5)));
  expect(await stateOf(ctx)).toMatchObject({ status: 'unsubscribed', mayRenew: false });
  const isEnded = expect.objectContaining({ code: 'billing.subscription_ended' });
  await expect(cancelSubscription(ctx, { id })).rejects.toEqual(isEnded);
  await expect(renewSubscription(ctx, { id })).rejects.toEqual(isEnded);
  await expect(previewYearly(ctx, { id })).rejects.toEqual(isEnded);
});

test("no listener reaches another listener's subscription, card or card page", async () => {
  const { ctx, id } = await subscriber();
  const stranger = ctxOf({ id: tom.id, creatorId: null });
  const [card] = await listMyCards(ctx);
  const checkout = await addCard(ctx, OTHER_CARD);
  const attempts = [
    cancelSubscription(stranger, { id }),
    renewSubscription(stranger, { id }),
    previewYearly(stranger, { id }),
    changeToYearly(stranger, { id, at: clock.now, dueMinor: 0, yearlyMinor: 0 }),
    startCard(stranger, { subscription: id }),
    setDefaultCard(stranger, { id: card!.id }),
    removeCard(stranger, { id: card!.id }),
    finishCard(stranger, { checkout }),
  ];

  const results = await Promise.allSettled(attempts);

  const kinds = results.map((result) => (result.status === 'rejected' ? result.reason.kind : 'let in'));
  expect(kinds).toEqual(attempts.map(() => 'not_found'));
  expect(await rowOf(id)).toMatchObject({ endsAt: null, every: 'month' });
  // the page after the checkout says what the card pays for
  const ofOne = await addCard(ctx, OTHER_CARD, id);
  expect(await finishCard(ctx, { checkout: ofOne })).toEqual({ subscription: id });
});

test('the yearly price is charged exactly as it was shown, once, and another amount is refused', async () => {
  const { ctx, id, userId } = await subscriber();
  clock.now = later(clock.now, DAYS(10));
  const shown = await previewYearly(ctx, { id });
  const input = { id, at: shown.at, dueMinor: shown.due.minor, yearlyMinor: 7000 };
  expect(shown.credit.minor).toBeGreaterThan(0);
  expect(shown.due.minor).toBe(7000 - shown.credit.minor);

  await expect(changeToYearly(ctx, { ...input, dueMinor: shown.due.minor - 1 })).rejects.toMatchObject({
    code: 'billing.change_differs',
  });
  await db.update(products).set({ annualPriceMinor: 7100 }).where(eq(products.id, paidPodcast.id));
  await expect(changeToYearly(ctx, input)).rejects.toMatchObject({ code: 'billing.change_differs' });
  await db.update(products).set({ annualPriceMinor: 7000 }).where(eq(products.id, paidPodcast.id));
  await expect(changeToYearly(ctxOf(ctxId(userId), { now: later(clock.now, DAYS(1)) }), input)).rejects.toMatchObject({
    code: 'billing.change_differs',
  });
  clock.now = later(clock.now, MINUTES(10));
  await Promise.all([changeToYearly(ctx, input), changeToYearly(ctx, input)]);
  await settle();

  const changed = await rowOf(id);
  expect(changed).toMatchObject({ every: 'year', priceMinor: 7000 });
  expect(utcDay(changed.periodEnd)).toBe(utcDay(shown.nextAt));
  const paid = await db.select().from(sales).where(eq(sales.userId, userId)).orderBy(sales.id);
  expect(paid.map(({ amountMinor }) => amountMinor)).toEqual([paidPodcast.priceMinor, shown.due.minor]);
  const receipt = await findMyReceipt(ctx, { id: paid[1]!.id });
  expect(receipt).toMatchObject({ priceMinor: 7000, creditMinor: shown.credit.minor, amountMinor: shown.due.minor });
});

test('a second request that reaches the provider after the first one finds the year, and charges nothing', async () => {
  const { ctx, id, userId } = await subscriber();
  clock.now = later(clock.now, DAYS(10));
  const shown = await previewYearly(ctx, { id });
  const input = { id, at: shown.at, dueMinor: shown.due.minor, yearlyMinor: 7000 };
  clock.now = later(clock.now, MINUTES(10));
  const { payments } = ctx.ports;
  const slow: typeof payments.preview = async (...args) => {
    await changeToYearly(ctx, input);
    return payments.preview(...args);
  };
  const late = {
    ...ctx,
    ports: { ...ctx.ports, payments: { ...payments, on: () => ({ ...payments, preview: slow }) } },
  };

  expect(await changeToYearly(late, input)).toMatchObject({ id });
  await settle();

  const paid = await db.select().from(sales).where(eq(sales.userId, userId)).orderBy(sales.id);
  expect(paid.map(({ amountMinor }) => amountMinor)).toEqual([paidPodcast.priceMinor, shown.due.minor]);
});

test('a show without a yearly price, or that becomes free, offers no yearly subscription', async () => {
  const { ctx, id } = await subscriber();
  const change = (set: Partial<typeof products.$inferInsert>) =>
    db.update(products).set(set).where(eq(products.id, paidPodcast.id));
  for (const set of [{ annualPriceMinor: null }, { freeConversion: 'at_period_end' }, { currency: 'usd' }] as const) {
    await change(set);
    await expect(previewYearly(ctx, { id })).rejects.toMatchObject({ code: 'billing.not_offered_yearly' });
    await change({ annualPriceMinor: 7000, freeConversion: null, currency: 'eur' });
  }
});

test('removing the last card ends subscriptions with their period, and only those continue with a new card', async () => {
  const { ctx, id, userId } = await subscriber();
  const second = await make.product(lucia, { name: 'Otra de pago', priceMinor: 900 });
  await buy(showItem(second, { userId }));
  await work();
  const [other] = (await listMySubscriptions(ctx)).filter((view) => view.id !== id);
  await cancelSubscription(ctx, { id: other!.id });
  for (const card of await listMyCards(ctx)) await removeCard(ctx, { id: card.id });
  await work();

  expect(await listMyCards(ctx)).toEqual([]);
  expect(await rowOf(id)).toMatchObject({ endReason: 'card_removed', endsAt: (await rowOf(id)).periodEnd });
  expect(await rowOf(other!.id)).toMatchObject({ endReason: 'subscriber' });
  await expect(renewSubscription(ctx, { id })).rejects.toMatchObject({ code: 'billing.card_needed' });

  expect(await finishCard(ctx, { checkout: await addCard(ctx, OTHER_CARD) })).toEqual({ subscription: null });
  await work();
  expect(await rowOf(id)).toMatchObject({ endReason: null, endsAt: null });
  expect(await rowOf(other!.id)).toMatchObject({ endReason: 'subscriber', endsAt: expect.any(Date) });
  expect(await listMyCards(ctx)).toMatchObject([{ last4: '4444', isDefault: true, charged: [{ purpose: 'show' }] }]);
});

test('a new card keeps what would have ended without one, although no job has told the provider yet', async () => {
  const { ctx, id } = await subscriber();
  for (const card of await listMyCards(ctx)) await payments.removeCard(card.id, `late/${card.id}`);
  await settle();
  expect(await rowOf(id)).toMatchObject({ endReason: 'card_removed', endsAt: null });

  await finishCard(ctx, { checkout: await addCard(ctx, OTHER_CARD) });
  await work();

  expect(await rowOf(id)).toMatchObject({ endReason: null, endsAt: null });
});

test('a card that disappears at the provider does the same; a monthly donation ends at once', async () => {
  const { id, userId } = await subscriber();
  const terms = { name: 'Donation', priceMinor: 500, currency: 'eur' as const, every: 'month' as const };
  await buy({ purpose: 'donation', buyer: { userId }, creatorId: lucia.creatorId, terms });
  await work();
  // the list shows the same card of two customers once
  const cards = await db
    .select()
    .from(paymentCards)
    .where(eq(paymentCards.userId, userId))
    .orderBy(paymentCards.providerId);
  for (const { providerId } of cards) await payments.removeCard(providerId, `gone/${providerId}`);
  await work();

  const rows = await db.select().from(subscriptions).where(eq(subscriptions.userId, userId)).orderBy(subscriptions.id);
  expect(rows).toMatchObject([
    { id, purpose: 'show', endReason: 'card_removed', endedAt: null, endsAt: expect.any(Date) },
    { purpose: 'donation', endReason: 'card_removed', endedAt: expect.any(Date) },
  ]);
});

test('with another card left, subscriptions are charged to that one', async () => {
  const { ctx, id } = await subscriber();
  await finishCard(ctx, { checkout: await addCard(ctx, OTHER_CARD) });
  await work();
  const [main, old] = await listMyCards(ctx);
  expect(main).toMatchObject({ last4: '4444', isDefault: true, charged: [{ name: paidPodcast.name }] });

  await setDefaultCard(ctx, { id: old!.id });
  expect((await stateOf(ctx)).card).toMatchObject({ last4: '4242' });
  await removeCard(ctx, { id: old!.id });
  await work();

  expect(await rowOf(id)).toMatchObject({ endsAt: null, endReason: null, cardId: main!.id });
  await pass(later((await rowOf(id)).periodEnd, DAYS(1)));
  expect(await rowOf(id)).toMatchObject({ status: 'active' });
});

test('the default one of the remaining cards is charged, although another one is newer', async () => {
  const { ctx, id, userId } = await subscriber();
  const cards = () =>
    db.select().from(paymentCards).where(eq(paymentCards.userId, userId)).orderBy(paymentCards.createdAt);
  const [main] = await cards();
  await setDefaultCard(ctx, { id: main!.providerId });
  for (const number of ['4000007240000007', OTHER_CARD]) {
    clock.now = later(clock.now, MINUTES(1));
    await finishCard(ctx, { checkout: await addCard(ctx, number, id) });
    await work();
  }
  const own = (await cards()).find(({ last4 }) => last4 === '4444')!;
  expect(await rowOf(id)).toMatchObject({ cardId: own.providerId });

  await removeCard(ctx, { id: own.providerId });
  await work();

  expect(await rowOf(id)).toMatchObject({ cardId: main!.providerId });
});

test('a card that is removed before its job runs leaves the subscription with the card that is left', async () => {
  const { ctx, id } = await subscriber();
  const { cardId } = await rowOf(id);
  const checkout = await addCard(ctx, OTHER_CARD, id);
  await finishCard(ctx, { checkout });
  await removeCard(ctx, { id: (await rowOf(id)).cardId! });

  await work();

  expect(await finishCard(ctx, { checkout })).toEqual({ subscription: id });
  expect(await rowOf(id)).toMatchObject({ cardId, endReason: null, endsAt: null });
});

test('a new card pays overdue amounts at once, also as the card of one subscription only', async () => {
  const { ctx, id, userId } = await subscriber(RENEWAL_FAILS);
  await pass(later((await rowOf(id)).periodEnd, DAYS(1)));
  expect(await stateOf(ctx)).toMatchObject({ status: 'subscribed', phase: 'past_due' });
  const before = await db.$count(sales, eq(sales.userId, userId));

  await finishCard(ctx, { checkout: await addCard(ctx, OTHER_CARD, id) });
  await work();

  expect(await stateOf(ctx)).toMatchObject({ status: 'subscribed', phase: null });
  expect(await rowOf(id)).toMatchObject({ status: 'active', pastDueSince: null });
  expect(await db.$count(sales, eq(sales.userId, userId))).toBe(before + 1);
  expect(await db.$count(paymentCards, eq(paymentCards.userId, userId))).toBe(2);
});

test('a buyer with two customers at the provider has one default card', async () => {
  const { ctx, userId } = await subscriber();
  const dollars = {
    ...showItem(paidPodcast, { userId }),
    productId: (await make.product(lucia, { priceMinor: 500 })).id,
  };
  await buy({ ...dollars, terms: { ...dollars.terms, currency: 'usd' } }, OTHER_CARD);
  await settle();

  await db.update(paymentCards).set({ isDefault: true }).where(eq(paymentCards.userId, userId));

  const cards = await listMyCards(ctx);

  expect(cards.map(({ last4, isDefault, mayBeDefault }) => [last4, isDefault, mayBeDefault])).toEqual([
    ['4242', true, false],
    ['4444', false, false],
  ]);

  // new purchases are charged to the first card, so the second card does not help
  const [main] = cards;
  const expired = { expiresAt: earlier(clock.now, 1) };
  await db.update(paymentCards).set(expired).where(eq(paymentCards.providerId, main!.id));
  expect((await currentUser(ctx)).card).toEqual({ id: main!.id, isExpired: true });
  expect(await lookupCardRow(ctx, userId)).toMatchObject({ providerId: main!.id });
});
