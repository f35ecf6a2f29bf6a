import { eq, sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { episodes as episodeRows } from '~/db/schema/episodes';
import { downloads, listens } from '~/db/schema/listening';
import { cast } from '../../support/cast';
import { pagesApp } from '../../support/pages-app';
import '../../support/matchers';

const { runtime, env, clock, make, lucia, ada, podcast, series, episodes } = await cast();
const { db } = runtime;
const [first, second] = Object.values(episodes.podcast);
const NOW = new Date('2026-11-27T00:20:30Z');
clock.now = NOW;
await db.execute(sql`select make_listening_partitions('2026-11-01'::date, 1)`);

const show = { creatorId: lucia.creatorId, productId: podcast.id };
let made = 0;
function download(at: string, rest: Partial<typeof downloads.$inferInsert> = {}) {
  made += 1;
  return {
    ...{ ...show, episodeId: first!.id, day: at.slice(0, 10), firstAt: new Date(at), countedAt: new Date(at) },
    ...{ listenerKey: Buffer.from(String(made)), userAgent: 'x', spans: '{[0,10)}', neededBytes: 1, countedIn: 1 },
    ...{ country: 'ES', source: 'feed' as const },
    ...rest,
  };
}

beforeEach(async () => {
  await db.delete(downloads);
  await db.delete(listens);
  await db.insert(downloads).values([
    download('2026-11-27T00:20:10Z'),
    download('2026-11-27T00:20:20Z', { episodeId: second!.id, country: 'MX' }),
    // before midnight, and in the first of the 60 minutes
    download('2026-11-26T23:21:00Z', { country: null }),
    download('2026-11-26T23:20:59Z'),
    download('2026-11-27T00:10:00Z', { countedIn: null, countedAt: null }),
    download('2026-11-27T00:10:00Z', { source: 'player' }),
    download('2026-11-27T00:10:00Z', { productId: series.id }),
  ]);
  const at = new Date('2026-11-27T00:10:40Z');
  const listen = { ...show, episodeId: first!.id, day: '2026-11-27', at, sessionId: 's', country: 'ES' };
  await db.insert(listens).values(listen);
});

test('the last 60 minutes have plays by minute, episodes and countries, also across midnight', async () => {
  const live = await lucia.api.statistics.live({ id: podcast.id, kind: 'podcast' });

  expect(live.minutes).toHaveLength(60);
  expect(live.minutes[0]).toEqual({ at: new Date('2026-11-26T23:21:00Z'), plays: 1 });
  expect(live.minutes[59]).toEqual({ at: new Date('2026-11-27T00:20:00Z'), plays: 2 });
  expect(live.minutes[49]).toEqual({ at: new Date('2026-11-27T00:10:00Z'), plays: 1 });
  expect(live.plays).toBe(4);
  expect(live.episodes.map(({ id, plays }) => [id, plays])).toEqual([
    [first!.id, 3],
    [second!.id, 1],
  ]);
  expect(live.countries).toEqual([
    { key: 'ES', plays: 2 },
    { key: 'MX', plays: 1 },
    { key: 'ZZ', plays: 1 },
  ]);
});

test.each([
  ['on hold', { status: 'on_hold' as const }],
  ['deleted', { deletedAt: NOW }],
])('the plays of an episode that is %s count, and its name is not shown', async (_, change) => {
  await db.update(episodeRows).set(change).where(eq(episodeRows.id, first!.id));

  const live = await lucia.api.statistics.live({ id: podcast.id, kind: 'podcast' });
  await db.update(episodeRows).set({ status: 'published', deletedAt: null }).where(eq(episodeRows.id, first!.id));

  expect(live.plays).toBe(4);
  expect(live.episodes.map(({ id, plays }) => [id, plays])).toEqual([[second!.id, 1]]);
});

test('an hour without plays says when the last play was, and at which hours the show is played', async () => {
  clock.now = new Date('2026-11-27T02:20:30Z');
  await db.delete(downloads).where(eq(downloads.source, 'player'));
  const quietOf = async () => (await lucia.api.statistics.live({ id: podcast.id, kind: 'podcast' })).quiet;

  const busy = await quietOf();
  await db.delete(downloads).where(sql`true`);
  const last = new Date('2026-11-27T00:10:40Z');
  expect([busy?.lastPlay, (await quietOf())?.lastPlay]).toEqual([new Date('2026-11-27T00:20:20Z'), last]);
  expect((await quietOf())?.week.map((hours) => hours.length)).toEqual(Array(7).fill(24));
  await db.delete(listens).where(sql`true`);
  expect((await quietOf())?.lastPlay).toBeNull();
  clock.now = NOW;
});

test('an hour with plays has nothing to say about the time before', async () => {
  expect((await lucia.api.statistics.live({ id: podcast.id, kind: 'podcast' })).quiet).toBeNull();
});

test('others see nothing of it', async () => {
  await expect(ada.api.statistics.live({ id: podcast.id, kind: 'podcast' })).toFailWith('product.not_found');
});

async function openPage(path: string) {
  const { host, origin } = new URL(env.urls.appUrl);
  const headers = { cookie: `token=${lucia.token}`, host, origin };
  const response = await pagesApp(runtime, env.urls).request(`${env.urls.appUrl}${path}`, { headers });
  expect(response.status).toBe(200);
  return response.text();
}

test('the page of an hour without plays says so, and draws no empty chart', async () => {
  const quiet = await make.product(lucia);

  const html = await openPage(`/podcasts/${quiet.id}/metric/live`);

  expect(html).toMatch(/<p[^>]*>No plays in the last 60 minutes\.<\/p>/);
  expect(html).not.toContain('<figure');
});

test('the page shows the minutes in the creator’s time zone, and works without JavaScript', async () => {
  const html = await openPage(`/podcasts/${podcast.id}/metric/live`);

  expect(html).toMatch(/aria-label="\d\d:20: 2 plays"/);
  expect(html).toContain('<noscript>');
});
