import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contacts } from '~/db/schema/audience';
import { sales } from '~/db/schema/billing';
import { listeningDays } from '~/db/schema/listening';
import { cast } from '../../support/cast';

const { runtime, clock, make, lucia, ada, tom, paidPodcast } = await cast();
const { db } = runtime;
const { creatorId } = lucia;
clock.now = new Date('2026-11-26T12:00:00Z');

const stored = async () => [
  ...(await db.execute(sql`
    select creator_id, product_id, purpose, currency, day::text, sales, amount_minor::int, refunded_minor::int
    from sale_days order by 1, 2, 3, 4, 5`)),
];
const recounted = async () => [
  ...(await db.execute(sql`
    select creator_id, product_id, purpose, currency, (paid_at at time zone 'UTC')::date::text as day,
      count(*)::int as sales, sum(amount_minor)::int as amount_minor, sum(refunded_minor)::int as refunded_minor
    from sales group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`)),
];

let receipts = 0;
type Facts = Partial<typeof sales.$inferInsert>;
const saleOf = (facts: Facts): typeof sales.$inferInsert => ({
  ...{ paymentId: randomUUID(), purpose: 'show', userId: tom.id, creatorId, name: 'Club', plan: 'PRO' },
  ...{ productId: paidPodcast.id, amountMinor: 500, currency: 'eur', commissionMinor: 0, commissionBasisPoints: 0 },
  ...{ commissionFixedMinor: 0, paidAt: clock.now, legalEntity: 'test', receiptNumber: ++receipts, seller: 'Altavoz' },
  ...{ buyer: { name: 'Ana', street: null, postalCode: null, city: null, country: null, taxNumber: null }, ...facts },
});

const sold = fc.record({
  purpose: fc.constantFrom('show' as const, 'gift' as const, 'donation' as const),
  currency: fc.constantFrom('eur' as const, 'usd' as const),
  amountMinor: fc.integer({ min: 100, max: 9000 }),
  paidAt: fc.constantFrom('2026-11-25T23:59:59Z', '2026-11-26T00:00:00Z').map((at) => new Date(at)),
});

test('the sums by day are those of all sales, refunds included', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(sold, { minLength: 1, maxLength: 5 }), fc.nat(100), async (all, percent) => {
      const rows = await db.insert(sales).values(all.map(saleOf)).returning();
      const refunded = rows[0]!;
      const refundedMinor = Math.floor((refunded.amountMinor * percent) / 100);
      await db.update(sales).set({ refundedMinor }).where(eq(sales.id, refunded.id));

      expect(await stored()).toEqual(await recounted());
    }),
    { numRuns: 10 },
  );
  expect((await stored()).length).toBeGreaterThan(3);
});

test('the home compares the last 30 days with the 30 before', async () => {
  const maker = await make.creator();
  const show = await make.product(maker, { priceMinor: 500 });
  const of = { creatorId: maker.creatorId, productId: show.id };
  const [now, before, earlier] = ['2026-10-28', '2026-10-27', '2026-09-27'].map((day) => `${day}T09:00:00Z`);
  const paidAt = (at: string | undefined) => new Date(at!);
  await db.insert(listeningDays).values([
    { ...of, day: '2026-11-26', listens: 2, downloads: 3 },
    { ...of, day: '2026-10-28', downloads: 4 },
    { ...of, day: '2026-10-27', downloads: 6 },
    { ...of, day: '2026-09-27', downloads: 90 },
  ]);
  await db
    .insert(sales)
    .values([
      saleOf({ ...of, userId: ada.id, paidAt: paidAt(now), amountMinor: 900, refundedMinor: 400 }),
      saleOf({ ...of, paidAt: paidAt(before), purpose: 'gift' }),
      saleOf({ ...of, paidAt: paidAt(before), currency: 'usd', amountMinor: 300 }),
      saleOf({ ...of, paidAt: paidAt(earlier), amountMinor: 9000 }),
      saleOf({ ...of, productId: null, purpose: 'donation', paidAt: paidAt(now), amountMinor: 200 }),
      saleOf({ ...of, productId: null, purpose: 'plan', paidAt: paidAt(now), amountMinor: 1900 }),
    ]);
  const contact = { creatorId: maker.creatorId, source: 'form', language: 'en' } as const;
  await db.insert(contacts).values([
    { ...contact, email: 'a@mail.example', status: 'active', since: paidAt(now) },
    { ...contact, email: 'b@mail.example', status: 'active', since: paidAt(before) },
    { ...contact, email: 'c@mail.example', status: 'active', since: paidAt(earlier) },
    { ...contact, email: 'd@mail.example', status: 'pending', since: paidAt(now) },
  ]);

  const { plays, ...figures } = await maker.api.statistics.home();
  expect(plays).toMatchObject({ last30: { listens: 2, downloads: 7 }, before30: { listens: 0, downloads: 6 } });
  expect(figures).toEqual({
    customers: { total: 0, now: 1, before: 0 },
    sales: [
      { currency: 'eur', now: 500, before: 500 },
      { currency: 'usd', now: 0, before: 300 },
    ],
    contacts: { total: 3, now: 1, before: 1 },
    donations: [{ currency: 'eur', now: 200, before: 0 }],
  });
});

test("the home, a show's overview and statistics count the same days, those of the creator's time zone", async () => {
  const maker = await make.creator({ timeZone: 'America/Lima' });
  const show = await make.product(maker);
  const of = { creatorId: maker.creatorId, productId: show.id };
  await db.insert(listeningDays).values([
    // until 5:00 it is the day before in Lima
    { ...of, day: '2026-11-27', downloads: 7, slots: { d: { '0': 4, '19': 1, '20': 2 } } },
    { ...of, day: '2026-11-26', listens: 3, slots: { l: { '10': 3 } } },
    { ...of, day: '2026-10-28', downloads: 9, slots: { d: { '19': 8, '20': 1 } } },
  ]);
  clock.now = new Date('2026-11-27T05:30:00Z');

  const [{ plays }, { evolution, totals, totalsBefore }, overview] = await Promise.all([
    maker.api.statistics.home(),
    maker.api.statistics.ofCreator({}),
    maker.api.statistics.overview({ id: show.id }),
  ]);
  clock.now = new Date('2026-11-26T12:00:00Z');

  const shown = evolution.map(({ at, listens, downloads }) => ({ day: at, listens, downloads, released: [] }));
  expect(plays!.trend).toEqual(shown);
  expect(plays!.trend.slice(-3).map(({ day, listens, downloads }) => [day, listens, downloads])).toEqual([
    ['2026-11-25', 3, 0],
    ['2026-11-26', 0, 5],
    ['2026-11-27', 0, 2],
  ]);
  expect(plays!.last30).toEqual({ listens: totals.listens, downloads: totals.downloads });
  expect(plays!.before30).toEqual({ listens: totalsBefore.listens, downloads: totalsBefore.downloads });
  expect(plays!.products).toEqual([{ id: show.id, name: show.name, plays: totals.plays }]);
  expect(overview).toMatchObject({ today: 2, last7Days: 10, last30Days: totals.plays, total: 19 });
});

test('a listener has no such figures', async () => {
  await expect(tom.api.statistics.home()).rejects.toThrow();
});
