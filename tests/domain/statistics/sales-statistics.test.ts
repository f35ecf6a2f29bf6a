import { randomUUID } from 'node:crypto';
import { eq, inArray, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { sales, subscriptions } from '~/db/schema/billing';
import { couponRedemptions, coupons } from '~/db/schema/coupons';
import { DAYS, later } from '~/server/base/time';
import { STATISTICS_LIMITS } from '~/server/limits/statistics';
import { cast } from '../../support/cast';
import '../../support/matchers';

const { runtime, make, as, clock } = await cast();
const { db } = runtime;
clock.now = new Date('2026-11-26T12:00:00Z');

const maker = await make.creator();
const api = await as(maker);
const show = await make.product(maker, { priceMinor: 500 });
const other = await make.product(maker, { priceMinor: 900 });
const { creatorId } = maker;
const people = await Promise.all(Array.from({ length: 8 }, () => make.person()));
const asked = { id: show.id, kind: 'podcast', zone: 'UTC', from: '2026-11-01', to: '2026-11-10' } as const;

type Facts = Partial<typeof subscriptions.$inferInsert>;
const at = (day: string) => new Date(`${day}T15:00:00Z`);

const subscription = (person: number, startedAt: string, facts: Facts = {}): typeof subscriptions.$inferInsert => ({
  ...{ providerId: randomUUID(), customerId: 'cus', purpose: 'show', userId: people[person]!.id, creatorId },
  ...{ productId: show.id, status: facts.endedAt ? 'canceled' : 'active', priceMinor: 500, currency: 'eur' },
  ...{ every: 'month', startedAt: at(startedAt), periodStart: at(startedAt), syncedAt: clock.now },
  ...{ periodEnd: later(at(startedAt), DAYS(30)), ...facts },
});

let receipts = 0;
const sale = (paidAt: string, facts: Partial<typeof sales.$inferInsert> = {}): typeof sales.$inferInsert => ({
  ...{ paymentId: randomUUID(), purpose: 'show', userId: people[0]!.id, creatorId, name: 'Club', plan: 'PRO' },
  ...{ productId: show.id, amountMinor: 500, currency: 'eur', commissionMinor: 0, commissionBasisPoints: 0 },
  ...{ commissionFixedMinor: 0, paidAt: at(paidAt), legalEntity: 'statistics', receiptNumber: ++receipts },
  ...{ seller: 'Altavoz', buyer: { name: 'Ana', street: null, postalCode: null, city: null } as never, ...facts },
});

beforeEach(async () => {
  await db.delete(couponRedemptions);
  await db.delete(sales).where(eq(sales.creatorId, creatorId));
  await db.delete(coupons).where(eq(coupons.creatorId, creatorId));
  await db.delete(subscriptions).where(eq(subscriptions.creatorId, creatorId));
});

const stored = async () => [
  ...(await db.execute(sql`
    select product_id, currency, day::text, gained, lost from subscription_days
    where creator_id = ${creatorId} and (gained <> 0 or lost <> 0) order by 1, 2, 3`)),
];
const recounted = async () => [
  ...(await db.execute(sql`
    select product_id, currency, day::text, sum(gained)::int as gained, sum(lost)::int as lost from (
      select product_id, currency, (started_at at time zone 'UTC')::date as day, 1 as gained, 0 as lost, status, end_reason
      from subscriptions where creator_id = ${creatorId} and purpose = 'show'
      union all
      select product_id, currency, (ended_at at time zone 'UTC')::date, 0, 1, status, end_reason
      from subscriptions where creator_id = ${creatorId} and purpose = 'show' and ended_at is not null
    ) e where status not in ('incomplete', 'expired') and end_reason is distinct from 'duplicate'
    group by 1, 2, 3 order by 1, 2, 3`)),
];

const change = fc.record({
  kind: fc.constantFrom('insert' as const, 'update' as const, 'delete' as const),
  of: fc.uniqueArray(fc.nat(people.length - 1), { minLength: 1 }),
  productId: fc.constantFrom(show.id, other.id),
  facts: fc.record({
    status: fc.constantFrom('active' as const, 'trialing' as const, 'incomplete' as const, 'canceled' as const),
    currency: fc.constantFrom('eur' as const, 'usd' as const),
    startedAt: fc.constantFrom('2026-10-31T23:59:59Z', '2026-11-01T00:00:00Z').map((day) => new Date(day)),
    endedAt: fc.constantFrom(new Date('2026-11-02T00:00:00Z'), null, null),
    endReason: fc.constantFrom('subscriber' as const, 'duplicate' as const, null),
  }),
});

test('the sums by day are those of all subscriptions, whatever happens to them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 6 }), async (changes) => {
      await db.delete(subscriptions).where(eq(subscriptions.creatorId, creatorId));
      for (const { kind, of, productId, facts } of changes) {
        const rows = of.map((person) => subscription(person, '2026-11-01', { productId, ...facts }));
        const own = sql`creator_id = ${creatorId} and user_id = any(${sql.param(of.map((person) => people[person]!.id))}::bigint[])`;
        if (kind === 'insert') await db.insert(subscriptions).values(rows).onConflictDoNothing();
        else if (kind === 'update')
          await db
            .update(subscriptions)
            .set({ ...facts, endedAt: new Date('2026-11-03T00:00:00Z') })
            .where(own);
        else await db.delete(subscriptions).where(own);
      }
      expect(await stored()).toEqual(await recounted());
    }),
    { numRuns: 25 },
  );
});

