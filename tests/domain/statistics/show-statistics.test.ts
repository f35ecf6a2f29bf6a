import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { creators } from '~/db/schema/creators';
import { episodes as episodeRows } from '~/db/schema/episodes';
import { episodeMonths, episodeTotals, listeningDays, machineDays } from '~/db/schema/listening';
import { cast } from '../../support/cast';
import '../../support/matchers';

const { runtime, clock, lucia, ada, tom, visitor, podcast, series, episodes } = await cast();
const { db } = runtime;
const [first, second] = Object.values(episodes.podcast);
const { creatorId } = lucia;
const show = { creatorId, productId: podcast.id };
const asked = { id: podcast.id, kind: 'podcast', zone: 'UTC' } as const;

clock.now = new Date('2026-11-26T12:00:00Z');
await db.update(creators).set({ timeZone: 'Europe/Madrid' }).where(eq(creators.id, creatorId));

const day = (date: string, rest: Partial<typeof listeningDays.$inferInsert> = {}) => ({ ...show, day: date, ...rest });

beforeEach(async () => {
  await db.delete(listeningDays);
  await db.delete(episodeMonths);
  await db.delete(episodeTotals);
  await db.delete(machineDays);
});

test('a period has its plays by day, those of the period before, and the first counted day', async () => {
  await db
    .insert(listeningDays)
    .values([
      day('2026-10-01', { downloads: 100 }),
      day('2026-11-19', { listens: 2, downloads: 3 }),
      day('2026-11-20', { listens: 1, downloads: 5, listeners: 4 }),
      day('2026-11-22', { downloads: 7, listeners: 5 }),
      { ...day('2026-11-22', { downloads: 50 }), productId: series.id },
    ]);

  const found = await lucia.api.statistics.ofShow({ ...asked, from: '2026-11-20', to: '2026-11-22' });

  expect(found).toMatchObject({
    since: '2026-10-01',
    period: { from: '2026-11-20', to: '2026-11-22', zone: 'UTC', granularity: 'day' },
    before: { from: '2026-11-17', to: '2026-11-19' },
    totals: { plays: 13, listens: 1, downloads: 12, listenersPerDay: 3 },
    totalsBefore: { plays: 5, listens: 2, downloads: 3, listenersPerDay: 0 },
    evolution: [
      { at: '2026-11-20', plays: 6, listens: 1, downloads: 5 },
      { at: '2026-11-21', plays: 0, listens: 0, downloads: 0 },
      { at: '2026-11-22', plays: 7, listens: 0, downloads: 7 },
    ],
  });
  expect(found.evolutionBefore.map(({ plays }) => plays)).toEqual([0, 0, 5]);
});

test('days begin at midnight of the zone, and plays without a time count at noon', async () => {
  await db
    .insert(listeningDays)
    .values([
      day('2026-11-19', { listens: 3, downloads: 4, slots: { l: { '91': 2, '92': 1 }, d: { '95': 3, '0': 1 } } }),
      day('2026-11-20', { downloads: 9, slots: { d: { '91': 1, '92': 2 } } }),
    ]);

  const inMadrid = await lucia.api.statistics.ofShow({ id: podcast.id, from: '2026-11-19', to: '2026-11-21' });
  const inLima = await lucia.api.statistics.ofShow({
    ...asked,
    zone: 'America/Lima',
    from: '2026-11-18',
    to: '2026-11-20',
  });

  expect(inMadrid.period.zone).toBe('Europe/Madrid');
  expect(inMadrid.evolution.map(({ at, listens, downloads }) => [at, listens, downloads])).toEqual([
    ['2026-11-19', 2, 1],
    ['2026-11-20', 1, 3 + 1 + 6],
    ['2026-11-21', 0, 2],
  ]);
  expect(inLima.evolution.map(({ at, listens, downloads }) => [at, listens, downloads])).toEqual([
    ['2026-11-18', 0, 1],
    ['2026-11-19', 3, 3],
    ['2026-11-20', 0, 9],
  ]);
});

test('what the plays are made of is summed over the period, largest first', async () => {
  await db
    .insert(listeningDays)
    .values([
      day('2026-11-20', { dimensions: { country: { ES: 3, MX: 4 }, app: { spotify: 7 }, source: { feed: 7 } } }),
      day('2026-11-21', { dimensions: { country: { ES: 3, ZZ: 1 }, app: { overcast: 4 } } }),
      day('2026-11-23', { dimensions: { country: { AR: 9 } } }),
    ]);

  const { breakdown } = await lucia.api.statistics.ofShow({ ...asked, from: '2026-11-20', to: '2026-11-22' });

  expect(breakdown).toMatchObject({
    country: [
      { key: 'ES', plays: 6 },
      { key: 'MX', plays: 4 },
      { key: 'ZZ', plays: 1 },
    ],
    app: [
      { key: 'spotify', plays: 7 },
      { key: 'overcast', plays: 4 },
    ],
    source: [{ key: 'feed', plays: 7 }],
    referrer: [],
  });
});

