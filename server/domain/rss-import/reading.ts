import type { Ctx } from '../../ctx';
import type { ImportedFeed, ParseResult } from '../../feed/reader/model';
import { joinPages, nextPage } from '../../feed/reader/pages';
import { parseFeed } from '../../feed/reader/parse';
import { FEED_IMPORT_LIMITS } from '../../limits/rss-import';
import { noEpisodes, notAFeed } from './errors';

const ACCEPT = 'application/rss+xml, application/atom+xml;q=0.9, application/xml;q=0.8, text/xml;q=0.8, */*;q=0.5';

export type ReadFeed = { feed: ImportedFeed; parsed: ParseResult };

/** Fetches and reads a feed with all of its pages. @throws fetch.*, import.not_a_feed, import.no_episodes */
export async function readFeed(ctx: Ctx, url: string): Promise<ReadFeed> {
  const { parsed, feed } = await readPage(ctx, url);
  const visited = [url];
  const later: ImportedFeed[] = [];
  for (let next = nextPage(feed, visited); next; next = nextPage(later.at(-1)!, visited)) {
    visited.push(next);
    later.push((await readPage(ctx, next)).feed);
  }
  const joined = joinPages(feed, later);
  if (joined.episodes.length === 0) throw noEpisodes();
  return { parsed, feed: joined };
}

async function readPage(ctx: Ctx, url: string): Promise<ReadFeed> {
  const fetched = await ctx.ports.fetcher.fetch({ url, maxBytes: FEED_IMPORT_LIMITS.bytes, accept: ACCEPT });
  if (fetched.unchanged) throw notAFeed();
  const { bytes, contentType } = fetched;
  const parsed = parseFeed({ bytes, contentType, url: fetched.url });
  if (!parsed.feed) throw notAFeed();
  return { parsed, feed: parsed.feed };
}

/** The address as people enter it: with any scheme that apps use for feeds, or without one. */
export function feedAddress(entered: string): string {
  const address = entered.trim().replace(/^(?:feed|pcast|itpc|podcast):(?:\/\/)?(?=https?:)/i, '');
  if (/^https?:\/\//i.test(address)) return address;
  return `https://${address.replace(/^[a-z]+:\/\//i, '')}`;
}
