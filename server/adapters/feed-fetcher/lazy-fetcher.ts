import type { FeedFetcher, FetcherSettings } from './port';

/** The fetcher. Its HTTP client takes its time to load: only who first fetches something waits for it. */
export function chooseFetcher(settings: FetcherSettings): FeedFetcher {
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
