import type { Source } from '~/db/values/statistics';
import { feedAccessOf, isEmbedPath, isFromOldFeed } from '../../base/public-paths';
import type { Urls } from '../../base/urls';

/** The headers of a request that say where it comes from. `fetchSite`: Sec-Fetch-Site. */
export type Origin = { referrer?: string; fetchSite?: string };

/**
 * How a client got the address of an episode's audio. The addresses in feeds never change (IAB Podcast Measurement
 * 2.3), so only headers tell our own players from apps: browsers send the page's full address within one origin, which
 * embedded players share with the audio, and the origin alone from the hosts of creators.
 */
export function sourceOfAudio(urls: Pick<Urls, 'isOwn'>, url: string, { referrer, fetchSite }: Origin): Source {
  if (feedAccessOf(url) !== null) return 'private_feed';
  if (isFromOldFeed(url)) return 'former_host';
  if (referrer && urls.isOwn(referrer)) return sourceOfPlayer(referrer);
  if (fetchSite === 'same-origin' || fetchSite === 'same-site') return 'player';
  return referrer || fetchSite !== undefined ? 'other' : 'feed';
}

/** The web player's source: an embedded one, or the site's. `referrer`: the page that plays. */
export function sourceOfPlayer(referrer: string | undefined): Source {
  return referrer && URL.canParse(referrer) && isEmbedPath(new URL(referrer).pathname) ? 'embed' : 'player';
}
