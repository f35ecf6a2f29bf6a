import http from 'node:http';
import { buffer } from 'node:stream/consumers';
import { and, asc, eq, isNotNull } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { episodeChapters, episodeTranscripts } from '~/db/schema/episode-parts';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { rssImports } from '~/db/schema/rss-import';
import { statusUnexpected } from '~/server/adapters/feed-fetcher/errors';
import type { FeedFetcher } from '~/server/adapters/feed-fetcher/port';
import { pick } from '~/server/base/fields';
import { attackedServer } from '../../support/attacked-server';
import { settleImport } from '../../support/feed-origin';

const { runtime, port, lucia, podcast, episodes: made, make } = await attackedServer();
const { id } = made.podcast.public;
const people = [
  { name: 'Lucía', role: 'host' as const, url: null },
  { name: 'Ana', role: 'guest' as const, url: 'https://ana.example/' },
];
await lucia.api.episodes.update({ id, kind: 'podcast', season: 2, number: 7, explicit: true, people });
const vtt = Buffer.from('WEBVTT\n\n00:00.000 --> 00:00.500\n<v Ana>Hola\n');
await lucia.api.episodes.uploadTranscript({ id, fileName: 'a.vtt', content: vtt.toString('base64') });
const chapters = [0, 500].map((startMs) => ({
  startMs,
  title: `${startMs}`,
  url: 'https://c.example/',
  imageKey: null,
}));
await lucia.api.episodes.saveChapters({ id, chapters });

/** Fetches from this test's server, whichever host the URL names. */
async function get(url: string): Promise<Buffer> {
  const { host, pathname, search } = new URL(url);
  const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
    http.get({ host: '127.0.0.1', port, path: pathname + search, headers: { host } }, resolve).on('error', reject);
  });
  const body = await buffer(answer);
  if (answer.statusCode !== 200) throw statusUnexpected({ status: answer.statusCode ?? 0 });
  return body;
}

const common = { movedTo: null, etag: null, lastModified: null, contentType: null };
const fetcher: Partial<FeedFetcher> = {
  fetch: async ({ url }) => ({ ...common, url, unchanged: false as const, bytes: await get(url) }),
  download: async (store, { url, key }) => {
    const bytes = await get(url);
    await store.put(key, bytes, { contentType: 'audio/mpeg' });
    return { url, bytes: bytes.length, sha256: '', contentType: null, resumedFrom: 0 };
  },
};

const SHOW = [
  'name',
  'description',
  'category',
  'language',
  'author',
  'copyright',
  'fundingUrl',
  'fundingText',
] as const;
const EPISODE = [
  'guid',
  'name',
  'description',
  'releaseAt',
  'season',
  'number',
  'explicit',
  'people',
  'audioSha256',
] as const;

async function contentOf(productId: number) {
  const [show] = await runtime.db.select().from(products).where(eq(products.id, productId));
  const isHeard = and(
    eq(episodes.productId, productId),
    eq(episodes.status, 'published'),
    isNotNull(episodes.audioKey),
  );
  const rows = await runtime.db
    .select({ episode: episodes, chapters: episodeChapters.chapters, transcript: episodeTranscripts.cues })
    .from(episodes)
    .leftJoin(episodeChapters, eq(episodeChapters.episodeId, episodes.id))
    .leftJoin(episodeTranscripts, eq(episodeTranscripts.episodeId, episodes.id))
    .where(isHeard)
    .orderBy(asc(episodes.guid));
  return {
    show: pick(show!, SHOW),
    episodes: rows
      .filter(({ episode }) => episode.type !== 'private')
      .map(({ episode, chapters, transcript }) => ({
        ...pick(episode, EPISODE),
        hasCover: episode.coverKey !== null,
        chapters: chapters?.map(({ imageKey, ...chapter }) => ({ ...chapter, hasImage: imageKey !== null })) ?? null,
        transcript,
      })),
    others: rows.filter(({ episode }) => episode.type === 'private').length,
  };
}

test('imported from its feed alone, a show keeps its public data and nothing else', async () => {
  const feed = `http://staging-${lucia.domain}.altavoz.localhost:3000/p/${podcast.slug}/feed.xml`;
  Object.assign(runtime.ports.fetcher, fetcher);
  const { api } = await make.creator({ name: 'Otra' });
  const { id: importId } = await api.imports.request({ url: feed, proof: 'feed' });
  await runtime.db.update(rssImports).set({ status: 'in_progress' }).where(eq(rssImports.id, importId));
  await settleImport(runtime, importId);
  const { productId } = await api.imports.get({ id: importId });
  const [before, after] = [await contentOf(podcast.id), await contentOf(productId!)];

  expect([before.others > 0, after.others]).toEqual([true, 0]);
  expect(after.episodes).toEqual(before.episodes);
  // a feed names its author, which a show may inherit from its creator
  expect(after.show).toEqual({ ...before.show, author: 'Lucía' });
});
