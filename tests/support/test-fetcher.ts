import { feedFetcher } from '~/server/adapters/feed-fetcher/fetcher';
import type { FeedFetcher, FetcherLimits, FetcherSettings } from '~/server/adapters/feed-fetcher/port';

const SHORT: Partial<FetcherLimits> = {
  connectMs: 300,
  headersMs: 300,
  idleMs: 300,
  wholeMs: 1500,
  hostGapMs: 0,
  retryMs: 5,
  headerBytes: 8192,
};

/** A fetcher with short timeouts that may connect to loopback. */
export function testFetcher(settings: Partial<FetcherSettings> = {}): FeedFetcher {
  const limits = { ...SHORT, ...settings.limits };
  return feedFetcher({ contact: 'https://altavoz.example/contact', allowLoopback: true, ...settings, limits });
}