test('subscribers are gained and lost on their days; the churn is what part of those before left', async () => {
  const ended = (day: string, facts: Facts = {}): Facts => ({ endedAt: at(day), endReason: 'subscriber', ...facts });
  await db
    .insert(subscriptions)
    .values([
      subscription(0, '2026-09-01'),
      subscription(1, '2026-10-01', ended('2026-11-02')),
      subscription(2, '2026-10-25', ended('2026-10-29')),
      subscription(3, '2026-10-30'),
      subscription(4, '2026-11-01', { status: 'trialing' }),
      subscription(5, '2026-11-10', { currency: 'usd' }),
      subscription(6, '2026-11-11'),
      subscription(6, '2026-11-03', ended('2026-11-03', { endReason: 'duplicate' })),
      subscription(7, '2026-11-03', { status: 'incomplete' }),
      subscription(7, '2026-11-05', { productId: other.id }),
    ]);

  const found = await api.statistics.salesOfShow({ ...asked, granularity: 'week' });
  const all = await api.statistics.salesOfCreator({ zone: 'UTC', from: asked.from, to: asked.to });

  expect(found.subscribers).toEqual({ start: 3, gained: 2, lost: 1, end: 4, churn: 1 / 3 });
  // 22 to 31 October: two ran before, one more came and went, and one stayed
  expect(found.subscribersBefore).toEqual({ start: 2, gained: 2, lost: 1, end: 3, churn: 0.5 });
  expect(found.evolution).toEqual([
    { at: '2026-11-01', gained: 1, lost: 0, subscribers: 4 },
    { at: '2026-11-02', gained: 0, lost: 1, subscribers: 3 },
    { at: '2026-11-09', gained: 1, lost: 0, subscribers: 4 },
  ]);
  expect(all.subscribers).toMatchObject({ start: 3, gained: 3, lost: 1, end: 5 });
  expect(all.people).toBeNull();
});

test('revenue is net of refunds and apart for each currency, and so is the average of a subscriber', async () => {
  await db.insert(subscriptions).values([subscription(0, '2026-09-01'), subscription(1, '2026-11-02')]);
  await db
    .insert(sales)
    .values([
      sale('2026-11-01', { amountMinor: 900, refundedMinor: 300 }),
      sale('2026-11-05', { purpose: 'gift', amountMinor: 700 }),
      sale('2026-11-05', { currency: 'usd', amountMinor: 100 }),
      sale('2026-10-31', { amountMinor: 250 }),
      sale('2026-11-11', { amountMinor: 8000 }),
      sale('2026-11-05', { productId: other.id, amountMinor: 40 }),
      sale('2026-11-05', { productId: null, purpose: 'donation', amountMinor: 2000 }),
      sale('2026-11-05', { productId: null, purpose: 'plan', amountMinor: 1900 }),
    ]);

  const found = await api.statistics.salesOfShow(asked);
  const all = await api.statistics.salesOfCreator({ zone: 'UTC', from: asked.from, to: asked.to });
  const rest = await api.statistics.ofShow(asked);

  expect(found.revenue).toEqual([
    { currency: 'eur', now: 1300, before: 250 },
    { currency: 'usd', now: 100, before: 0 },
  ]);
  // 6 euros of one subscriber at the start and two at the end
  expect(found.perSubscriber).toEqual([{ currency: 'eur', now: 400, before: 250 }]);
  expect(all.revenue[0]).toEqual({ currency: 'eur', now: 1340, before: 250 });
  expect(rest.sales).toEqual({
    subscribers: found.people,
    revenue: found.revenue.map(({ now, currency }) => ({ minor: now, currency })),
  });
});

test('subscribers who have stopped paying stay an average', async () => {
  await db.insert(subscriptions).values(subscription(0, '2026-10-01'));
  await db.insert(sales).values(sale('2026-10-25'));

  const { perSubscriber } = await api.statistics.salesOfShow(asked);

  expect(perSubscriber).toEqual([{ currency: 'eur', now: 0, before: 500 }]);
});

