import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { readSample, sampleFiles } from '~/benchmarks/sample-feeds';
import { episodeChapters, episodeTranscripts } from '~/db/schema/episode-parts';
import { episodes } from '~/db/schema/episodes';
import { rssImports } from '~/db/schema/rss-import';
import type { FeedFetcher } from '~/server/adapters/feed-fetcher/port';
import { getImport, listImportItems } from '~/server/domain/rss-import/queries';
import { requestImport } from '~/server/domain/rss-import/request-feed-import';
import type { ImportedEpisode, ImportedFeed } from '~/server/feed/reader/model';
import { joinPages } from '~/server/feed/reader/pages';
import { parseFeed } from '~/server/feed/reader/parse';
import { cast } from '../../support/cast';
import { deepTimes, sampleBySeed } from '../../support/deep';
import { settleImport } from '../../support/feed-origin';
import { mp3 } from '../../support/mp3';
import { picture } from '../../support/pictures';
import { toolPath } from '../../support/tools';

/** If FFmpeg is installed, formats other than MP3 are imported as well. */
const converting = toolPath('ffmpeg');
const { runtime, make, clock, ctxOf } = await cast({ settings: converting ? { FFMPEG_PATH: converting } : {} });
const COVER = await picture();
const CHAPTERS = '{"chapters":[{"startTime":0,"title":"A"},{"startTime":0.5,"title":"B"}]}';
const TRANSCRIPT = 'WEBVTT\n\n00:00.000 --> 00:00.500\nHola';

/** The hosts of all samples: one serves the feed, and the others serve every file that it names. */
function host(file: string): string {
  const url = `https://feeds.example/${encodeURIComponent(file)}`;
  let files = 0;
  const common = { movedTo: null, etag: null, lastModified: null, contentType: null };
  const fetcher: Partial<FeedFetcher> = {
    fetch: async (request) => {
      const answer = (body: Buffer | string) => ({
        ...{ ...common, url: request.url, unchanged: false as const },
        bytes: Buffer.from(body),
      });
      if (request.url === url) return answer(readSample(file));
      if (request.accept === 'image/*') return answer(COVER);
      return answer(/vtt|srt|transcript/i.test(request.url) ? TRANSCRIPT : CHAPTERS);
    },
    download: async (store, { url: from, key }) => {
      files += 1;
      const bytes = Buffer.concat([mp3(1), Buffer.from(`TAG${files}`.padEnd(128, '\0'))]);
      await store.put(key, bytes, { contentType: 'audio/mpeg' });
      return { url: from, bytes: bytes.length, sha256: '', contentType: null, resumedFrom: 0 };
    },
  };
  Object.assign(runtime.ports.fetcher, fetcher);
  return url;
}

async function importOf(url: string) {
  // called directly, because the procedure is limited per network
  const ctx = ctxOf(await make.creator({ name: 'Julia' }));
  const { id } = await requestImport(ctx, { url, proof: 'feed', follow: false, isPrivate: false });
  await runtime.db.update(rssImports).set({ status: 'in_progress' }).where(eq(rssImports.id, id));
  await settleImport(runtime, id, { steps: 500 });
  const { items } = await listImportItems(ctx, { id, page: 1 });
  return { found: await getImport(ctx, { id }), items };
}

const rowsOf = (productId: number | null) =>
  runtime.db
    .select({ episode: episodes, chapters: episodeChapters.chapters, transcript: episodeTranscripts.episodeId })
    .from(episodes)
    .leftJoin(episodeChapters, eq(episodeChapters.episodeId, episodes.id))
    .leftJoin(episodeTranscripts, eq(episodeTranscripts.episodeId, episodes.id))
    .where(eq(episodes.productId, productId!))
    .orderBy(episodes.id);
type Row = Awaited<ReturnType<typeof rowsOf>>[number];

