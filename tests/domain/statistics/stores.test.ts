import path from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { episodeMonths, listeningDays, playOutbox } from '~/db/schema/listening';
import { listeningMonths } from '~/db/schema/listening-months';
import { compareStore } from '~/server/domain/listening/compare-store';
import { moveHistory } from '~/server/domain/listening/move-history';
import { openRecorders } from '~/server/domain/listening/recorders';
import { recountStatistics } from '~/server/domain/listening/recount-statistics';
import { shipPlays } from '~/server/domain/listening/ship-plays';
import { postgresStatistics } from '~/server/domain/statistics/postgres-statistics';
import { cast } from '../../support/cast';
import { CHDB_PATH, startClickHouse } from '../../support/clickhouse';
import { playing } from '../../support/played';
import '../../support/matchers';

const OPERATOR = { operator: { name: 'ana' } };

/** ClickHouse's engine, if `CHDB_PATH` names it. */
const inPostgres = await cast();
const peer = CHDB_PATH ? await startClickHouse(path.join(inPostgres.dataDir, 'clickhouse')) : null;
const inClickHouse = peer && (await cast({ settings: { STATISTICS_URL: peer.urlOf('statistics') } }));
/** Nothing listens on this port. */
const away = await cast({ settings: { STATISTICS_URL: 'clickhouse://altavoz:secret@127.0.0.1:9/statistics' } });
afterAll(() => peer?.kill());

type Stage = typeof inPostgres;
const stages: [name: string, stage: Stage | null][] = [
  ['Postgres', inPostgres],
  ['ClickHouse', inClickHouse],
];
for (const stage of [inPostgres, inClickHouse, away])
  await stage?.runtime.db.execute(sql`select make_listening_partitions('2026-02-01', 4)`);

async function newShow({ make }: Stage) {
  const show = await make.product(await make.creator());
  const [one, two] = (await make.episodes(show, 2)).map(({ id, creatorId, productId }) => ({
    id,
    creatorId,
    productId,
  }));
  return { scope: { creatorId: show.creatorId, productId: show.id }, one: one!, two: two! };
}

/** Two episodes on two days: seven plays, and one download of our own player. */
async function play({ runtime }: Pick<Stage, 'runtime'>, { one, two }: Awaited<ReturnType<typeof newShow>>) {
  const [first, second] = [playing(runtime, one), playing(runtime, two)];
  await first.download('2026-03-02 09:20');
  await first.download('2026-03-02 09:40', { country: 'FR', region: null });
  await first.download('2026-03-02 23:10', { app: 'overcast', referrer: 'blog.example' });
  await first.download('2026-03-02 10:00', { source: 'player', app: 'chrome' });
  await first.listen('2026-03-02 10:00', { app: 'chrome' });
  await first.download('2026-03-03 00:00');
  await second.download('2026-03-03 08:00', { country: 'FR', region: null, app: 'overcast' });
  await second.listen('2026-03-03 08:05', { app: 'chrome', device: 'computer', os: 'windows' });
}

const DAYS = { from: '2026-03-02', to: '2026-03-03' };
/** Days of a zone that is an hour ahead of UTC. */
const BUCKETS = ['2026-03-02', '2026-03-03'].map((day, i) => ({
  ...{ at: day, from: { day: `2026-03-0${1 + i}`, slot: 92 }, until: { day: `2026-03-0${2 + i}`, slot: 92 } },
}));

async function readAll({ runtime }: Pick<Stage, 'runtime'>, show: Awaited<ReturnType<typeof newShow>>) {
  const port = runtime.ports.statistics;
  const { scope, one, two } = show;
  const sorted = <Row>(rows: Row[]) => [...rows].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  const episodes = [
    { id: one.id, releasedAt: new Date('2026-03-02T09:30:00Z') },
    { id: two.id, releasedAt: new Date('2026-03-03T07:00:00Z') },
  ];
  return {
    buckets: await port.sumBuckets(scope, { buckets: BUCKETS, filters: {} }),
    shows: await port.sumShows(scope.creatorId, BUCKETS),
    inSpain: await port.sumBuckets(scope, { buckets: BUCKETS, filters: { country: 'ES' } }),
    bySpotify: await port.sumBuckets({ creatorId: scope.creatorId }, { buckets: BUCKETS, filters: { app: 'spotify' } }),
    both: await port.sumBuckets(scope, { buckets: BUCKETS, filters: { country: 'FR', app: 'overcast' } }),
    dimensions: sorted(await port.sumDimensions(scope, { ...DAYS, filters: {} })),
    apps: sorted(await port.sumDimensions(scope, { ...DAYS, filters: { country: 'ES' } })),
    weekdays: sorted(
      await port.sumWeekdays(scope, [
        { day: DAYS.from, offset: 4 },
        { day: DAYS.to, offset: 8 },
      ]),
    ),
    months: await port.listMonths(one, { from: '2026-02-01', to: '2026-03-31' }),
    starts: sorted(await port.sumStarts(episodes)),
    hours: sorted(await port.sumHours(episodes, { hours: 12 })),
    all: sorted(
      await port.sumEpisodes(
        episodes.map(({ id }) => id),
        { from: new Date('2026-03-01T23:00:00Z'), until: new Date('2026-03-31T22:00:00Z') },
      ),
    ),
    march3: await port.sumEpisodes([two.id], {
      from: new Date('2026-03-03T00:00:00Z'),
      until: new Date('2026-03-04T00:00:00Z'),
    }),
  };
}

