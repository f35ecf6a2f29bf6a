import { openOnce } from '../../flow/open-once';
import type { FeedFetcher, FetcherSettings } from './port';

/** Creates a fetcher that loads its HTTP client on the first use, because loading it takes time. */
export function lazyFetcher(settings: FetcherSettings): FeedFetcher {
  const opened = openOnce(async () => (await import('./fetcher')).feedFetcher(settings));
  return {
    fetch: async (request) => (await opened.get()).fetch(request),
    post: async (request) => (await opened.get()).post(request),
    deliver: async (request) => (await opened.get()).deliver(request),
    checkAddress: async (url) => (await opened.get()).checkAddress(url),
    probe: async (request) => (await opened.get()).probe(request),
    download: async (store, request) => (await opened.get()).download(store, request),
    close: () => opened.ifOpened((fetcher) => fetcher.close()),
  };
}
