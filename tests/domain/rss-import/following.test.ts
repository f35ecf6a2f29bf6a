import { and, asc, desc, eq, sql } from 'drizzle-orm';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { episodes } from '~/db/schema/episodes';
import { oldFeeds, rssImportItems, rssImports } from '~/db/schema/rss-import';
import { DAYS, HOURS, later, MINUTES } from '~/server/base/time';
import { pollOldFeed } from '~/server/domain/rss-import/poll-old-feed';
import { recoverImports } from '~/server/domain/rss-import/recover-imports';
import { IMPORT_LIMITS } from '~/server/limits/rss-import';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import { feedOrigin, settleImport } from '../../support/feed-origin';
import '../../support/matchers';
import { testFetcher } from '../../support/test-fetcher';

const { runtime, make, clock, ada, tom } = await cast({ settings: { FETCH_ALLOW_LOOPBACK: 'true' } });
const fetcher = testFetcher({ limits: { attempts: 1, idleMs: 150 } });
runtime.ports.fetcher = fetcher;
const origin = await feedOrigin();
afterAll(async () => {
  await fetcher.close();
  await origin.close();
});
beforeEach(async () => {
  await runtime.db.execute(sql`delete from rate_limits`);
  Object.assign(origin, { items: [{}, {}], owner: null, channel: '' });
  origin.answers.clear();
});
const ctx = systemCtx(runtime, 'rss-import.poll');
const rowOf = async (productId: number) => {
  const [row] = await runtime.db.select().from(oldFeeds).where(eq(oldFeeds.productId, productId));
  return row!;
};

/** An imported show. */
async function imported({ follow = true } = {}) {
  const creator = await make.creator({ name: 'Julia' });
  const { id } = await creator.api.imports.request({ url: origin.feedUrl(), proof: 'feed', follow });
  await runtime.db
    .update(rssImports)
    .set({ status: 'in_progress', startedAt: runtime.now() })
    .where(eq(rssImports.id, id));
  await settleImport(runtime, id);
  const productId = (await creator.api.imports.get({ id })).productId!;
  return { creator, productId };
}

/** Runs the next poll, and imports its result. */
async function poll(productId: number) {
  clock.now = later(clock.now, HOURS(1));
  await pollOldFeed(ctx, { productId, step: (await rowOf(productId)).step });
  const [run] = await runtime.db
    .select()
    .from(rssImports)
    .where(and(eq(rssImports.productId, productId), eq(rssImports.isFollowUp, true)))
    .orderBy(desc(rssImports.id))
    .limit(1);
  if (run?.status === 'in_progress') await settleImport(runtime, run.id);
  return run;
}
const episodesOf = async (productId: number) => {
  const rows = await runtime.db
    .select()
    .from(episodes)
    .where(eq(episodes.productId, productId))
    .orderBy(asc(episodes.guid));
  return rows.map(({ guid, name, status }) => [guid, name, status]);
};

test('new and changed episodes arrive, once, until the creator switches it off', async () => {
  const { creator, productId } = await imported();
  expect(await creator.api.imports.oldFeed({ productId })).toMatchObject({
    state: 'following',
    feedUrl: origin.feedUrl(),
  });
  expect(await poll(productId)).toBeUndefined();

  origin.items = [
    { guid: 'guid-3', title: 'Nuevo', file: '/audio-3.mp3' },
    { guid: 'guid-1', title: 'Otro título' },
    { guid: 'guid-2', title: 'Episodio 2', file: '/audio-2.mp3' },
  ];
  const run = await poll(productId);
  await poll(productId);

  expect(await episodesOf(productId)).toEqual([
    ['guid-1', 'Otro título', 'published'],
    ['guid-2', 'Episodio 2', 'published'],
    ['guid-3', 'Nuevo', 'published'],
  ]);
  expect(await runtime.db.$count(rssImports, eq(rssImports.productId, productId))).toBe(2);
  // no screen shows it as an import, and it blocks no import
  expect((await creator.api.imports.latest())?.id).not.toBe(run?.id);
  expect((await creator.api.accounts.me()).imports.map(({ id }) => id)).not.toContain(run?.id);

  await creator.api.imports.followOldFeed({ productId, follows: false });
  origin.items = [{ guid: 'guid-4', title: 'Tarde', file: '/audio-4.mp3' }];
  await poll(productId);
  expect(await episodesOf(productId)).toHaveLength(3);
  await creator.api.imports.followOldFeed({ productId, follows: true });
  await poll(productId);
  expect(await episodesOf(productId)).toHaveLength(4);
});

test('an episode that the creator has deleted stays as it was, and the run says why', async () => {
  const { creator, productId } = await imported();
  const ofShow = and(eq(episodes.productId, productId), eq(episodes.guid, 'guid-1'));
  const [episode] = await runtime.db.select().from(episodes).where(ofShow);
  await creator.api.episodes.remove({ id: episode!.id });
  origin.items = [{ title: 'Otro título' }, {}];

  const run = await poll(productId);

  const ofRun = eq(rssImportItems.importId, run!.id);
  const items = await runtime.db.select().from(rssImportItems).where(ofRun).orderBy(rssImportItems.id);
  expect(items).toMatchObject([{ guid: 'guid-1', state: 'skipped', reason: 'import.episode_deleted' }]);
  expect((await runtime.db.select().from(episodes).where(ofShow))[0]).toMatchObject({ name: 'Episodio 1' });
});