test('a country and an app filter together, and figures that are not known for them are left out', async () => {
  await db.insert(listeningDays).values([
    day('2026-11-20', {
      downloads: 9,
      dimensions: { country: { ES: 5, MX: 4 }, app: { spotify: 6, overcast: 3 }, os: { ios: 9 } },
      pairs: { 'ES|spotify': 2, 'ES|overcast': 3, 'MX|spotify': 4 },
    }),
  ]);
  const range = { ...asked, from: '2026-11-20', to: '2026-11-21' };

  const spain = await lucia.api.statistics.ofShow({ ...range, country: 'ES' });
  const both = await lucia.api.statistics.ofShow({ ...range, country: 'ES', app: 'spotify' });
  const nothing = await lucia.api.statistics.ofShow({ ...range, country: 'FR', app: 'spotify' });

  expect(spain).toMatchObject({
    totals: { plays: 5, listens: null, downloads: null, listenersPerDay: null },
    breakdown: {
      country: [{ key: 'ES', plays: 5 }],
      app: [
        { key: 'overcast', plays: 3 },
        { key: 'spotify', plays: 2 },
      ],
      os: null,
    },
    week: null,
  });
  expect(both.evolution.map(({ plays }) => plays)).toEqual([2, 0]);
  expect(nothing).toMatchObject({ totals: { plays: 0 }, breakdown: { country: [], app: [] } });
});

test('plays are shown by weekday and hour of the zone', async () => {
  // a Sunday
  await db.insert(listeningDays).values([day('2026-11-22', { slots: { l: { '92': 2 }, d: { '92': 1, '48': 5 } } })]);

  const { week } = await lucia.api.statistics.ofShow({ ...asked, zone: 'Europe/Madrid', from: '2026-11-16' });

  expect(week!.plays[0]![0]).toBe(3);
  expect(week!.plays[6]![13]).toBe(5);
  expect(week!.plays.flat().reduce((sum, plays) => sum + plays)).toBe(8);
});

test('machines are apart from all other figures', async () => {
  await db.insert(machineDays).values([
    { ...show, day: '2026-11-20', requests: 9, reasons: { bot: 7, data_center: 2 }, agents: { 'curl/8': 9 } },
    { ...show, day: '2026-11-21', requests: 1, reasons: { bot: 1 }, agents: { wget: 1 } },
  ]);

  const { machines, totals } = await lucia.api.statistics.ofShow({ ...asked, from: '2026-11-20' });

  expect(machines).toEqual({
    requests: 10,
    reasons: [
      { key: 'bot', plays: 8 },
      { key: 'data_center', plays: 2 },
    ],
    agents: [
      { key: 'curl/8', plays: 9 },
      { key: 'wget', plays: 1 },
    ],
  });
  expect(totals.plays).toBe(0);
});

test('episodes are compared by their first day, week and month; unknown beginnings are no zeros', async () => {
  await release(first!.id, '2026-11-20T10:40:00Z');
  await release(second!.id, '2026-10-30T23:10:00Z');
  await db.insert(listeningDays).values([day('2026-11-01', { downloads: 1 })]);
  const key = { creatorId, productId: podcast.id };
  await db.insert(episodeMonths).values([
    {
      ...{ ...key, episodeId: first!.id, month: '2026-11-01' },
      hours: { d: { '2010': 3, '2109': 2, '2110': 5 }, l: { '2011': 1, '2610': 4 } },
    },
    { ...key, episodeId: second!.id, month: '2026-11-01', hours: { d: { '0100': 8 } } },
  ]);
  await db.insert(episodeTotals).values({ episodeId: first!.id, creatorId, listens: 6, downloads: 10 });

  const { episodes: compared, listeners } = await lucia.api.statistics.ofShow(asked);
  const of = (id: number) => compared.find((episode) => episode.id === id);

  expect(of(first!.id)).toMatchObject({ first24h: 6, first7d: 15, first30d: 15, total: 16, downloads: 10 });
  expect(of(second!.id)).toMatchObject({ first24h: null, first7d: null, first30d: null, total: 0 });
  expect(listeners).toBe(6);
});

