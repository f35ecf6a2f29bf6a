import { and, asc, desc, eq, sql } from 'drizzle-orm';
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { episodes } from '~/db/schema/episodes';
import { oldFeeds, rssImports } from '~/db/schema/rss-import';
import { HOURS, later } from '~/server/base/time';
import { pollOldFeed } from '~/server/domain/rss-import/poll-old-feed';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import { feedOrigin, settleImport } from '../../support/feed-origin';

const { runtime, make, clock } = await cast({ settings: { FETCH_ALLOW_LOOPBACK: 'true' } });
const origin = await feedOrigin();
afterAll(() => origin.close());
const TRAILER = { extra: '<itunes:episodeType>trailer</itunes:episodeType>' };
let julia: Awaited<ReturnType<typeof make.creator>>;
beforeEach(async () => {
  await runtime.db.execute(sql`delete from rate_limits`);
  Object.assign(origin, { items: [{}, TRAILER], owner: null, channel: '' });
  julia = await make.creator({ name: 'Julia' });
});

async function imported(choice: { follow?: boolean; isPrivate?: boolean }) {
  const { id } = await julia.api.imports.request({ url: origin.feedUrl(), proof: 'feed', ...choice });
  await start(id);
  return { id, productId: (await julia.api.imports.get({ id })).productId! };
}

/** Runs an import without its proof. */
async function start(id: number) {
  const started = { status: 'in_progress' as const, startedAt: runtime.now() };
  await runtime.db.update(rssImports).set(started).where(eq(rssImports.id, id));
  await settleImport(runtime, id);
}

/** A poll an hour later, with the import that it starts. */
async function poll(productId: number) {
  clock.now = later(clock.now, HOURS(1));
  const [feed] = await runtime.db.select().from(oldFeeds).where(eq(oldFeeds.productId, productId));
  await pollOldFeed(systemCtx(runtime, 'rss-import.poll'), { productId, step: feed!.step });
  const isFollowUp = and(eq(rssImports.productId, productId), eq(rssImports.isFollowUp, true));
  const [run] = await runtime.db.select().from(rssImports).where(isFollowUp).orderBy(desc(rssImports.id)).limit(1);
  await settleImport(runtime, run!.id);
}

async function typesOf(productId: number) {
  const ofShow = eq(episodes.productId, productId);
  const rows = await runtime.db.select().from(episodes).where(ofShow).orderBy(asc(episodes.guid));
  return rows.map(({ type }) => type);
}

test('episodes of a private import are never public, nor those that follow', async () => {
  const { productId } = await imported({ follow: true, isPrivate: true });
  expect(await typesOf(productId)).toEqual(['private', 'private']);

  origin.items = [{}, TRAILER, {}];
  await poll(productId);

  expect(await typesOf(productId)).toEqual(['private', 'private', 'private']);
  expect(await julia.api.imports.oldFeed({ productId })).toMatchObject({ isPrivate: true, state: 'following' });
});

test('following that is stopped and started again stays private', async () => {
  const { productId } = await imported({ isPrivate: true });
  await julia.api.imports.followOldFeed({ productId, follows: false });
  await julia.api.imports.followOldFeed({ productId, follows: true });

  origin.items = [{}, TRAILER, {}];
  await poll(productId);

  expect(await typesOf(productId)).toEqual(['private', 'private', 'private']);
});

test('another import of a private show brings private episodes without asking again', async () => {
  const { productId } = await imported({ isPrivate: true });
  origin.items = [{}, TRAILER, {}];

  const again = await imported({});

  expect(again.productId).toBe(productId);
  expect(await typesOf(productId)).toEqual(['private', 'private', 'private']);
});

test('once all imported episodes were made private, those that follow are private, too', async () => {
  const { id, productId } = await imported({ follow: true });
  expect(await typesOf(productId)).toEqual(['public', 'trailer']);
  await julia.api.imports.markPrivate({ id });

  origin.items = [{}, TRAILER, {}];
  await poll(productId);

  expect(await typesOf(productId)).toEqual(['private', 'private', 'private']);
});

test('without the choice, episodes are public', async () => {
  const { productId } = await imported({ follow: true });

  origin.items = [{}, TRAILER, {}];
  await poll(productId);

  expect(await typesOf(productId)).toEqual(['public', 'trailer', 'public']);
});

test('a second import that waits when the episodes are made private is private as well', async () => {
  const { id, productId } = await imported({ follow: true });
  origin.items = [{}, TRAILER, {}];
  const waiting = await julia.api.imports.request({ url: origin.feedUrl(), proof: 'feed' });

  await julia.api.imports.markPrivate({ id });
  await start(waiting.id);

  expect(await typesOf(productId)).toEqual(['private', 'private', 'private']);
  expect(await julia.api.imports.oldFeed({ productId })).toMatchObject({ isPrivate: true });
});

test('episodes that follow are private where the creator has made all others private by hand', async () => {
  const { productId } = await imported({ follow: true });
  await julia.api.episodes.change({ productId, action: 'private' });

  origin.items = [{}, TRAILER, {}];
  await poll(productId);

  expect(await typesOf(productId)).toEqual(['private', 'private', 'private']);
});

test('a show that is made private while its old feed is fetched gets private episodes', async () => {
  const { productId } = await imported({ follow: true });
  origin.items = [{}, TRAILER, {}];
  const { fetcher } = runtime.ports;
  onTestFinished(() => void Object.assign(runtime.ports, { fetcher }));
  const fetch: typeof fetcher.fetch = async (request) => {
    // the first step of the button on the result
    await runtime.db.update(oldFeeds).set({ isPrivate: true }).where(eq(oldFeeds.productId, productId));
    return fetcher.fetch(request);
  };
  Object.assign(runtime.ports, { fetcher: { ...fetcher, fetch } });

  await poll(productId);

  expect(await typesOf(productId)).toEqual(['public', 'trailer', 'private']);
});