for (const [name, stage] of stages) {
  test.skipIf(stage === null)(`charts read the same sums from ${name} (ClickHouse: only with CHDB_PATH)`, async () => {
    const show = await newShow(stage!);
    const { one, two } = show;
    await play(stage!, show);
    await shipPlays(stage!.visitorCtx());

    const found = await readAll(stage!, show);

    const none = { listens: null, downloads: null, playerDownloads: null };
    expect(found).toEqual({
      buckets: [
        { at: '2026-03-02', plays: 3, listens: 1, downloads: 2, playerDownloads: 1 },
        { at: '2026-03-03', plays: 4, listens: 1, downloads: 3, playerDownloads: 0 },
      ],
      shows: BUCKETS.map(({ at }, i) => ({ productId: show.scope.productId, at, plays: 3 + i })),
      inSpain: [
        { at: '2026-03-02', plays: 3, ...none },
        { at: '2026-03-03', plays: 2, ...none },
      ],
      bySpotify: [
        { at: '2026-03-02', plays: 2, ...none },
        { at: '2026-03-03', plays: 1, ...none },
      ],
      both: [
        { at: '2026-03-02', plays: 0, ...none },
        { at: '2026-03-03', plays: 1, ...none },
      ],
      dimensions: [
        ...[
          ['chrome', 2],
          ['overcast', 2],
          ['spotify', 3],
        ].map(([key, plays]) => ({ dimension: 'app', key, plays })),
        ...[
          ['ES', 5],
          ['FR', 2],
        ].map(([key, plays]) => ({ dimension: 'country', key, plays })),
        ...[
          ['computer', 1],
          ['phone', 6],
        ].map(([key, plays]) => ({ dimension: 'device', key, plays })),
        ...[
          ['ios', 6],
          ['windows', 1],
        ].map(([key, plays]) => ({ dimension: 'os', key, plays })),
        { dimension: 'referrer', key: 'blog.example', plays: 1 },
        { dimension: 'region', key: 'ES-MD', plays: 5 },
        ...[
          ['feed', 5],
          ['player', 2],
        ].map(([key, plays]) => ({ dimension: 'source', key, plays })),
      ],
      apps: [
        ...[
          ['chrome', 2],
          ['overcast', 1],
          ['spotify', 2],
        ].map(([key, plays]) => ({ dimension: 'app', key, plays })),
        { dimension: 'country', key: 'ES', plays: 5 },
      ],
      weekdays: [
        ...[
          [37, 1],
          [38, 1],
          [40, 1],
          [92, 1],
        ].map(([slot, plays]) => ({ offset: 4, weekday: 0, slot, plays })),
        ...[
          [0, 1],
          [32, 2],
        ].map(([slot, plays]) => ({ offset: 8, weekday: 1, slot, plays })),
      ],
      months: [
        {
          month: '2026-03-01',
          hours: { d: { '0209': 2, '0223': 1, '0300': 1 }, l: { '0210': 1 }, p: { '0210': 1 } },
          dimensions: {
            app: { chrome: 1, overcast: 1, spotify: 3 },
            country: { ES: 4, FR: 1 },
            device: { phone: 5 },
            os: { ios: 5 },
            referrer: { 'blog.example': 1 },
            region: { 'ES-MD': 4 },
            source: { feed: 4, player: 1 },
          },
        },
      ],
      starts: [
        { id: one.id, day: 5, week: 5, month: 5 },
        { id: two.id, day: 2, week: 2, month: 2 },
      ],
      all: [
        { id: one.id, plays: 5 },
        { id: two.id, plays: 2 },
      ],
      march3: [{ id: two.id, plays: 2 }],
      hours: [
        { id: one.id, hour: 0, plays: 2 },
        { id: one.id, hour: 1, plays: 1 },
        { id: two.id, hour: 1, plays: 2 },
      ],
    });
  });
}

test('without an answer of ClickHouse, plays count, wait for it, and only statistics are not available', async () => {
  const show = await newShow(away);
  await play(away, show);
  const { db } = away.runtime;
  const ofShow = sql`product_id = ${show.scope.productId}`;

  await expect(shipPlays(away.visitorCtx())).rejects.toMatchObject({ code: 'statistics.unavailable' });
  const [sums] = await db.execute(sql`
    select sum(listens)::int as listens, sum(downloads)::int as downloads, sum(player_downloads)::int as apart
    from listening_days where ${ofShow}`);

  expect(sums).toEqual({ listens: 2, downloads: 5, apart: 1 });
  expect(await db.$count(playOutbox, ofShow)).toBe(8);
  await expect(away.lucia.api.statistics.ofShow({ id: away.podcast.id })).toFailWith('statistics.unavailable');
  expect(await away.lucia.api.statistics.home()).toBeDefined();
});

