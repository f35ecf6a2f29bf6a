import type { Fetched, FetchRequest } from '../../adapters/feed-fetcher/port';
import { AppError } from '../../base/errors';
import { pick } from '../../base/fields';
import { isPermanentFault } from '../../base/retries';
import type { ImportedFeed, ParseResult } from '../../feed/reader/model';
import { joinPages, nextPage } from '../../feed/reader/pages';
import { parseFeed } from '../../feed/reader/parse';
import { FEED_IMPORT_LIMITS } from '../../limits/rss-import';
import type { Ctx } from '../../runtime/ctx';
import { cleanNotes } from './clean-notes';
import { feedMissing, noEpisodes, notAFeed, previewTooLong } from './errors';
import { fillDates } from './fill-dates';

const ACCEPT = 'application/rss+xml, application/atom+xml;q=0.9, application/xml;q=0.8, text/xml;q=0.8, */*;q=0.5';

export type ReadFeed = { feed: ImportedFeed; parsed: ParseResult } & Omit<Fetched, 'contentType'>;
type Options = Pick<FetchRequest, 'stopsAt' | 'known' | 'signal'> & Partial<Pick<FetchRequest, 'maxBytes'>>;

/** `mayRetry`: whether such a fault of a further page is thrown, because the whole feed is read again later. */
type Attempt = { mayRetry?: (fault: AppError) => boolean } & Options;

/**
 * Fetches and reads a feed with all of its pages. If a further page can't be fetched, it is reported as lost, with all
 * pages after it. @throws fetch.*, import.not_a_feed, import.no_episodes
 */
export async function readFeed(ctx: Ctx, url: string, attempt: Attempt = {}): Promise<ReadFeed> {
  const read = await readFeedIfChanged(ctx, url, attempt);
  if (!read) throw notAFeed();
  return read;
}

/** Reads a feed; null if it still has the known validators. */
export async function readFeedIfChanged(ctx: Ctx, url: string, attempt: Attempt): Promise<ReadFeed | null> {
  const first = await readPage(ctx, url, pick(attempt, ['stopsAt', 'known', 'signal', 'maxBytes']));
  if (!first) return null;
  const { parsed, feed, ...found } = first;
  const visited = [url];
  const later: ImportedFeed[] = [];
  const losses = [...parsed.losses];
  for (let next = nextPage(feed, visited); next; next = nextPage(later.at(-1)!, visited)) {
    visited.push(next);
    const page = await readLaterPage(ctx, next, attempt);
    if (!page) {
      losses.push({ kind: 'page_missing', count: 1, first: 0 });
      break;
    }
    later.push(page);
  }
  const joined = joinPages(feed, later);
  if (joined.episodes.length === 0) throw noEpisodes();
  const cleaned = await cleanNotes(joined);
  return {
    ...found,
    parsed: { ...parsed, losses: [...losses, ...cleaned.losses] },
    feed: { ...cleaned.feed, episodes: fillDates(cleaned.feed.episodes) },
  };
}

/**
 * Reads the first page of a feed, without cleaning its notes. `hasMore`: it names another page.
 * @throws fetch.*, import.not_a_feed, import.no_episodes, import.preview_too_long
 */
export async function readFirstPage(
  ctx: Ctx,
  url: string,
  { items, ...options }: Pick<Options, 'signal' | 'maxBytes'> & { items: number },
): Promise<ReadFeed & { hasMore: boolean }> {
  const check = (bytes: Buffer) => {
    if (hasMoreItems(bytes, items)) throw previewTooLong({ max: items });
  };
  const page = await readPage(ctx, url, { ...options, check });
  if (!page) throw notAFeed();
  if (page.feed.episodes.length === 0) throw noEpisodes();
  const episodes = fillDates(page.feed.episodes);
  return { ...page, feed: { ...page.feed, episodes }, hasMore: nextPage(page.feed, [url]) !== null };
}

const ITEM = [Buffer.from('<item'), Buffer.from('<entry')];

function hasMoreItems(bytes: Buffer, max: number): boolean {
  let found = 0;
  for (const tag of ITEM)
    for (let at = bytes.indexOf(tag); at >= 0 && found <= max; at = bytes.indexOf(tag, at + 1)) found += 1;
  return found > max;
}

async function readLaterPage(ctx: Ctx, url: string, { mayRetry, ...options }: Attempt): Promise<ImportedFeed | null> {
  try {
    return (await readPage(ctx, url, pick(options, ['signal', 'maxBytes'])))?.feed ?? null;
  } catch (err) {
    if (!(err instanceof AppError)) throw err;
    if (mayRetry?.(err) && !isPermanentFault(err)) throw err;
    ctx.log.info({ err }, 'page of a feed skipped');
    return null;
  }
}

/** `check`: throws if the bytes should not be parsed. */
type PageOptions = Options & { check?: (bytes: Buffer) => void };

async function readPage(ctx: Ctx, url: string, { check, ...options }: PageOptions = {}): Promise<ReadFeed | null> {
  const request = { url, maxBytes: FEED_IMPORT_LIMITS.bytes, accept: ACCEPT, ...options };
  const fetched = await ctx.ports.fetcher.fetch(request).catch((err) => {
    throw aboutAddress(err);
  });
  if (fetched.unchanged) return null;
  const { bytes, contentType, unchanged: _, ...found } = fetched;
  check?.(bytes);
  const parsed = parseFeed({ bytes, contentType, url: fetched.url });
  if (!parsed.feed) throw notAFeed();
  return { parsed, feed: parsed.feed, ...found };
}

/** A fault that lasts is shown at the field of the address. */
function aboutAddress(err: unknown): unknown {
  if (!(err instanceof AppError) || err.kind !== 'invalid') return err;
  return err.code === 'fetch.file_missing'
    ? feedMissing(err.params)
    : new AppError(err.code, err.kind, 'url', err.params);
}