test('an episode has its own figures, and its first hours beside those of the episodes before it', async () => {
  await release(first!.id, '2026-11-24T10:00:00Z');
  await release(second!.id, '2026-11-10T10:00:00Z');
  await db.insert(listeningDays).values([day('2026-11-01', { downloads: 1 })]);
  const key = { creatorId, productId: podcast.id, month: '2026-11-01' };
  await db.insert(episodeMonths).values([
    {
      ...{ ...key, episodeId: first!.id },
      ...{ hours: { d: { '2410': 3, '2423': 2 }, l: { '2500': 1 } }, dimensions: { country: { ES: 6 } } },
    },
    { ...key, episodeId: second!.id, hours: { d: { '1010': 4, '1012': 4 } } },
  ]);

  const found = await lucia.api.statistics.ofEpisode({ id: first!.id, zone: 'Europe/Madrid', from: '2026-11-24' });

  expect(found.evolution).toEqual([
    { at: '2026-11-24', plays: 3, listens: 0, downloads: 3, playerDownloads: 0 },
    { at: '2026-11-25', plays: 3, listens: 1, downloads: 2, playerDownloads: 0 },
    { at: '2026-11-26', plays: 0, listens: 0, downloads: 0, playerDownloads: 0 },
  ]);
  expect(found).toMatchObject({
    totals: { plays: 6, listens: 1, downloads: 5 },
    breakdown: { country: [{ key: 'ES', plays: 6 }], app: [] },
    breakdownPeriod: { from: '2026-11-01', to: '2026-11-30' },
    figures: { first24h: 6 },
    pacing: { compared: 1 },
  });
  expect(found.pacing!.hours.slice(0, 3)).toEqual([3, 3, 3]);
  expect(found.pacing!.hours).toHaveLength(50);
  expect(found.pacing!.others.median.slice(0, 3)).toEqual([4, 4, 8]);
  expect(found.week.plays.flat().reduce((sum, plays) => sum + plays)).toBe(6);
});

test('an episode that was released before plays were counted has no first hours', async () => {
  await release(first!.id, '2026-10-24T10:00:00Z');
  await db.insert(listeningDays).values([day('2026-11-01', { downloads: 1 })]);

  const { figures, pacing } = await lucia.api.statistics.ofEpisode({ id: first!.id });

  expect(figures).toMatchObject({ first24h: null });
  expect(pacing).toBeNull();
});

test('all shows together have the sum of their plays', async () => {
  await db
    .insert(listeningDays)
    .values([
      day('2026-11-20', { downloads: 3, playerDownloads: 2 }),
      { ...day('2026-11-20', { listens: 4 }), productId: series.id },
    ]);

  const found = await lucia.api.statistics.ofCreator({ zone: 'UTC', from: '2026-11-20', to: '2026-11-20' });

  expect(found.totals).toEqual({ plays: 7, listens: 4, downloads: 3, playerDownloads: 2, listenersPerDay: null });
});

test.each([
  ['from', '2026-13-01', 'field.date_invalid'],
  ['to', '0000-01-10', 'field.date_invalid'],
  ['to', '0001-01-10', 'field.date_invalid'],
  ['zone', 'Mars/Olympus', 'field.invalid'],
  ['granularity', 'hour', 'field.invalid'],
  ['country', 'Spain', 'field.invalid'],
  ['app', 'x'.repeat(61), 'field.invalid'],
  ['from', '2027-01-01', 'statistics.range_in_future'],
  ['from', '2001-01-01', 'statistics.range_too_long'],
])('a request with %s %s is refused', async (field, value, code) => {
  await expect(lucia.api.statistics.ofShow({ ...asked, [field]: value } as never)).toFailWith(code);
});

test('only the team sees the figures', async () => {
  const episode = { id: first!.id };

  await expect(ada.api.statistics.ofShow(asked)).rejects.toThrow();
  await expect(tom.api.statistics.ofShow(asked)).rejects.toThrow();
  await expect(visitor.statistics.ofShow(asked)).rejects.toThrow();
  await expect(ada.api.statistics.ofEpisode(episode)).rejects.toThrow();
  await expect(tom.api.statistics.ofCreator({})).rejects.toThrow();
  await expect(ada.api.statistics.ofShow({ ...asked, kind: 'audio_series' })).rejects.toThrow();
});

const release = (id: number, at: string) =>
  db
    .update(episodeRows)
    .set({ releaseAt: new Date(at) })
    .where(eq(episodeRows.id, id));
