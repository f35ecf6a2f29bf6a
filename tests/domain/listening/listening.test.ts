import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { episodes as episodeRows } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { earlier, SECONDS } from '~/server/base/time';
import { recordListen } from '~/server/domain/listening/listens';
import { episodeUrl, openEpisode } from '~/server/domain/listening/open-episode';
import { adjacentEpisodes } from '~/server/domain/listening/other-episodes';
import { maintainPartitions } from '~/server/domain/listening/partitions';
import * as schema from '~/server/domain/listening/schema';
import { issueTicket } from '~/server/domain/listening/tickets';
import { homeFigures } from '~/server/domain/statistics/home-figures';
import { playsOfHome } from '~/server/domain/statistics/home-plays';
import { latestDays } from '~/server/domain/statistics/latest-days';
import { cast } from '../../support/cast';
import '../../support/matchers';
import { BASE_TIME } from '../../support/runtime';

const { runtime, make, ctxOf, visitorCtx } = await cast();
const { db } = runtime;
await db.execute(sql`select make_listening_partitions('2025-12-01', 6)`);
const day = (offset: number) => new Date(BASE_TIME.getTime() + offset * 86_400_000);

/** A listener who started to play the episode 61 seconds ago. */
function listenTo(id: number, session: string, now = BASE_TIME) {
  const started = visitorCtx({ now: earlier(now, SECONDS(61)) });
  const ticket = issueTicket(started, { id, session });
  return recordListen(visitorCtx({ now }), { id, session, ticket });
}

async function podcast(count: number, over: Parameters<typeof make.episodes>[2] = () => ({})) {
  const creator = await make.creator();
  const product = await make.product(creator, { slug: 'ruido' });
  return { creator, product, episodes: await make.episodes(product, count, over) };
}

test('a listen counts once per episode and session, also across midnight', async () => {
  const { episodes } = await podcast(2);
  const [one, two] = episodes as [(typeof episodes)[number], (typeof episodes)[number]];

  const results = [
    await listenTo(one.id, 'session-1'),
    await listenTo(one.id, 'session-1'),
    await listenTo(one.id, 'session-2'),
    await listenTo(two.id, 'session-1'),
    await listenTo(one.id, 'session-1', day(1)),
  ];

  expect(results.map(({ counted }) => counted)).toEqual([true, false, true, true, false]);
  const [row] = await db.execute(sql`
    select (select listens from episode_totals where episode_id = ${one.id})::int as one,
      (select sum(listens) from listening_days where product_id = ${one.productId})::int as days`);
  expect(row).toEqual({ one: 2, days: 3 });
});

test('30 concurrent calls of one session count once', async () => {
  const { episodes } = await podcast(1);
  const { id } = episodes[0]!;

  const results = await Promise.all(Array.from({ length: 30 }, () => listenTo(id, 'session-at-once')));

  expect(results.filter(({ counted }) => counted)).toHaveLength(1);
});

test('60 seconds or less are not a listen', async () => {
  const { episodes } = await podcast(1);

  const attempt = recordListen(visitorCtx(), { id: episodes[0]!.id, session: 'session-1', seconds: 60 });

  await expect(attempt).rejects.toMatchObject({ code: 'listening.too_short', kind: 'invalid' });
});

test('the session is read from session or sessionId, and unusual characters are rejected', () => {
  expect(schema.recordListen.parse({ id: '7', sessionId: 'abcdefgh', seconds: '61' })).toMatchObject({
    id: 7,
    session: 'abcdefgh',
    seconds: 61,
  });
  expect(schema.recordListen.safeParse({ id: 7 }).success).toBe(false);
  expect(schema.recordListen.safeParse({ id: 7, session: "x'; drop table" }).success).toBe(false);
});

test('the player gets exactly the fields of spec §3', async () => {
  const { creator, product, episodes } = await podcast(1);
  const [episode] = episodes;
  const site = `http://staging-${creator.domain}.altavoz.localhost:3000`;

  const opened = await openEpisode(visitorCtx(), { id: episode!.id });

  expect(opened).toEqual({
    id: episode!.id,
    audioType: 'podcast',
    url: `http://altavoz.localhost:3000/audio/${episode!.id}/episodio-1.mp3`,
    cover: `http://altavoz.localhost:3000/media/${product.coverKey}/full.jpg`,
    coverWebp: `http://altavoz.localhost:3000/media/${product.coverKey}/640.webp`,
    podcastName: 'Ruido de fondo',
    episodeName: 'Episodio 1',
    hostedBy: 'Lucía',
    description: '<p>De qué va el Episodio 1.</p>',
    episodeRedirectUrl: `${site}/p/ruido/episodio-1`,
    creatorDomainUrl: `${site}/`,
  });
  expect(await episodeUrl(visitorCtx(), { id: episode!.id })).toEqual({ url: opened.url });
});

