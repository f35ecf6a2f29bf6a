import { expect, test } from 'vitest';
import { episodeMonths, episodeTotals, listeningDays } from '~/db/schema/listening';
import { cast } from '../support/cast';
import { legacyClient, rowsOf } from '../support/legacy';

const opened = await cast();
const { runtime, clock, lucia, podcast, episodes } = opened;
const { db } = runtime;
const api = legacyClient(opened);
const { token } = lucia;
clock.now = new Date('2026-11-26T12:00:00Z');

const [first] = Object.values(episodes.podcast);
const of = { creatorId: lucia.creatorId, productId: podcast.id };
const dimensions = {
  country: { ES: 3, MX: 1 },
  app: { apple_podcasts: 3, spotify: 1 },
  device: { phone: 4 },
  os: { ios: 3, android: 1 },
};
await db.insert(listeningDays).values([
  { ...of, day: '2026-11-20', listens: 1, downloads: 3, listeners: 3, dimensions },
  { ...of, day: '2026-10-01', downloads: 5 },
]);
await db.insert(episodeMonths).values({
  ...{ ...of, episodeId: first!.id, month: '2026-11-01', dimensions },
  hours: { d: { '2010': 3 }, l: { '2011': 1 }, p: { '2011': 2 } },
});
await db.insert(episodeTotals).values({ episodeId: first!.id, creatorId: lucia.creatorId, listens: 1, downloads: 8 });

const range = 'from=2026-11-19&to=2026-11-20&zone=UTC';
const figures = {
  plays: 4,
  downloads: 3,
  evolution: [
    { date: '2026-11-19', plays: 0, downloads: 0 },
    { date: '2026-11-20', plays: 4, downloads: 3 },
  ],
  countries: [
    { country: 'ES', plays: 3 },
    { country: 'MX', plays: 1 },
  ],
  players: [
    { player: 'Apple Podcasts', plays: 3 },
    { player: 'Spotify', plays: 1 },
  ],
  platforms: [{ platform: 'phone', plays: 4 }],
  operating_systems: [
    { operating_system: 'iOS', plays: 3 },
    { operating_system: 'Android', plays: 1 },
  ],
};

test('podcast-analytics has the plays of a period, the episodes, and what subscribers paid', async () => {
  const { status, body } = await api.get(`podcast-analytics/${podcast.id}/?${range}`, { token });

  expect(status).toBe(200);
  expect(body).toMatchObject({ ...figures, unique_listeners: 2, listeners: null, revenue: [] });
  expect(body.episodes).toContainEqual({ id: first!.id, name: first!.name, plays: 9, downloads: 8 });
  expect(body.subscribers).toBeGreaterThanOrEqual(0);
});

test('episode-analytics has the same of one episode', async () => {
  const { status, body } = await api.get(`episode-analytics/${first!.id}/?${range}`, { token });

  expect(status).toBe(200);
  expect(body).toEqual({ ...figures, unique_listeners: 5 });
});

test('the shorter calls list downloads by day, player and system', async () => {
  const read = async (call: string) =>
    (await api.get(`${call}/${podcast.id}/?audio_type=podcast&${range}`, { token })).body;

  expect(await read('evolution-downloads-metrics')).toEqual([
    { date: '2026-11-19', downloads: 0 },
    { date: '2026-11-20', downloads: 3 },
  ]);
  expect(await read('player-downloads-metrics')).toEqual([
    { name: 'Apple Podcasts', downloads: 3, percent: 75 },
    { name: 'Spotify', downloads: 1, percent: 25 },
  ]);
  expect(await read('os-downloads-metrics')).toEqual([
    { name: 'iOS', downloads: 3, percent: 75 },
    { name: 'Android', downloads: 1, percent: 25 },
  ]);
});

test('episodes-metrics-overview has a show at a glance', async () => {
  const { status, body } = await api.get(`episodes-metrics-overview/${podcast.id}?audio_type=podcast`, { token });

  expect(status).toBe(200);
  expect(body).toMatchObject({ today: 0, last_7_days: 4, last_30_days: 4, total: 9 });
  expect(rowsOf(body.episodes).find(({ id }) => id === first!.id)).toMatchObject({ total: 9 });
});

test.each([
  `podcast-analytics/${podcast.id}/?from=2026-11-20&to=2026-11-19`,
  `podcast-analytics/${podcast.id}/?granularity=minute`,
  `evolution-downloads-metrics/${podcast.id}/?audio_type=film`,
])('%s is refused with 400', async (path) => {
  expect((await api.get(path, { token })).status).toBe(400);
});
