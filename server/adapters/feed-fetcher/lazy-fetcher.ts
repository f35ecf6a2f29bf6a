import type { FeedFetcher, FetcherSettings } from './port';

/** Creates a fetcher that loads its HTTP client on the first use, because loading it takes time. */
export function lazyFetcher(settings: FetcherSettings): FeedFetcher {
  let opened: Promise<FeedFetcher> | null = null;
  const open = () => {
    opened ??= import('./fetcher').then(({ feedFetcher }) => feedFetcher(settings));
    return opened;
  };
  return {
    fetch: async (request) => (await open()).fetch(request),
    download: async (store, request) => (await open()).download(store, request),
    close: async () => (await opened)?.close(),
  };
}
