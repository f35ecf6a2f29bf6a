import { sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { episodeMonths, listeningDays } from '~/db/schema/listening';
import { statisticsOfEpisode } from '~/server/domain/statistics/episode-statistics';
import { overviewOfShow } from '~/server/domain/statistics/show-overview';
import { statisticsOfShow } from '~/server/domain/statistics/show-statistics';
import { STATISTICS_LIMITS } from '~/server/limits/statistics';
import { cast } from '../../support/cast';
import { deliverAt, delivery, downloadsOf, part, twoMinuteEpisode } from '../../support/deliveries';
import { rowsRead } from '../../support/rows-read';

const { runtime, clock, make, ctxOf, visitorCtx } = await cast();
const { db } = runtime;
await db.execute(sql`select make_listening_partitions('2026-02-01', 4)`);
const NOW = new Date('2026-03-20T12:00:00Z');
beforeEach(() => {
  clock.now = NOW;
});

async function newShow() {
  const owner = await make.creator();
  const product = await make.product(owner);
  return { owner, product, ctx: ctxOf(owner, { now: NOW }) };
}
const plays = (points: { plays: number }[]) => points.reduce((sum, point) => sum + point.plays, 0);

test('an empty show and an episode that nobody has heard have figures of nothing', async () => {
  const { product, ctx } = await newShow();
  const [episode] = await make.episodes(product, 1);

  const show = await statisticsOfShow(ctx, { id: product.id });
  const one = await statisticsOfEpisode(ctx, { id: episode!.id });

  for (const found of [show, one]) {
    expect(found.since).toBeNull();
    expect(found.totals).toMatchObject({ plays: 0, downloads: 0 });
    expect(found.evolution).toHaveLength(30);
    expect(found.breakdown.country).toEqual([]);
  }
  expect(show.imported).toEqual({ since: null, series: [] });
  expect(await overviewOfShow(ctx, { id: product.id })).toMatchObject({ today: 0, total: 0 });
});

test('a show with a single play has exactly one in each chart', async () => {
  const owner = await make.creator();
  const product = await make.product(owner);
  const [row] = await make.episodes(product, 1);
  const episode = { id: row!.id, creatorId: owner.creatorId, productId: product.id };
  const audio = { bytes: 1_921_000, headBytes: 1000, durationMs: 120_000 };
  await deliverAt(visitorCtx, '2026-03-20 11:00', delivery({ ...episode, ...audio }));

  const found = await statisticsOfShow(ctxOf(owner, { now: NOW }), { id: product.id, zone: 'UTC' });

  expect(found.totals).toMatchObject({ plays: 1, downloads: 1, listenersPerDay: 1 });
  expect(plays(found.evolution)).toBe(1);
  expect(found.breakdown.app).toEqual([{ key: 'antennapod', plays: 1 }]);
  expect(found.week?.plays.flat().filter((value) => value > 0)).toEqual([1]);
});

test('a show with 5,000 episodes reads and shows only the latest ones', async () => {
  const { owner, product, ctx } = await newShow();
  for (let part = 0; part < 5; part += 1) await make.episodes(product, 1000, (i) => ({ slug: `episode-${part}-${i}` }));
  await db
    .insert(listeningDays)
    .values({ creatorId: owner.creatorId, productId: product.id, day: '2026-03-19', downloads: 9 });
  await db.execute(sql`
    insert into episode_months (creator_id, product_id, episode_id, month, downloads, hours)
    select creator_id, product_id, id, '2026-03-01', 1, '{"d": {"1910": 1}}' from episodes where product_id = ${product.id}`);
  await db.execute(sql`analyze episodes, episode_months, episode_totals`);

  const read = await rowsRead(ctx, (tx) => statisticsOfShow(tx, { id: product.id }), [
    'episode_months',
    'episode_totals',
  ]);
  const { episodes } = await statisticsOfShow(ctx, { id: product.id });

  expect(await db.$count(episodeMonths, sql`product_id = ${product.id}`)).toBe(5000);
  expect(episodes.length).toBeLessThanOrEqual(STATISTICS_LIMITS.sideBySide);
  expect(read).toBeLessThan(10 * STATISTICS_LIMITS.sideBySide);
});

test('requests that arrive twice, late or after a clock was set back are one download', async () => {
  const episode = await twoMinuteEpisode(make);

  await Promise.all(Array.from({ length: 20 }, () => deliverAt(visitorCtx, '2026-03-10 10:00', delivery(episode))));
  await deliverAt(visitorCtx, '2026-03-11 09:59', part(episode, 0, 900_000));
  await deliverAt(visitorCtx, '2026-03-10 08:00', delivery(episode));

  expect(await downloadsOf(db, episode.id)).toMatchObject({ total: 1, rows: 1 });
});

test('a clock that was set forward counts on its day, and charts end today', async () => {
  const owner = await make.creator();
  const product = await make.product(owner);
  const [row] = await make.episodes(product, 1);
  const audio = { bytes: 1_921_000, headBytes: 1000, durationMs: 120_000 };
  const episode = { id: row!.id, creatorId: owner.creatorId, productId: product.id, ...audio };
  await deliverAt(visitorCtx, '2026-03-20 10:00', delivery(episode));
  await deliverAt(visitorCtx, '2026-05-01 10:00', delivery(episode));

  const found = await statisticsOfShow(ctxOf(owner, { now: NOW }), {
    id: product.id,
    to: '2026-12-31',
    from: '2026-03-01',
  });

  expect(found.period.to).toBe('2026-03-20');
  expect(found.totals.plays).toBe(1);
});

test('the plays of a day with 23 or 25 hours are all in it, and in no other day', async () => {
  const { owner, product, ctx } = await newShow();
  const hours = Object.fromEntries(Array.from({ length: 96 }, (_, slot) => [String(slot), 1]));
  const of = { creatorId: owner.creatorId, productId: product.id, downloads: 96, slots: { d: hours } };
  await db.insert(listeningDays).values(
    ['2026-03-07', '2026-03-08', '2026-03-09', '2025-11-01', '2025-11-02', '2025-11-03'].map((day) => ({
      ...of,
      day,
    })),
  );
  const inNewYork = (from: string, to: string) =>
    statisticsOfShow(ctx, { id: product.id, from, to, zone: 'America/New_York', granularity: 'day' });
  clock.now = new Date('2026-03-20T12:00:00Z');

  const autumn = await inNewYork('2025-11-01', '2025-11-02');

  expect(autumn.evolution.map((point) => point.plays)).toEqual([96, 100]);
  const spring = await inNewYork('2026-03-07', '2026-03-08');
  expect(spring.evolution.map((point) => point.plays)).toEqual([96, 92]);
});