test('imports of feeds that are followed take no place from those that people wait for', async () => {
  const requested = async (values: Partial<typeof rssImports.$inferInsert>) => {
    const { api } = await make.creator();
    const { id } = await api.imports.request({ url: origin.feedUrl(), proof: 'feed', follow: true });
    await runtime.db.update(rssImports).set(values).where(eq(rssImports.id, id));
    return { id, api };
  };
  for (let i = 0; i < IMPORT_LIMITS.atOnce; i += 1) await requested({ status: 'in_progress', isFollowUp: true });
  const { id, api } = await requested({ status: 'confirmed', confirmedAt: clock.now });

  await recoverImports(ctx);

  expect(await api.imports.get({ id })).toMatchObject({ status: 'in_progress' });
  await runtime.db.delete(rssImports).where(eq(rssImports.status, 'in_progress'));
});

test('an unchanged feed is not sent again, and a changed one is found again after a kill', async () => {
  const { productId } = await imported();
  const asked: (string | undefined)[] = [];
  origin.answers.set('/feed.xml', (request, response) => {
    asked.push(request.headers['if-none-match']);
    response.writeHead(302, { location: '/tagged.xml' }).end();
  });
  origin.answers.set('/tagged.xml', (request, response) => {
    asked.push(request.headers['if-none-match']);
    response.writeHead(304).end();
  });
  await runtime.db.update(oldFeeds).set({ etag: '"v1"' }).where(eq(oldFeeds.productId, productId));
  await poll(productId);
  expect(asked).toEqual(['"v1"', '"v1"']);
  expect(await rowOf(productId)).toMatchObject({ failures: 0, etag: '"v1"' });

  // killed before the commit: nothing is stored, and the next job finds the same items
  origin.answers.clear();
  origin.items.push({ guid: 'guid-9', title: 'Nuevo' });
  const { step } = await rowOf(productId);
  const dying = new Proxy(runtime.db, {
    get: (target, name, receiver) =>
      name === 'transaction' ? () => Promise.reject(new Error('killed')) : Reflect.get(target, name, receiver),
  });
  await expect(pollOldFeed({ ...ctx, db: dying }, { productId, step })).rejects.toThrow('killed');
  expect((await rowOf(productId)).step).toBe(step);
  // two jobs run the same step
  await Promise.all([1, 2].map(() => pollOldFeed(ctx, { productId, step })));
  expect(
    await runtime.db.$count(rssImports, and(eq(rssImports.productId, productId), eq(rssImports.isFollowUp, true))),
  ).toBe(1);
  clock.now = later(clock.now, DAYS(1));
  await recoverImports(systemCtx(runtime, 'rss-import.recover'));
  const jobs = await runtime.db.execute(sql`select data from pgboss.job where name = 'rss-import.poll'
    and data @> ${JSON.stringify({ productId, step: step + 1 })}::jsonb order by created_on, id`);
  expect(jobs.length).toBeGreaterThan(1);
});

test('following ends when the old feed redirects here', async () => {
  const { creator, productId } = await imported();
  const { slug } = await creator.api.products.get({ id: productId, kind: 'podcast' });
  const own = runtime.urls.feed(creator.domain, slug);
  origin.channel = `<itunes:new-feed-url>${own}</itunes:new-feed-url>`;
  await poll(productId);
  expect(await creator.api.imports.oldFeed({ productId })).toMatchObject({ state: 'following', redirect: 'tag' });

  const redirect = (status: number) =>
    origin.answers.set('/feed.xml', (_, response) => void response.writeHead(status, { location: own }).end());
  redirect(302);
  await poll(productId);
  expect(await rowOf(productId)).toMatchObject({ state: 'following', redirect: 'temporary' });
  redirect(301);
  const found = await creator.api.imports.checkOldFeed({ productId });

  expect(found).toMatchObject({ state: 'ended', endedBecause: 'moved', redirect: 'permanent', nextAt: null });
  const requests = origin.requests.length;
  await poll(productId);
  expect(origin.requests).toHaveLength(requests);
});

test('a host that fails for days is shown, and left alone', async () => {
  const { creator, productId } = await imported();
  origin.answers.set('/feed.xml', (_, response) => void response.writeHead(503).end());
  for (let i = 0; i < 10; i += 1) await poll(productId);

  const view = await creator.api.imports.oldFeed({ productId });
  expect(view).toMatchObject({ state: 'ended', endedBecause: 'failing', failure: { code: 'fetch.server_failing' } });
  const requests = origin.requests.length;
  await poll(productId);
  expect(origin.requests).toHaveLength(requests);
  origin.answers.clear();
  expect(await creator.api.imports.followOldFeed({ productId, follows: true })).toMatchObject({
    state: 'following',
    failure: null,
  });
});

test('a show that is not followed is watched, by its team only', async () => {
  const { creator, productId } = await imported({ follow: false });
  origin.items.push({ guid: 'guid-9' });
  await poll(productId);

  expect(await creator.api.imports.oldFeed({ productId })).toMatchObject({ state: 'watching', redirect: 'none' });
  expect(await episodesOf(productId)).toHaveLength(2);
  for (const { api } of [ada, tom]) {
    await expect(api.imports.oldFeed({ productId })).rejects.toThrow();
    await expect(api.imports.followOldFeed({ productId, follows: true })).rejects.toThrow();
    await expect(api.imports.checkOldFeed({ productId })).rejects.toThrow();
  }
  const own = await make.product(creator);
  await expect(creator.api.imports.followOldFeed({ productId: own.id, follows: true })).toFailWith(
    'import.no_old_feed',
  );
  clock.now = later(clock.now, MINUTES(1));
  await creator.api.products.retire({ id: productId, kind: 'podcast', confirmation: origin.title });
  await poll(productId);
  expect(await rowOf(productId)).toMatchObject({ state: 'ended', nextAt: null });
});
