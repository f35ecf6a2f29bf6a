import { SECONDS } from '../../base/time';
import { KILOBYTES } from '../../limits/sizes';
import { statusError } from '../feed-fetcher/errors';
import type { FeedFetcher } from '../feed-fetcher/port';
import type { Podping } from './port';

export type PodpingSettings = { url: string; token: string };

const ANSWER = SECONDS(15);

/** Calls the gateway as podping.cloud documents it. The fetcher follows no redirect with the token. */
export function podpingGateway({ url, token }: PodpingSettings, fetcher: FeedFetcher): Podping {
  return {
    async announce(feedUrl) {
      const address = new URL(url);
      address.searchParams.set('url', feedUrl);
      address.searchParams.set('reason', 'update');
      address.searchParams.set('medium', 'podcast');
      const headers = { authorization: token };
      const request = { url: address.href, headers, answerMs: ANSWER, answerBytes: KILOBYTES };
      const { status } = await fetcher.deliver(request);
      if (status < 200 || status >= 300) throw statusError({ host: address.hostname, status });
    },
  };
}