test('an inaudible episode requires a subscription or is not found', async () => {
  const kinds = [{ type: 'private' }, { status: 'scheduled' }, {}] as const;
  const { creator, episodes } = await podcast(3, (i) => kinds[i]!);
  await db.update(products).set({ priceMinor: 500 }).where(eq(products.id, episodes[0]!.productId));
  const [hidden, future, open] = episodes.map(({ id }) => ({ id }));
  const visitor = visitorCtx();

  await expect(openEpisode(visitor, hidden!)).rejects.toMatchObject({ code: 'episode.subscription_required' });
  await expect(openEpisode(visitor, future!)).rejects.toMatchObject({ kind: 'not_found' });
  await expect(openEpisode(visitor, { ...open!, kind: 'audio_series' })).rejects.toMatchObject({ kind: 'not_found' });
  const attempt = recordListen(visitor, { ...hidden!, session: 'session-1' });
  await expect(attempt).rejects.toMatchObject({ code: 'episode.subscription_required' });
  expect(await openEpisode(ctxOf(creator), hidden!)).toMatchObject({ id: hidden!.id });
});

test('a podcast plays newest first and skips episodes that the caller may not hear', async () => {
  const { creator, episodes } = await podcast(5, (i) =>
    i === 2 ? { type: 'private' } : i === 4 ? { status: 'on_hold' } : {},
  );
  const ids = episodes.map(({ id }) => id) as [number, number, number, number, number];
  const visitor = visitorCtx();

  expect(await adjacentEpisodes(visitor, { id: ids[3] })).toEqual({ previous: null, next: ids[1] });
  expect(await adjacentEpisodes(visitor, { id: ids[1] })).toEqual({ previous: ids[3], next: ids[0] });
  expect(await adjacentEpisodes(visitor, { id: ids[0] })).toEqual({ previous: ids[1], next: null });
  const owner = ctxOf(creator);
  expect(await adjacentEpisodes(owner, { id: ids[3] })).toEqual({ previous: null, next: ids[2] });
});

test('an audio series plays oldest first, and the id orders episodes with the same release time', async () => {
  const creator = await make.creator();
  const series = await make.product(creator, { kind: 'audio_series' });
  const parts = await make.episodes(series, 3, () => ({ releaseAt: BASE_TIME }));
  const ids = parts.map(({ id }) => id);

  const found = await Promise.all(ids.map((id) => adjacentEpisodes(visitorCtx(), { id })));

  expect(found.map(({ next }) => next)).toEqual([ids[1], ids[2], null]);
  expect(found.map(({ previous }) => previous)).toEqual([null, ids[0], ids[1]]);
});

test("the home's plays sum today, 7 and 30 days, and list each day, its releases, and each product", async () => {
  const { creator, product, episodes } = await podcast(1);
  await db
    .update(episodeRows)
    .set({ releaseAt: day(-3) })
    .where(eq(episodeRows.id, episodes[0]!.id));
  const quiet = await make.product(creator, { slug: 'otro', name: 'Otro' });
  const listenOn = (offset: number) => listenTo(episodes[0]!.id, `session${offset}`, day(offset));
  for (const offset of [0, -6, -7, -29, -30, -59]) await listenOn(offset);

  const ctx = ctxOf(creator);
  const plays = await playsOfHome(ctx, creator.creatorId, await latestDays(ctx, creator.creatorId));

  expect(plays).toMatchObject({
    today: { listens: 1, downloads: 0 },
    last7: { listens: 2 },
    last30: { listens: 4 },
    before30: { listens: 2 },
    products: [
      { id: product.id, plays: 4 },
      { id: quiet.id, plays: 0 },
    ],
  });
  expect(plays.trend).toHaveLength(30);
  expect(plays.trend.at(-1)).toEqual({ day: '2026-03-02', listens: 1, downloads: 0, released: [] });
  expect(plays.trend.at(-4)).toMatchObject({ day: '2026-02-27', released: [episodes[0]!.name] });
  await expect(homeFigures(visitorCtx())).rejects.toMatchObject({ kind: 'unauthenticated' });
});

test('partitions are created in advance; old salts and raw events are deleted; rollups are kept', async () => {
  const { episodes } = await podcast(1);
  await listenTo(episodes[0]!.id, 'session-old');
  await db.execute(sql`insert into daily_salts values ('2026-03-01', 'x'), ('2026-02-28', 'x')`);
  const partitions = async () => {
    const rows = await db.execute<{ name: string }>(
      sql`select inhrelid::regclass::text as name from pg_inherits where inhparent = 'listens'::regclass order by 1`,
    );
    return rows.map(({ name }) => name);
  };

  await maintainPartitions(visitorCtx());
  const salts = await db.execute<{ day: string }>(sql`select day::text from daily_salts order by day`);
  expect(salts.map((row) => row.day)).toEqual(['2026-03-01']);
  expect(await partitions()).toEqual(expect.arrayContaining(['listens_2026_03', 'listens_2026_04', 'listens_2026_05']));

  await maintainPartitions(visitorCtx({ now: new Date('2026-06-28T00:00:00Z') }));
  expect(await partitions()).toContain('listens_2026_03');
  await maintainPartitions(visitorCtx({ now: new Date('2026-06-30T00:00:00Z') }));
  expect(await partitions()).not.toContain('listens_2026_03');
  const [kept] = await db.execute(sql`select listens::int from episode_totals where episode_id = ${episodes[0]!.id}`);
  expect(kept).toEqual({ listens: 1 });
});