const READABLE = /vtt|srt|subrip|json|^text\/plain/i;
/** The properties of an episode that are counted in the feed and in its import. */
const FIELDS: Record<string, [(feed: ImportedEpisode) => boolean, (row: Row) => boolean]> = {
  guids: [() => true, ({ episode }) => episode.guid !== ''],
  dates: [({ publishedAt }) => publishedAt !== null, ({ episode }) => episode.releaseAt !== null],
  notes: [({ description }) => description.trim() !== '', ({ episode }) => episode.description !== ''],
  seasons: [({ season }) => Boolean(season), ({ episode }) => episode.season !== null],
  numbers: [({ number }) => Boolean(number), ({ episode }) => episode.number !== null],
  explicit: [({ explicit }) => explicit, ({ episode }) => episode.explicit],
  covers: [({ cover }) => Boolean(cover), ({ episode }) => episode.coverKey !== null],
  chapters: [({ chapters, marks }) => Boolean(chapters || marks?.length), ({ chapters }) => Boolean(chapters?.length)],
  transcripts: [
    ({ transcripts }) => transcripts?.some(({ type }) => READABLE.test(type)) ?? false,
    ({ transcript }) => transcript !== null,
  ],
  people: [({ persons }) => Boolean(persons?.length), ({ episode }) => episode.people.length > 0],
};

const FILES = sampleBySeed(sampleFiles(), 20 * deepTimes);
const lines: string[] = [];
const tally = (entries: readonly { kind: string; count: number }[]) =>
  entries.map(({ kind, count }) => (count > 1 ? `${kind} ×${count}` : kind)).join(', ') || '–';

/** The feed that the import reads if further pages can't be loaded. */
function readOf(file: string, url: string): ImportedFeed | null {
  const { feed } = parseFeed({ bytes: readSample(file), contentType: null, url });
  return feed && joinPages(feed, []);
}

test.each(FILES)('%s: everything that the reader found is imported', async (file) => {
  const url = host(file);
  const feed = readOf(file, url);
  if (!feed || feed.episodes.length === 0) {
    await expect(importOf(url)).rejects.toThrow(/import\.(?:not_a_feed|no_episodes)/);
    lines.push(`| ${file} | refused: ${feed ? 'no episodes' : 'not a feed'} | | | |`);
    return;
  }
  const { found, items } = await importOf(url);
  const rows = await rowsOf(found.productId);
  const kept = new Set(rows.map(({ episode }) => episode.guid));
  const imported = feed.episodes.filter(({ guid }) => kept.has(guid));
  const skipped = items.filter(({ state }) => state !== 'imported');
  const counts = Object.entries(FIELDS).map(([name, [inFeed, inRow]]) => ({
    name,
    read: imported.filter(inFeed).length,
    written: rows.filter(inRow).length,
  }));

  expect(rows.length + found.progress.skipped + found.progress.failed).toBe(feed.episodes.length);
  // an episode without a date gets one that keeps its place, and notes that contain only pictures have no text
  for (const { name, read, written } of counts)
    expect({ name, isKept: written >= read }).toEqual({ name, isKept: true });
  for (const episode of imported) {
    const row = rows.find(({ episode: { guid } }) => guid === episode.guid)!.episode;
    const isLater = episode.publishedAt !== null && episode.publishedAt > clock.now;
    expect(row).toMatchObject({ explicit: episode.explicit, status: isLater ? 'scheduled' : 'published' });
    if (episode.publishedAt) expect(row.releaseAt).toEqual(episode.publishedAt);
  }
  const text = counts.flatMap(({ name, written }) => (written > 0 ? [`${written} ${name}`] : [])).join(', ');
  const { repairs, losses } = found.preview;
  const reasons = [...new Set(skipped.map(({ reason }) => reason?.code ?? ''))].join(', ');
  lines.push(
    `| ${file} | ${rows.length} of ${feed.episodes.length} | ${text} | ${tally(repairs)} | ${[tally(losses), reasons].filter(Boolean).join('; ')} |`,
  );
});

test('the table', () => {
  console.log(['| feed | episodes | kept | repaired | lost |', '|---|---|---|---|---|', ...lines.sort()].join('\n'));
  expect(lines).toHaveLength(FILES.length);
});