test('coupons have their uses, and what people paid who came with them', async () => {
  const coupon = { creatorId, currency: 'eur', percent: 50, duration: 'lifetime' } as const;
  const [spring, free, foreign, unused] = await db
    .insert(coupons)
    .values([
      { ...coupon, productId: show.id, code: 'SPRING' },
      { ...coupon, productId: show.id, code: 'FREE', percent: 100 },
      { ...coupon, productId: other.id, code: 'OTHER' },
      { ...coupon, productId: show.id, code: 'UNUSED' },
    ])
    .returning();
  const use = (couponId: number, day: string, state: 'redeemed' | 'reserved' = 'redeemed') => ({
    ...{ checkoutId: randomUUID(), couponId, state, createdAt: at(day), updatedAt: at(day) },
  });
  await db
    .insert(couponRedemptions)
    .values([
      use(spring!.id, '2026-11-02'),
      use(spring!.id, '2026-10-30'),
      use(spring!.id, '2026-11-03', 'reserved'),
      use(free!.id, '2026-11-02'),
      use(free!.id, '2026-11-03'),
      use(foreign!.id, '2026-11-03'),
      use(unused!.id, '2026-11-11'),
    ]);
  await db
    .insert(sales)
    .values([
      sale('2026-11-02', { couponId: spring!.id, amountMinor: 250, refundedMinor: 50 }),
      sale('2026-11-09', { couponId: spring!.id, amountMinor: 250 }),
      sale('2026-10-30', { couponId: spring!.id, amountMinor: 250 }),
      sale('2026-11-03', { couponId: foreign!.id, productId: other.id, amountMinor: 450 }),
    ]);

  const found = await api.statistics.salesOfShow(asked);

  expect(found.coupons).toEqual([
    { id: free!.id, code: 'FREE', uses: 2, usesBefore: 0, revenue: [] },
    {
      ...{ id: spring!.id, code: 'SPRING', uses: 1, usesBefore: 1 },
      revenue: [{ currency: 'eur', now: 450, before: 250 }],
    },
  ]);
});

test('of many coupons, the most used ones are shown, and one without uses last', async () => {
  const rows = await db
    .insert(coupons)
    .values(
      Array.from({ length: STATISTICS_LIMITS.coupons + 2 }, (_, i) => ({
        ...{ creatorId, productId: show.id, currency: 'eur' as const, percent: 50, duration: 'lifetime' as const },
        code: `CODE${i}`,
      })),
    )
    .returning();
  const ids = rows.map(({ id }) => id).sort((a, b) => a - b);
  const [paidOnly, ...used] = ids;
  const use = (couponId: number, day: string) => ({
    ...{ checkoutId: randomUUID(), couponId, state: 'redeemed' as const, createdAt: at(day), updatedAt: at(day) },
  });
  await db.insert(couponRedemptions).values([
    ...used.map((id) => use(id, '2026-11-02')),
    // the second one was used most, and the third one more often before
    use(used[1]!, '2026-11-03'),
    use(used[2]!, '2026-10-30'),
  ]);
  await db.insert(sales).values(sale('2026-11-02', { couponId: paidOnly! }));

  const most = await api.statistics.salesOfShow(asked);
  await db.delete(couponRedemptions).where(inArray(couponRedemptions.couponId, used.slice(2)));
  const few = await api.statistics.salesOfShow(asked);

  const latest = [...used].reverse();
  const others = latest.filter((id) => id !== used[1] && id !== used[2]);
  expect(most.coupons.map(({ id }) => id)).toEqual([used[1], used[2], ...others].slice(0, STATISTICS_LIMITS.coupons));
  expect(few.coupons.map(({ id, uses, revenue }) => [id, uses, revenue.length])).toEqual([
    [used[1], 2, 0],
    [used[0], 1, 0],
    [paidOnly, 0, 1],
  ]);
});

test('a show without subscribers has no churn and no average, and impossible periods are refused', async () => {
  const found = await api.statistics.salesOfShow(asked);

  expect(found).toMatchObject({ perSubscriber: [], coupons: [] });
  expect(found.revenue.filter(({ now, before }) => now + before > 0)).toEqual([]);
  expect(found.subscribers).toEqual({ start: 0, gained: 0, lost: 0, end: 0, churn: null });
  await expect(api.statistics.salesOfShow({ ...asked, from: '0000-01-01' })).toFailWith('field.date_invalid');
  await expect(api.statistics.salesOfShow({ ...asked, to: '2026-10-01' })).toFailWith('statistics.range_reversed');
});
