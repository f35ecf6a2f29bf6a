import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { users } from '~/db/schema/accounts';
import { subscriptions } from '~/db/schema/billing';
import { products } from '~/db/schema/products';
import type { BuyerState } from '~/db/values/buyer-states';
import { DAYS, later } from '~/server/base/time';
import { grantAccess } from '~/server/domain/access/grant-access';
import { type BuyerFilter, countFound } from '~/server/domain/billing/buyers/buyer-filter';
import { listBuyerPage } from '~/server/domain/billing/buyers/buyer-list';
import { lockProduct } from '~/server/domain/products/price-product';
import { transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../../support/cast';
import { expectRebuilt } from '../../../support/expect-rebuilt';
import { lockWaits } from '../../../support/lock-waits';

const { runtime, make, lucia, clock } = await cast();
const { db } = runtime;
const ctx = systemCtx(runtime, 'test');
const day = (n: number) => later(clock.now, DAYS(n));
type Source = (typeof grants.$inferSelect)['source'];

async function newShow(priceMinor: number | null = 500) {
  const { id } = await make.product(lucia, { priceMinor });
  const show = async () => (await db.select().from(products).where(eq(products.id, id)))[0]!;
  const list = async (filter: BuyerFilter, at = clock.now) => {
    const page = await listBuyerPage({ ...ctx, now: () => at }, await show(), { page: 1, pageSize: 20, ...filter });
    expect(page.total).toBe(page.items.length);
    return page.items.map(({ userId, state }) => [userId, state]);
  };
  const give = (userId: number, source: Source, endsAt: Date | null = null, startsAt = clock.now) =>
    db.insert(grants).values({ userId, productId: id, source, startsAt, dripsFrom: startsAt, endsAt });
  const subscribe = (userId: number, facts: Partial<typeof subscriptions.$inferInsert> = {}) =>
    db.insert(subscriptions).values({
      ...{ providerId: randomUUID(), customerId: 'cus', purpose: 'show', userId, creatorId: lucia.creatorId },
      ...{ productId: id, status: 'active', priceMinor: 500, currency: 'eur', every: 'month' },
      ...{ startedAt: clock.now, periodStart: clock.now, periodEnd: day(30), syncedAt: clock.now, ...facts },
    });
  return { id, show, list, give, subscribe };
}

test.each<[string, Partial<typeof subscriptions.$inferInsert>, [at: number, BuyerState][]]>([
  [
    'running',
    {},
    [
      [0, 'subscribed'],
      [400, 'subscribed'],
    ],
  ],
  [
    'cancelled',
    { endsAt: day(20) },
    [
      [0, 'cancelled'],
      [20, 'ended'],
    ],
  ],
  [
    'overdue and cancelled',
    { pastDueSince: day(0), endsAt: day(20) },
    [
      [0, 'past_due'],
      [20, 'ended'],
    ],
  ],
  [
    'paused',
    { pausedUntil: day(9) },
    [
      [0, 'paused'],
      [10, 'paused'],
    ],
  ],
  ['on trial', { status: 'trialing', trialEnd: day(14) }, [[0, 'trial']]],
  ['over', { endedAt: day(0) }, [[0, 'ended']]],
])('a person whose subscription is %s is found in that state until it ends', async (_, facts, states) => {
  const { give, subscribe, list } = await newShow();
  const { id } = await make.person();
  await subscribe(id, facts);
  await give(id, 'subscription', day(33));

  for (const [at, state] of states) {
    expect(await list({ state }, day(at))).toEqual([[id, state]]);
    expect(await list({}, day(at))).toEqual([[id, state]]);
  }
  const [, second] = states;
  if (second && second[1] !== states[0]![1]) {
    expect(await list({ state: states[0]![1] }, later(day(second[0]), -1))).toHaveLength(1);
    expect(await list({ state: states[0]![1] }, day(second[0]))).toEqual([]);
  }
  await expectRebuilt(db);
});

test('people change their state when their access ends, on the day of the list, too', async () => {
  const { give, list } = await newShow();
  const [one, two] = [await make.person(), await make.person()];
  await give(one.id, 'gift', later(clock.now, 1000));
  await give(two.id, 'gift', day(3));
  await give(two.id, 'subscription', day(1));

  expect(await list({ state: 'invited' })).toEqual([[one.id, 'invited']]);
  expect(await list({ state: 'ended' }, later(clock.now, 1000))).toEqual([[one.id, 'ended']]);
  expect(await list({ state: 'subscribed' })).toEqual([[two.id, 'subscribed']]);
  expect(await list({ state: 'invited' }, day(1))).toEqual([[two.id, 'invited']]);
  expect(await list({ state: 'ended' }, day(3))).toHaveLength(2);
});

test('all changes of a subscription and of grants leave what a rebuild would store', async () => {
  const { give, subscribe, list } = await newShow();
  const { id } = await make.person();
  await subscribe(id);
  await expectRebuilt(db);
  await give(id, 'purchase');
  await expectRebuilt(db);

  for (const facts of [{ pastDueSince: day(0) }, { pastDueSince: null, endsAt: day(5) }, { endedAt: day(1) }]) {
    await db.update(subscriptions).set(facts).where(eq(subscriptions.userId, id));
    await expectRebuilt(db);
  }
  expect(await list({})).toEqual([[id, 'bought']]);
  await db.delete(grants).where(eq(grants.userId, id));
  await expectRebuilt(db);
  expect(await list({})).toEqual([]);
});

test('followers are listed while the show is free', async () => {
  const { id: productId, give, list } = await newShow(null);
  const [fan, friend] = [await make.person(), await make.person()];
  await give(fan.id, 'follow');
  await give(friend.id, 'follow', null, day(-2));
  await give(friend.id, 'gift', null, day(-1));
  const price = (priceMinor: number | null) =>
    db.update(products).set({ priceMinor }).where(eq(products.id, productId));

  expect(await list({ state: 'following' })).toEqual([[fan.id, 'following']]);
  await price(500);
  expect(await list({})).toEqual([[friend.id, 'invited']]);
  await expectRebuilt(db);
  await price(null);
  expect(await list({})).toHaveLength(2);
  await expectRebuilt(db);
});

test('a change of a subscription waits for the transaction that gives its person the first access', async () => {
  const { id: productId, subscribe, list } = await newShow();
  const { id: userId } = await make.person();
  await subscribe(userId);
  let change: Promise<unknown> | undefined;

  await transact(ctx, async (tx) => {
    await grantAccess(tx, { userId, productId, source: 'gift', endsAt: null });
    const own = and(eq(subscriptions.userId, userId), eq(subscriptions.productId, productId));
    change = Promise.resolve(db.update(subscriptions).set({ pastDueSince: clock.now }).where(own));
    await lockWaits(db);
  });
  await change;

  expect(await list({})).toEqual([[userId, 'past_due']]);
  await expectRebuilt(db);
});

test('a grant that ends while the price of its show changes waits for the price', async () => {
  const { id: productId, give, list } = await newShow();
  const { id: userId } = await make.person();
  await give(userId, 'gift');
  let ending: Promise<unknown> | undefined;

  await transact(ctx, async (tx) => {
    await lockProduct(tx, productId);
    ending = Promise.resolve(
      db
        .update(grants)
        .set({ endsAt: day(1) })
        .where(eq(grants.userId, userId)),
    );
    await lockWaits(db);
    await tx.db.update(products).set({ priceMinor: null }).where(eq(products.id, productId));
  });
  await ending;

  expect(await list({}, day(1))).toEqual([[userId, 'ended']]);
  await expectRebuilt(db);
});

test('a search finds parts of addresses, and of names that are shown', async () => {
  const { give, list, show } = await newShow();
  const [buyer, invited] = [await make.person(), await make.person()];
  await db.update(users).set({ name: 'Ramón Guisante' }).where(eq(users.id, buyer.id));
  await db.update(users).set({ name: 'Elena Guisante' }).where(eq(users.id, invited.id));
  await give(buyer.id, 'purchase');
  await give(invited.id, 'gift');

  expect(await list({ search: 'guisan' })).toEqual([[buyer.id, 'bought']]);
  expect(await list({ search: invited.email.slice(1, -3) })).toEqual([[invited.id, 'invited']]);
  expect(await list({ search: 'guisan', state: 'ended' })).toEqual([]);
  expect(await countFound(ctx, await show(), { search: '@' })).toBe(2);
});
