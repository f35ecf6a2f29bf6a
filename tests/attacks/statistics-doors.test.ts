import { expect, test } from 'vitest';
import { listeningDays } from '~/db/schema/listening';
import { describeProblem } from '~/server/base/problems';
import { APP_HOST, attackedServer } from '../support/attacked-server';
import { legacyClient } from '../support/legacy';

const stage = await attackedServer();
const { runtime, lucia, ada, visitor, podcast, series, episodes, sendRaw, faults, make } = stage;
const rest = legacyClient(stage);
const [episode] = Object.values(episodes.podcast);
const [chapter] = Object.values(episodes.series);

const LONG = 'x'.repeat(10_000);
/** Impossible years, unknown zones and steps, and texts that break out of a query. */
const HOSTILE: Record<string, string>[] = [
  ...[
    '0000-01-01',
    '9999-12-31',
    '0001-01-01',
    '-000001-01-01',
    '+275760-09-13',
    '2026-02-30',
    'NaN',
    LONG,
    "2026'--",
  ].flatMap((day): Record<string, string>[] => [{ from: day }, { to: day, from: '2026-01-01' }]),
  { from: '2026-03-02', to: '2026-03-01' },
  { from: '1990-01-01', to: '2026-03-01' },
  ...['NaN', 'undefined', 'Etc/Nowhere', '+99:99', '../../etc/passwd', LONG, "UTC'; drop table listening_days"].map(
    (zone) => ({ zone }),
  ),
  ...['minute', 'century', 'NaN', LONG].map((granularity) => ({ granularity })),
];
const FILTERS: Record<string, string>[] = [
  ...['ESP', 'e', LONG, "E'"].map((country) => ({ country })),
  ...[LONG, "a'b", '%', '💥'].map((app) => ({ app })),
];
type Call = (input: object) => Promise<unknown>;
const doorsOf = (api: typeof lucia.api): Record<string, Call> => ({
  ofShow: (input) => api.statistics.ofShow({ id: podcast.id, ...input }),
  ofSeries: (input) => api.statistics.ofShow({ id: series.id, kind: 'audio_series', ...input }),
  ofEpisode: (input) => api.statistics.ofEpisode({ id: episode!.id, ...input }),
  salesOfShow: (input) => api.statistics.salesOfShow({ id: podcast.id, ...input }),
  overview: (input) => api.statistics.overview({ id: podcast.id, ...input }),
  plays: (input) => api.listening.playsOfShow({ id: podcast.id, kind: 'podcast', ...input }),
  sponsorLinks: (input) => api.statistics.sponsorLinks({ id: podcast.id, ...input }),
  history: (input) => api.importedHistory.sources({ id: podcast.id, ...input }),
});
const ofAll: Record<string, Call> = {
  ofCreator: (input) => lucia.api.statistics.ofCreator(input),
  salesOfCreator: (input) => lucia.api.statistics.salesOfCreator(input),
};
const own = doorsOf(lucia.api);
const WITH_PERIOD: Record<string, Call> = {
  ...Object.fromEntries(['ofShow', 'ofSeries', 'ofEpisode', 'salesOfShow'].map((name) => [name, own[name]!])),
  ...ofAll,
};

const shown = (input: object) => JSON.stringify(input).slice(0, 80);
const kindOf = (call: Promise<unknown>) =>
  call.then(
    () => 'answered',
    (error: unknown) => describeProblem(error).kind,
  );

test.each(Object.keys(WITH_PERIOD))('hostile periods are refused by %s', async (name) => {
  for (const input of HOSTILE)
    expect([shown(input), await kindOf(WITH_PERIOD[name]!(input))]).toEqual([shown(input), 'invalid']);
});

test.each(['ofShow', 'ofCreator'])('hostile filters are refused by %s', async (name) => {
  for (const input of FILTERS)
    expect([shown(input), await kindOf(WITH_PERIOD[name]!(input))]).toEqual([shown(input), 'invalid']);
});

test.each([
  `podcast-analytics/${podcast.id}/`,
  `audio-series-analytics/${series.id}/`,
  `episode-analytics/${episode!.id}/`,
  `audio-series-episode-analytics/${chapter!.id}/`,
  `evolution-downloads-metrics/${podcast.id}/`,
  `player-downloads-metrics/${podcast.id}/`,
  `os-downloads-metrics/${podcast.id}/`,
])('hostile periods are no fault of %s', async (path) => {
  for (const input of HOSTILE) {
    const query = new URLSearchParams({ audio_type: 'podcast', ...input });
    const { status } = await rest.get(`${path}?${query}`, { token: lucia.token });
    expect([shown(input), [200, 400].includes(status)]).toEqual([shown(input), true]);
  }
});

const pathsOf = (base: string) => [`${base}/metric`, `${base}/metric/chart.csv?chart=evolution`];
const get = async (path: string, token?: string) => {
  const cookie = token ? [`Cookie: token=${token}`] : [];
  return sendRaw([`GET ${path} HTTP/1.1`, `Host: ${APP_HOST}`, ...cookie, '', ''].join('\r\n'));
};

test.each([
  ...pathsOf(`/podcasts/${podcast.id}`),
  ...pathsOf(`/podcasts/${podcast.id}/episodes/${episode!.id}`),
  ...pathsOf(''),
  `/podcasts/${podcast.id}/metric/imported`,
  `/podcasts/${podcast.id}/metric/imported?file=${'x'.repeat(200)}&date=-1&plays=1e9&episode=NaN&order=ymd`,
])('the page %s answers hostile periods without a fault', async (path) => {
  const hostile = HOSTILE.filter((input) => !Object.values(input).includes(LONG));
  for (const input of [...hostile, { from: '\0' }, { zone: '😀'.repeat(200) }]) {
    const query = new URLSearchParams(input as Record<string, string>);
    const { status } = await get(`${path}${path.includes('?') ? '&' : '?'}${query}`, lucia.token);
    expect([shown(input), status]).toEqual([shown(input), 200]);
  }
  expect(faults()).toEqual([]);
});

test('another creator, a listener and a visitor read nothing of a show or an episode', async () => {
  await runtime.db
    .insert(listeningDays)
    .values({ creatorId: lucia.creatorId, productId: podcast.id, day: '2026-03-01', downloads: 77 });
  for (const [name, call] of Object.entries(own)) expect([name, await kindOf(call({}))]).toEqual([name, 'answered']);
  for (const [name, call] of Object.entries(doorsOf(ada.api)))
    expect([name, await kindOf(call({}))]).toEqual([name, 'not_found']);
  for (const [name, call] of Object.entries(doorsOf(visitor as never)))
    expect([name, await kindOf(call({}))]).toEqual([name, 'unauthenticated']);
  const outsider = await make.creator();
  for (const path of pathsOf(`/podcasts/${podcast.id}`)) {
    expect([path, (await get(path, outsider.token)).status]).toEqual([path, 404]);
    expect([path, (await get(path)).status]).toEqual([path, 302]);
  }
  for (const path of ['podcast-analytics', 'evolution-downloads-metrics', 'episodes-metrics-overview'])
    expect([
      path,
      (await rest.get(`${path}/${podcast.id}/?audio_type=podcast`, { token: outsider.token })).status,
    ]).toEqual([path, 404]);
});