test('months are not counted again while a store beside Postgres has the rollups', async () => {
  const recount = recountStatistics(away.visitorCtx(), {
    ...OPERATOR,
    from: '2026-03',
    to: '2026-03',
    productId: null,
  });

  await expect(recount).rejects.toMatchObject({ code: 'listening.recount_with_store' });
  await expect(moveHistory(inPostgres.visitorCtx(), OPERATOR)).rejects.toMatchObject({ code: 'listening.no_store' });
});

test.skipIf(!peer)('a kill between sending and deleting, and two processes, add each play once', async () => {
  const stage = inClickHouse!;
  const show = await newShow(stage);
  await play(stage, show);
  const killed = { ...stage.visitorCtx(), reach: () => Promise.reject(new Error('killed')) };

  await expect(shipPlays(killed)).rejects.toThrow('killed');
  expect(await stage.runtime.db.$count(playOutbox)).toBe(8);
  const pause = stage.pauseAt('statistics.shipped');
  const first = shipPlays(stage.visitorCtx());
  await pause.reachedBy(first);
  const second = shipPlays(stage.visitorCtx());
  pause.goOn();

  const [{ shipped: one }, { shipped: two }] = await Promise.all([first, second]);
  expect(one + two).toBe(8);
  expect(await stage.runtime.db.$count(playOutbox)).toBe(0);
  const { buckets, dimensions } = await readAll(stage, show);
  expect(buckets.map(({ plays }) => plays)).toEqual([3, 4]);
  expect(dimensions.filter(({ dimension }) => dimension === 'country').map(({ plays }) => plays)).toEqual([5, 2]);
  expect(await compareStore(stage.visitorCtx())).toEqual([]);
});

test.skipIf(!peer)('history moves once, although the command is killed, and charts show the same', async () => {
  const stage = inClickHouse!;
  const { db } = stage.runtime;
  const show = await newShow(stage);
  await play({ runtime: { ...stage.runtime, recorders: openRecorders(db) } }, show);
  // a day of a former release, which has no times
  await db.insert(listeningDays).values({ ...show.scope, day: '2026-02-10', listens: 4, downloads: 5 });
  const ports = { ...stage.runtime.ports, statistics: postgresStatistics(db) };
  const before = await readAll({ runtime: { ...stage.runtime, ports } }, show);
  // a play that is counted before the history is moved
  await playing(stage.runtime, show.one).download('2026-03-02 12:00', { country: 'PT', region: null });
  await shipPlays(stage.visitorCtx());
  const killed = { ...stage.visitorCtx(), reach: () => Promise.reject(new Error('killed')) };

  await expect(moveHistory(killed, OPERATOR)).rejects.toThrow('killed');
  const pause = stage.pauseAt('statistics.moved');
  const move = moveHistory(stage.visitorCtx(), OPERATOR);
  await pause.reachedBy(move);
  pause.goOn();
  const moved = await move;
  const again = await moveHistory(stage.visitorCtx(), OPERATOR);

  const after = await readAll(stage, show);
  expect(moved.days).toBeGreaterThanOrEqual(3);
  expect(again).toEqual({ days: 0, months: 0 });
  expect(await db.$count(episodeMonths, sql`hours <> '{}'`)).toBe(0);
  expect(await db.$count(listeningMonths)).toBe(0);
  expect(after.buckets.map(({ plays }) => plays)).toEqual([4, 4]);
  expect(after.dimensions).toEqual(
    expect.arrayContaining([...before.dimensions.filter(({ key }) => key === 'FR' || key === 'overcast')]),
  );
  expect(after.weekdays.filter(({ slot }) => slot !== 48)).toEqual(before.weekdays);
  const february = [{ at: 'day', from: { day: '2026-02-10', slot: 48 }, until: { day: '2026-02-10', slot: 49 } }];
  expect(await stage.runtime.ports.statistics.sumBuckets(show.scope, { buckets: february, filters: {} })).toEqual([
    { at: 'day', plays: 9, listens: 4, downloads: 5, playerDownloads: 0 },
  ]);
  expect(await compareStore(stage.visitorCtx())).toEqual([]);
});

test.skipIf(!peer)(
  'the comparison names days whose plays in the store are others than those that were sent',
  async () => {
    const stage = inClickHouse!;
    const show = await newShow(stage);
    await playing(stage.runtime, show.one).download('2026-03-02 09:20');
    await shipPlays(stage.visitorCtx());

    const ofDay = sql`product_id = ${show.scope.productId}`;
    await stage.runtime.db
      .update(listeningDays)
      .set({ elsewhere: { d: 3 } })
      .where(ofDay);

    expect(await compareStore(stage.visitorCtx())).toEqual([
      { productId: show.scope.productId, day: '2026-03-02', measure: 'd', sent: 3, stored: 1 },
    ]);
  },
);
