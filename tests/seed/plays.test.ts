import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { episodeMinutes } from '~/db/schema/heard-minutes';
import { episodeMonths, episodeTotals, listeningDays, listens, machineDays } from '~/db/schema/listening';
import { products } from '~/db/schema/products';
import { DAYS, earlier, utcDay } from '~/server/base/time';
import { seedHeardMinutes } from '~/server/seed/heard-minutes';
import { seedPlays } from '~/server/seed/plays';
import { cast } from '../support/cast';

const { runtime, make } = await cast({ empty: true });
const { db } = runtime;
// the migration creates partitions for listens around the real date
const now = new Date();

/** A creator with one published episode. */
async function withEpisode() {
  const creator = await make.creator();
  const product = await make.product(creator);
  const [episode] = await make.episodes(product, 1, () => ({ releaseAt: earlier(now, DAYS(20)) }));
  const [user] = await db.select({ email: users.email }).from(users).where(eq(users.id, creator.id));
  return { creator, email: user!.email, creatorId: creator.creatorId, productId: product.id, episodeId: episode!.id };
}

test('the seed computes rollups for the demo episodes only, without archived shows', async () => {
  const { email: _, creator: __, ...other } = await withEpisode();
  await db.insert(listens).values({ ...other, day: utcDay(now), sessionId: 'not the demo', at: now });
  const demo = await withEpisode();
  const archived = await make.product(demo.creator, { slug: 'archived' });
  await make.episodes(archived, 1, () => ({ releaseAt: earlier(now, DAYS(20)) }));
  await db.update(products).set({ archivedAt: now }).where(eq(products.id, archived.id));

  await seedPlays(db, [demo.email], now);

  const [days, totals] = [
    await db.select().from(listeningDays).orderBy(listeningDays.day),
    await db.select().from(episodeTotals).orderBy(episodeTotals.episodeId),
  ];
  expect(new Set(days.map(({ creatorId }) => creatorId))).toEqual(new Set([demo.creatorId]));
  expect(totals.map(({ episodeId }) => episodeId)).toEqual([demo.episodeId]);
});

test('the demo’s plays fill each chart, are the same at the next start, and are counted once', async () => {
  const demo = await withEpisode();

  await seedPlays(db, [demo.email], now);
  const own = {
    days: eq(listeningDays.productId, demo.productId),
    months: eq(episodeMonths.productId, demo.productId),
  };
  const read = async () => ({
    days: await db.select().from(listeningDays).where(own.days).orderBy(listeningDays.day),
    months: await db.select().from(episodeMonths).where(own.months).orderBy(episodeMonths.month),
    machines: await db.$count(machineDays, eq(machineDays.productId, demo.productId)),
  });
  const once = await read();
  await seedPlays(db, [demo.email], now);

  expect(await read()).toEqual(once);
  const sum = (pick: (row: (typeof once.days)[number]) => number | null) =>
    once.days.reduce((total, row) => total + (pick(row) ?? 0), 0);
  expect([sum((row) => row.listens), sum((row) => row.downloads), sum((row) => row.listeners)]).toEqual(
    Array(3).fill(expect.toSatisfy((total: number) => total > 0)),
  );
  const dimensions = new Set(once.days.flatMap((row) => Object.keys(row.dimensions)));
  expect([...dimensions].sort()).toEqual(['app', 'country', 'device', 'os', 'region', 'source']);
  expect(once.months.reduce((total, row) => total + row.listens + row.downloads, 0)).toBe(
    sum((row) => row.listens + row.downloads),
  );
  expect(once.machines).toBe(once.days.length);
});

test('the demo’s listeners stop at different minutes, and a second run adds none', async () => {
  const demo = await withEpisode();

  await seedHeardMinutes(db, [demo.email], now);
  const read = () =>
    db.select().from(episodeMinutes).where(eq(episodeMinutes.episodeId, demo.episodeId)).orderBy(episodeMinutes.month);
  const once = await read();
  await seedHeardMinutes(db, [demo.email], now);

  expect(once.reduce((total, row) => total + row.listeners, 0)).toBeGreaterThan(3);
  expect(await read()).toEqual(once);
});
