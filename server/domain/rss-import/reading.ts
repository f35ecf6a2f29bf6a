import type { FetchRequest } from '../../adapters/feed-fetcher/port';
import type { Ctx } from '../../ctx';
import { AppError } from '../../errors';
import type { ImportedFeed, ParseResult } from '../../feed/reader/model';
import { joinPages, nextPage } from '../../feed/reader/pages';
import { parseFeed } from '../../feed/reader/parse';
import { FEED_IMPORT_LIMITS } from '../../limits/rss-import';
import { noEpisodes, notAFeed } from './errors';
import { isPermanentFault } from './rules';

const ACCEPT = 'application/rss+xml, application/atom+xml;q=0.9, application/xml;q=0.8, text/xml;q=0.8, */*;q=0.5';

/** `url`: after all redirects; `movedTo`: the target of the permanent ones. */
export type ReadFeed = { feed: ImportedFeed; parsed: ParseResult; url: string; movedTo: string | null };
type Options = Pick<FetchRequest, 'stopsAt'>;

/** `mayRetry`: such a fault of a further page is thrown, because the whole feed is read again later. */
type Attempt = { mayRetry?: (fault: AppError) => boolean } & Pick<FetchRequest, 'stopsAt'>;

/**
 * Fetches and reads a feed with all of its pages. A further page that its host does not give is reported as lost, with
 * those behind it. @throws fetch.*, import.not_a_feed, import.no_episodes
 */
export async function readFeed(ctx: Ctx, url: string, attempt: Attempt = {}): Promise<ReadFeed> {
  const { stopsAt } = attempt;
  const { parsed, feed, ...found } = await readPage(ctx, url, { stopsAt });
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
  return { ...found, parsed: { ...parsed, losses }, feed: joined };
}

async function readLaterPage(ctx: Ctx, url: string, { mayRetry }: Attempt): Promise<ImportedFeed | null> {
  try {
    return (await readPage(ctx, url)).feed;
  } catch (err) {
    if (!(err instanceof AppError)) throw err;
    if (mayRetry?.(err) && !isPermanentFault(err) && err.kind !== 'not_found') throw err;
    ctx.log.info({ err }, 'page of a feed skipped');
    return null;
  }
}

async function readPage(ctx: Ctx, url: string, options: Options = {}): Promise<ReadFeed> {
  const request = { url, maxBytes: FEED_IMPORT_LIMITS.bytes, accept: ACCEPT, ...options };
  const fetched = await ctx.ports.fetcher.fetch(request);
  if (fetched.unchanged) throw notAFeed();
  const { bytes, contentType } = fetched;
  const parsed = parseFeed({ bytes, contentType, url: fetched.url });
  if (!parsed.feed) throw notAFeed();
  return { parsed, feed: parsed.feed, url: fetched.url, movedTo: fetched.movedTo };
}

/** The address as people enter it: with any scheme that apps use for feeds, or without one. */
export function feedAddress(entered: string): string {
  const address = entered.trim().replace(/^(?:feed|pcast|itpc|podcast):(?:\/\/)?(?=https?:)/i, '');
  if (/^https?:\/\//i.test(address)) return address;
  return `https://${address.replace(/^[a-z]+:\/\//i, '')}`;
}
