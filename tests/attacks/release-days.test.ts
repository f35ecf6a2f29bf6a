import { and, eq } from 'drizzle-orm';
import { parseRssFeed } from 'feedsmith';
import { beforeEach, expect, test } from 'vitest';
import { episodeChapters } from '~/db/schema/episode-parts';
import { episodes as episodeTable } from '~/db/schema/episodes';
import { outbox } from '~/db/schema/notifications';
import { DAYS, earlier, later } from '~/server/base/time';
import { endAccess, grantAccess } from '~/server/domain/access/grant-access';
import { announceEpisode } from '~/server/domain/episodes/announce-episode';
import { openToAll } from '~/server/domain/episodes/early-access';
import { uploadTranscript } from '~/server/domain/episodes/transcripts';
import { announceEpisode as announceJob, openEpisode } from '~/server/queue/jobs/episodes';
import { transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import { attackedServer } from '../support/attacked-server';
import { runJobs } from '../support/run-jobs';

const server = await attackedServer();
const { runtime, clock, lucia, ctxOf, visitorCtx, make, episodes, sendRaw } = server;
const { db } = runtime;
const kind = 'podcast' as const;
const HOST = 'altavoz.localhost:3000';
const CREATOR_HOST = `staging-${lucia.domain}.${HOST}`;
const start = clock.now;

const { audioKey, audioBytes, audioSha256 } = episodes.paidPodcast.private;
const show = await make.product(lucia, { name: 'Curso', slug: 'curso', priceMinor: 500, dripDays: 7 });
const [first, second, third, open] = await make.episodes(show, 4, (i) => ({
  ...{ audioKey, audioBytes, audioSha256, peaksKey: audioKey },
  type: i === 3 ? ('public' as const) : ('private' as const),
  releaseAt: earlier(start, DAYS(40 - i)),
}));
const marks = [{ startMs: 1000, title: 'Uno' }].map((mark) => ({ ...mark, url: null, imageKey: null, toc: true }));
await db.insert(episodeChapters).values({ episodeId: second!.id, chapters: marks as never });
await uploadTranscript(ctxOf(lucia), { id: second!.id, kind, fileName: 'a.txt', content: btoa('Secret words') });

type Person = Awaited<ReturnType<typeof make.person>>;
const give = ({ id: userId }: { id: number }) =>
  transact(visitorCtx(), (tx) => grantAccess(tx, { userId, productId: show.id, source: 'subscription' }));
const take = ({ id: userId }: { id: number }) =>
  transact(visitorCtx(), (tx) => endAccess(tx, { userId, productId: show.id, source: 'subscription' }));

beforeEach(() => {
  clock.now = start;
});

async function get(url: string, { token = '', host = HOST, headers = [] as string[] } = {}) {
  const path = url.replace(/^https?:\/\/[^/]+/, '');
  const login = token ? [path.startsWith('/api/') ? `Authorization: Token ${token}` : `Cookie: token=${token}`] : [];
  const lines = [`GET ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...login, ...headers];
  const { status, head, body } = await sendRaw(lines.join('\r\n'), '\r\n\r\n');
  return { status, head, body: Buffer.from(body, 'latin1').toString() };
}
const json = async (path: string, token: string) => JSON.parse((await get(path, { token })).body);

async function urlsOf({ api }: Person) {
  const of = async (productId: number | null) => (await api.feeds.privateLinks({ productId }))[0]!.url;
  return { own: await of(show.id), combined: await of(null) };
}
const idsIn = (xml: string) => [...new Set([...xml.matchAll(/\/audio\/(\d+)\//g)].map(([, id]) => Number(id)))].sort();
const audioIn = (xml: string, id: number) =>
  parseRssFeed(xml)
    .items!.map(({ enclosures }) => enclosures![0]!.url!)
    .find((url) => url.includes(`/audio/${id}/`))!;
const ids = (...rows: (typeof first)[]) => rows.map((row) => row!.id).sort();

let size = 10;
/** The person's access to the second episode, at every door. */
async function reach({ token, api }: Person) {
  const id = second!.id;
  const path = `/p/${show.slug}`;
  const file = (await api.episodes.get({ id })).slug;
  const others = await api.listening.others({ id: first!.id, pageSize: 50 });
  size += 1; // equal answers are kept for a minute
  const rest = await json(`/api/episodes/${id}/`, token);
  const listed = await json(`/api/podcasts/${show.id}/episodes_list/?type=private&page_size=${size}`, token);
  const adjacent = await api.listening.adjacent({ id: first!.id });
  const opened = await api.listening.open({ id, kind }).then(
    () => true,
    () => false,
  );
  const pages = await Promise.all(
    [path, `${path}/${second!.slug}`].map((at) => get(at, { token, host: CREATOR_HOST })),
  );
  return {
    audio: (await get(`/audio/${id}/x.mp3`, { token })).status,
    play: (await get(`/api/podcast-episode-play/${id}/`, { token })).status,
    transcript: (await get(`/transcripts/${id}/${file}.txt`, { token })).status,
    chapters: (await get(`/audio/${id}/chapters.json`, { token })).body.includes('Uno'),
    rest: [rest.has_access, rest.url !== null],
    inList: listed.results.find((episode: { id: number }) => episode.id === id).has_access,
    latest: (await api.feeds.episodes({ page: 1 })).items.some((episode) => episode.id === id),
    queue: others.items.some((episode) => episode.id === id),
    next: adjacent.previous === id,
    opened,
    pages: pages.map(({ body }) => body.includes(`/audio/${id}/`)),
  };
}
const at = (opens: boolean) => ({
  audio: opens ? 200 : 404,
  play: opens ? 200 : 403,
  transcript: opens ? 200 : 404,
  chapters: opens,
  rest: [opens, opens],
  ...{ inList: opens, latest: opens, queue: opens, next: opens, opened: opens },
  pages: [opens, opens],
});

test('an episode is closed at every door until the drip brings it to this listener', async () => {
  const [early, late] = [await make.person(), await make.person()];
  clock.now = earlier(start, DAYS(3));
  await give(early);
  clock.now = start;
  await give(late);
  const path = `/en/p/${show.slug}`;
  const page = await get(`${path}/${second!.slug}`, { token: late.token, host: CREATOR_HOST });
  const list = await get(path, { token: late.token, host: CREATOR_HOST });
  const visitor = await get(path, { host: CREATOR_HOST });
  const { available_at } = await json(`/api/episodes/${second!.id}/`, late.token);

  clock.now = later(start, DAYS(4) - 1);
  expect([await reach(early), await reach(late)]).toEqual([at(false), at(false)]);
  clock.now = later(start, DAYS(4));
  expect([await reach(early), await reach(late)]).toEqual([at(true), at(false)]);
  clock.now = later(start, DAYS(7));
  expect([await reach(early), await reach(late)]).toEqual([at(true), at(true)]);

  expect(available_at).toBe(later(start, DAYS(7)).toISOString());
  const day = later(start, DAYS(7));
  const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(day);
  const dateInLists = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(day);
  const says = ({ body }: { body: string }, text: string) => body.includes(text);
  expect(says(page, `You can listen to this episode from ${date}.`)).toBe(true);
  expect([list, visitor].map((shown) => says(shown, `Available on ${dateInLists}`))).toEqual([true, false]);
  expect(says(visitor, 'another every 7 days')).toBe(true);
});

test('private and combined feeds grow with the drip, each listener’s own, and so does what their links open', async () => {
  const [early, late] = [await make.person(), await make.person()];
  await give(early);
  const mine = await urlsOf(early);
  const [one, all] = [await get(mine.own), await get(mine.combined)];
  const [, etag = ''] = /^etag: (\S+)\r$/im.exec(one.head)!;

  clock.now = later(start, DAYS(7) - 1);
  await give(late);
  const after = await urlsOf(late);
  const same = await get(mine.own, { headers: [`If-None-Match: ${etag}`] });
  clock.now = later(start, DAYS(7));
  const grown = await get(mine.own, { headers: [`If-None-Match: ${etag}`] });
  const grownAll = await get(mine.combined);
  const behind = [await get(after.own), await get(after.combined)];

  expect([one, all].map(({ body }) => idsIn(body))).toEqual([ids(first, open), ids(first, open)]);
  expect(same.status).toBe(304);
  expect([grown, grownAll].map(({ body }) => idsIn(body))).toEqual([
    ids(first, second, open),
    ids(first, second, open),
  ]);
  expect(behind.map(({ body }) => idsIn(body))).toEqual([ids(first, open), ids(first, open)]);
  const audio = audioIn(grown.body, second!.id);
  expect((await get(audio)).status).toBe(200);
  clock.now = later(start, DAYS(7) - 1);
  expect((await get(audio)).status).toBe(404);
  // a returning subscriber continues at the same episode
  clock.now = later(start, DAYS(8));
  await take(early);
  clock.now = later(start, DAYS(80));
  await give(early);
  expect(idsIn((await get(mine.own)).body)).toEqual(ids(first, second, open));
});

test('the drip ends for all when the creator turns it off, and the team never waits', async () => {
  const listener = await make.person();
  await give(listener);
  const { own } = await urlsOf(listener);
  const before = idsIn((await get(own)).body);
  const owner = await lucia.api.episodes.get({ id: third!.id });

  await lucia.api.products.update({ id: show.id, kind, dripDays: 0 });
  const off = idsIn((await get(own)).body);
  await lucia.api.products.update({ id: show.id, kind, dripDays: 7 });
  const on = idsIn((await get(own)).body);

  expect([before, off, on]).toEqual([ids(first, open), ids(first, second, third, open), ids(first, open)]);
  expect([owner.hasAccess, owner.availableAt]).toEqual([true, null]);
  await expect(lucia.api.products.update({ id: show.id, kind, dripDays: 91 })).rejects.toThrow();
});

test('a new episode is announced to those whom the drip has brought all before it', async () => {
  const [long, short] = [await make.person(), await make.person()];
  clock.now = earlier(start, DAYS(21));
  await give(long);
  clock.now = earlier(start, DAYS(20));
  await give(short);
  clock.now = start;
  const [fourth] = await make.episodes(show, 1, () => ({
    ...{ slug: 'fourth', name: 'Cuarto', type: 'private', releaseAt: start, audioKey, audioBytes, audioSha256 },
  }));

  await announceEpisode(systemCtx(runtime, 'test'), { episodeId: fourth!.id, until: start.toISOString(), after: 0 });

  const told = await db
    .select({ to: outbox.to })
    .from(outbox)
    .where(eq(outbox.topic, 'new_episode'))
    .orderBy(outbox.createdAt);
  await db.delete(episodeTable).where(eq(episodeTable.id, fourth!.id));
  expect(told.map(({ to }) => to)).toContain(long.email);
  expect(told.map(({ to }) => to)).not.toContain(short.email);
});

test('early access ends by itself: cached pages, the feed and the audio open, and no listener is told twice', async () => {
  const early = await make.product(lucia, { slug: 'early', priceMinor: 500, earlyAccessDays: 3 });
  await make.episodes(early, 1, () => ({ type: 'private', slug: 'secret' }));
  const subscriber = await make.person();
  await transact(visitorCtx(), (tx) =>
    grantAccess(tx, { userId: subscriber.id, productId: early.id, source: 'subscription' }),
  );
  const [draft] = await make.episodes(early, 1, () => ({
    ...{ slug: 'soon', status: 'on_hold', type: 'public', releaseAt: null, audioKey, audioBytes, audioSha256 },
  }));
  const id = draft!.id;
  await lucia.api.episodes.release({ id, kind, releaseDate: null });
  await runJobs(runtime, announceJob.name, (batch, ctx) => announceEpisode(ctx, batch));
  const told = () => db.$count(outbox, and(eq(outbox.topic, 'new_episode'), eq(outbox.to, subscriber.email)));
  const reach = async () => {
    const [page, list, feed] = await Promise.all(
      ['soon', '', 'feed.xml'].map((end) => get(`/p/early/${end}`.replace(/\/$/, ''), { host: CREATOR_HOST })),
    );
    const opens = [page, list, feed].map((answer) => answer!.body.includes(`/audio/${id}/`));
    return [...opens, (await get(`/audio/${id}/x.mp3`)).status];
  };
  // asks twice, so that the second answers come from the cache
  const before = [await reach(), await reach()];
  const emails = await told();

  clock.now = later(start, DAYS(3));
  await runJobs(runtime, openEpisode.name, (payload, ctx) => openToAll(ctx, payload));
  await runJobs(runtime, announceJob.name, (batch, ctx) => announceEpisode(ctx, batch));

  expect(before).toEqual(Array(2).fill([false, false, false, 404]));
  await expect.poll(reach).toEqual([true, true, true, 200]);
  expect([emails, await told()]).toEqual([1, 1]);
});
