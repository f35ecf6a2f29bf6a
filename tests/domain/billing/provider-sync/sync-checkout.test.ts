import { and, eq } from 'drizzle-orm';
import { payByForms } from 'stripe-sandbox/testing/pay-by-forms';
import { expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { users } from '~/db/schema/accounts';
import { sales, subscriptions } from '~/db/schema/billing';
import { checkouts, paymentEvents } from '~/db/schema/checkouts';
import { products } from '~/db/schema/products';
import { DAYS, later } from '~/server/base/time';
import { openCheckout } from '~/server/domain/billing/checkout/checkouts';
import { catchUp } from '~/server/domain/billing/provider-sync/catch-up';
import { handleEvent, receiveEvent } from '~/server/domain/billing/provider-sync/events';
import { syncCheckout } from '~/server/domain/billing/provider-sync/sync-checkout';
import { ADDRESSES, GOOD_CARD, shop, showItem } from '../../../support/shop';

const RENEWAL_FAILS = '4000000000000044';
const { runtime, ctx, make, lucia, paidPodcast, sandbox, payments, fetch, clock, settle, buy, pass } = await shop();
const { db } = runtime;
const paidSeries = await make.product(lucia, { kind: 'audio_series', name: 'Serie de pago', priceMinor: 1500 });

const grantsOf = (userId: number) => db.select().from(grants).where(eq(grants.userId, userId)).orderBy(grants.id);
const salesOf = (userId: number) => db.select().from(sales).where(eq(sales.userId, userId)).orderBy(sales.id);
const subscriptionsOf = (userId: number) =>
  db.select().from(subscriptions).where(eq(subscriptions.userId, userId)).orderBy(subscriptions.id);
const userByEmail = async (email: string) => (await db.select().from(users).where(eq(users.email, email)))[0]!;

test('a paid subscription opens its show, and its sale has the plan and the commission of that moment', async () => {
  const buyer = await make.person();
  const id = await buy(showItem(paidPodcast, { userId: buyer.id }));
  expect(await grantsOf(buyer.id)).toEqual([]);

  await settle();

  const [subscription] = await subscriptionsOf(buyer.id);
  expect(subscription).toMatchObject({ status: 'active', checkoutId: id, purpose: 'show', endedAt: null });
  expect(await grantsOf(buyer.id)).toMatchObject([
    { source: 'subscription', renews: true, endsAt: later(subscription!.periodEnd, DAYS(7)) },
  ]);
  const amountMinor = paidPodcast.priceMinor!;
  expect(await salesOf(buyer.id)).toMatchObject([
    {
      amountMinor,
      purpose: 'show',
      every: 'month',
      plan: 'PRO',
      commissionMinor: Math.round(amountMinor * 0.03) + 30,
      receiptNumber: expect.any(Number),
    },
  ]);
});

test('renewals extend access, and each is one sale, however often and in whatever order its events come', async () => {
  const buyer = await make.person();
  await buy(showItem(paidPodcast, { userId: buyer.id }));
  await sandbox.injectFaults({ duplicates: 2, reorder: true });
  await settle();

  await pass(later(clock.now, DAYS(32)));
  await pass(later(clock.now, DAYS(31)));
  await sandbox.injectFaults({ duplicates: 0, reorder: false });

  expect(await salesOf(buyer.id)).toHaveLength(3);
  const [subscription] = await subscriptionsOf(buyer.id);
  expect(subscription!.periodEnd > clock.now).toBe(true);
  expect(await grantsOf(buyer.id)).toMatchObject([{ endsAt: later(subscription!.periodEnd, DAYS(7)) }]);
});

test('a purchase opens an audio series for ever, and its complete refund closes it', async () => {
  const buyer = await make.person();
  await buy(showItem(paidSeries, { userId: buyer.id }));
  await settle();
  expect(await grantsOf(buyer.id)).toMatchObject([{ source: 'purchase', endsAt: null }]);

  const [sale] = await salesOf(buyer.id);
  await payments.refund(sale!.paymentId, { reference: {} }, `refund/${sale!.id}`);
  await settle();

  expect(await salesOf(buyer.id)).toMatchObject([{ refundedMinor: 1500 }]);
  expect((await grantsOf(buyer.id))[0]!.endsAt).toEqual(clock.now);
});

test('a buyer without an account gets one when the payment is settled, and an existing one is used', async () => {
  const email = 'nueva@mail.example';
  const known = await make.person();
  const created = await buy(showItem(paidPodcast, { email, browserHash: 'a' }));
  const existing = await buy(showItem(paidSeries, { email: known.email, browserHash: 'b' }));
  await settle();

  const user = await userByEmail(email);
  expect(user).toMatchObject({ passwordHash: null, emailVerifiedAt: null });
  expect(await grantsOf(user.id)).toHaveLength(1);
  expect(await grantsOf(known.id)).toHaveLength(1);
  const rows = await db.select().from(checkouts).orderBy(checkouts.createdAt);
  expect(rows.find(({ id }) => id === created)).toMatchObject({ createdAccount: true, userId: user.id });
  expect(rows.find(({ id }) => id === existing)).toMatchObject({ createdAccount: false, userId: known.id });
});

test('two tabs share one payment page, and other terms replace it', async () => {
  const buyer = await make.person();
  const item = { ...showItem(paidPodcast, { userId: buyer.id }), paths: ADDRESSES };
  const [one, two] = await Promise.all([openCheckout(ctx, item), openCheckout(ctx, item)]);
  expect(one).toEqual(two);

  const yearly = { ...item, terms: { ...item.terms, priceMinor: 5000, every: 'year' as const } };
  const other = await openCheckout(ctx, yearly);

  expect(other.id).not.toBe(one.id);
  const rows = await db.select().from(checkouts).where(eq(checkouts.userId, buyer.id)).orderBy(checkouts.createdAt);
  expect(rows.map(({ status }) => status).sort()).toEqual(['closed', 'open']);
  const page = rows.find(({ id }) => id === one.id)!;
  expect(await payments.fetch.checkout(page.providerId!)).toMatchObject({ status: 'expired' });
});

test.each([
  ['subscription', paidPodcast],
  ['purchase', paidSeries],
])('a second %s of the same show is cancelled and refunded', async (_, show) => {
  const buyer = await make.person();
  await buy(showItem(show, { userId: buyer.id }));
  const again = await openCheckout(ctx, {
    ...showItem(show, { email: buyer.email, browserHash: 'c' }),
    paths: ADDRESSES,
  });
  await payByForms(fetch, again.url, { number: GOOD_CARD, proven: true });
  await settle();

  const rows = await salesOf(buyer.id);
  const price = show.priceMinor!;
  expect(rows.map(({ refundedMinor }) => refundedMinor).sort((a, b) => a - b)).toEqual([0, price]);
  const running = (await subscriptionsOf(buyer.id)).filter(({ endedAt }) => endedAt === null);
  expect(running).toHaveLength(show === paidPodcast ? 1 : 0);
  const [grant] = await grantsOf(buyer.id);
  expect(grant!.endsAt === null || grant!.endsAt > clock.now).toBe(true);
});

test('a payment that arrives after the show has become free is refunded', async () => {
  const show = await make.product(lucia, { kind: 'podcast', priceMinor: 700 });
  const buyer = await make.person();
  await buy(showItem(show, { userId: buyer.id }));
  await db.update(products).set({ priceMinor: null }).where(eq(products.id, show.id));
  await settle();

  expect(await grantsOf(buyer.id)).toEqual([]);
  expect(await salesOf(buyer.id)).toMatchObject([{ amountMinor: 700, refundedMinor: 700 }]);
  expect(await subscriptionsOf(buyer.id)).toMatchObject([
    { endReason: 'show_becomes_free', endedAt: expect.any(Date) },
  ]);
});

test('without any webhook, looking at the payment page gives the same result', async () => {
  const buyer = await make.person();
  const id = await buy(showItem(paidPodcast, { userId: buyer.id }));
  const [row] = await db.select().from(checkouts).where(eq(checkouts.id, id));

  await syncCheckout(ctx, row!.providerId!);

  expect(await grantsOf(buyer.id)).toHaveLength(1);
  expect(await salesOf(buyer.id)).toHaveLength(1);
  await settle();
  expect(await salesOf(buyer.id)).toHaveLength(1);
});

test('a failed renewal gives seven days, and the payment of it continues the subscription', async () => {
  const buyer = await make.person();
  await buy(showItem(paidPodcast, { userId: buyer.id }), RENEWAL_FAILS);
  await settle();
  const [before] = await subscriptionsOf(buyer.id);
  await pass(later(before!.periodEnd, DAYS(1)));

  const [overdue] = await subscriptionsOf(buyer.id);
  expect(overdue).toMatchObject({ status: 'past_due', pastDueSince: before!.periodEnd });
  expect(await grantsOf(buyer.id)).toMatchObject([{ renews: false, endsAt: later(before!.periodEnd, DAYS(7)) }]);
});

test('an event is stored once; a forged, an old and an unknown one change nothing', async () => {
  const count = () => db.$count(paymentEvents);
  const before = await count();
  await expect(receiveEvent(ctx, { body: '{}', signature: 't=1,v1=abc' })).rejects.toMatchObject({
    code: 'payments.signature_invalid',
  });
  expect(await count()).toBe(before);

  await db.insert(paymentEvents).values({
    id: 'evt_unknown',
    event: {
      id: 'evt_unknown',
      at: clock.now,
      account: null,
      live: false,
      type: 'checkout_completed',
      checkout: 'cs_1',
    },
    at: clock.now,
    receivedAt: clock.now,
  });
  await handleEvent(ctx, { eventId: 'evt_unknown' });
  const handled = and(eq(paymentEvents.id, 'evt_unknown'));
  expect((await db.select().from(paymentEvents).where(handled))[0]!.handledAt).toEqual(clock.now);
});

test('events whose webhooks were lost are found in the provider’s list', async () => {
  await settle();
  expect(await catchUp(ctx)).toBe(0);
  const buyer = await make.person();
  await sandbox.injectFaults({ lose: 100 });
  await buy(showItem(paidPodcast, { userId: buyer.id }));
  await settle();
  await sandbox.injectFaults({ lose: 0 });
  expect(await grantsOf(buyer.id)).toEqual([]);

  expect(await catchUp(ctx)).toBeGreaterThan(0);
  await settle();

  expect(await grantsOf(buyer.id)).toHaveLength(1);
  expect(await salesOf(buyer.id)).toHaveLength(1);
  expect(await catchUp(ctx)).toBe(0);
});

test('after an outage, events are found although a later webhook arrives before the first look', async () => {
  await catchUp(ctx);
  const [lost, heard] = [await make.person(), await make.person()];
  await sandbox.injectFaults({ lose: 100 });
  await buy(showItem(paidPodcast, { userId: lost.id }));
  await settle();
  clock.now = later(clock.now, DAYS(2));
  await sandbox.injectFaults({ lose: 0 });
  await buy(showItem(paidPodcast, { userId: heard.id }));
  await settle();
  expect([await grantsOf(lost.id), await grantsOf(heard.id)].map(({ length }) => length)).toEqual([0, 1]);

  await catchUp(ctx);
  await settle();

  expect(await grantsOf(lost.id)).toHaveLength(1);
});

test('receipt numbers have no gaps', async () => {
  const numbers = (await db.select({ n: sales.receiptNumber }).from(sales).orderBy(sales.receiptNumber)).map(
    ({ n }) => n,
  );
  expect(numbers).toEqual(numbers.map((_, i) => i + 1));
});
