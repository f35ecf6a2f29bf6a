import { asc, eq, sql } from 'drizzle-orm';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { readSample, sampleFiles } from '~/benchmarks/sample-feeds';
import { episodes } from '~/db/schema/episodes';
import { rssImportItems, rssImports } from '~/db/schema/rss-import';
import { later, MINUTES } from '~/server/base/time';
import { parseFeed } from '~/server/feed/reader/parse';
import { cast } from '../../support/cast';
import { isDeep } from '../../support/deep';
import { feedOrigin, settleImport } from '../../support/feed-origin';
import { mp3 } from '../../support/mp3';
import { testFetcher } from '../../support/test-fetcher';

const { runtime, make, clock } = await cast({ settings: { FETCH_ALLOW_LOOPBACK: 'true' } });
const fetcher = testFetcher({ limits: { attempts: 1, idleMs: 150 } });
runtime.ports.fetcher = fetcher;
const origin = await feedOrigin();
afterAll(async () => {
  await fetcher.close();
  await origin.close();
});
beforeEach(async () => {
  // all creators call from one network
  await runtime.db.execute(sql`delete from rate_limits`);
  Object.assign(origin, { items: [{}, {}, {}], owner: null });
  origin.answers.clear();
});

/** A confirmed import and its creator. */
async function start(url = origin.feedUrl()) {
  const { api } = await make.creator({ name: 'Julia' });
  const { id } = await api.imports.request({ url, proof: 'feed' });
  await runtime.db
    .update(rssImports)
    .set({ status: 'in_progress', startedAt: runtime.now() })
    .where(eq(rssImports.id, id));
  return { id, api };
}
const pass = () => {
  clock.now = later(clock.now, MINUTES(20));
};
const itemsOf = (id: number) =>
  runtime.db.select().from(rssImportItems).where(eq(rssImportItems.importId, id)).orderBy(asc(rssImportItems.position));

test('a file that stalls or states a false length does not stop the others', async () => {
  origin.answers.set('/audio-1.mp3', (_, response) => void response.write('a'));
  origin.answers.set('/audio-2.mp3', (_, response) => {
    response.writeHead(200, { 'content-length': '40000' });
    response.write(mp3(1));
    response.destroy();
  });
  const { id, api } = await start();
  await settleImport(runtime, id, { pass });

  expect((await itemsOf(id)).map(({ state }) => state)).toEqual(['failed', 'failed', 'imported']);
  expect(await api.imports.get({ id })).toMatchObject({ status: 'imported' });
});

test('an origin that is down for a while is retried, for the feed and for its files', async () => {
  const fail = (path: string) => {
    let left = 3;
    origin.answers.set(path, (_, response) => {
      left -= 1;
      if (left <= 0) origin.answers.delete(path);
      response.writeHead(503).end();
    });
  };
  const { id, api } = await start();
  fail('/audio-2.mp3');
  fail('/feed.xml');
  await settleImport(runtime, id, { pass });

  expect(await api.imports.get({ id })).toMatchObject({ status: 'imported', progress: { imported: 3 } });
});

test('a feed that changes while it is imported creates no episode twice', async () => {
  const { id, api } = await start();
  await settleImport(runtime, id, { steps: 1 });
  origin.items = [{ guid: 'guid-2' }, { guid: 'guid-2', file: '/other.mp3' }, { guid: 'guid-9' }];
  await settleImport(runtime, id, { pass });
  const { productId } = await api.imports.get({ id });
  const rows = await runtime.db.select().from(episodes).where(eq(episodes.productId, productId!)).orderBy(episodes.id);

  expect(rows.map(({ guid }) => guid).sort()).toEqual(['guid-1', 'guid-2', 'guid-3']);
});

test('an episode with an unreadable date keeps its place in the feed', async () => {
  Object.assign(origin, { items: [{}, { date: 'yesterday, or so' }, {}] });
  const { id, api } = await start();
  await settleImport(runtime, id, { pass });
  const { productId } = await api.imports.get({ id });
  const rows = await runtime.db
    .select()
    .from(episodes)
    .where(eq(episodes.productId, productId!))
    .orderBy(episodes.guid);
  const [first, second, third] = rows.map(({ releaseAt }) => releaseAt!.getTime());

  expect(second).toBe((first! + third!) / 2);
});

test('a feed and files that have moved are followed', async () => {
  origin.answers.set('/old.xml', (_, response) => void response.writeHead(301, { location: '/feed.xml' }).end());
  origin.answers.set('/audio-1.mp3', (_, response) => void response.writeHead(302, { location: '/moved.mp3' }).end());
  const { id, api } = await start(`${origin.url}/old.xml`);
  await settleImport(runtime, id, { pass });

  expect(await api.imports.get({ id })).toMatchObject({ progress: { imported: 3 } });
});

test('an import whose feed is gone has failed, with the reason, and the next one can start', async () => {
  const { id, api } = await start();
  origin.answers.set('/feed.xml', (_, response) => void response.writeHead(410).end());
  await settleImport(runtime, id, { pass });
  origin.answers.clear();

  expect(await api.imports.get({ id })).toMatchObject({
    status: 'failed',
    failure: { code: 'import.feed_missing' },
  });
  await expect(api.imports.request({ url: origin.feedUrl(), proof: 'feed' })).resolves.toMatchObject({
    productId: null,
  });
});

/** Feeds whose further pages are at their host, which this test can't read. */
const isOnePage = (file: string) => !parseFeed({ bytes: readSample(file), url: origin.url }).feed?.next;
const files = sampleFiles().filter((file, i) => (isDeep || i % 12 === 0) && isOnePage(file));

test.each(files)('%s is imported as it was read', async (file) => {
  const bytes = readSample(file);
  const path = `/samples/${file}`;
  origin.files.set(path, bytes);
  const read = parseFeed({ bytes, contentType: null, url: `${origin.url}${path}` });
  if (!read.feed || read.feed.episodes.length === 0) {
    await expect(start(`${origin.url}${path}`)).rejects.toThrow(/import\.(?:not_a_feed|no_episodes)/);
    return;
  }
  const { id, api } = await start(`${origin.url}${path}`);
  await settleImport(runtime, id, { steps: 1 });
  const found = await itemsOf(id);

  const { preview, productId } = await api.imports.get({ id });
  expect(productId).not.toBeNull();
  expect(found.length).toBeGreaterThanOrEqual(new Set(read.feed.episodes.map(({ guid }) => guid)).size);
  expect(preview.episodes).toBe(found.length);
  for (const episode of read.feed.episodes) {
    const item = found.find(({ guid }) => guid === episode.guid);
    expect(item?.data).toMatchObject({ audio: { url: episode.audio.url }, title: episode.title, type: episode.type });
  }
});
