/**
 * Podcast apps that add a show from a link, in the order in which pages offer them. `other` is for all other apps: they
 * understand `podcast://`, or take the address of the feed. `os`: the only phones that have the app.
 */
export const FEED_APPS = {
  apple_podcasts: { name: 'Apple Podcasts', scheme: 'podcast://', os: 'ios' },
  overcast: { name: 'Overcast', scheme: 'overcast://x-callback-url/add?url=', os: 'ios' },
  pocket_casts: { name: 'Pocket Casts', scheme: 'pktc://subscribe/', os: null },
  castro: { name: 'Castro', scheme: 'castros://subscribe/', os: 'ios' },
  antennapod: { name: 'AntennaPod', scheme: 'antennapod-subscribe://', os: 'android' },
  podcast_addict: { name: 'Podcast Addict', scheme: 'podcastaddict://', os: 'android' },
  other: { name: null, scheme: 'podcast://', os: null },
} as const;

export type FeedApp = keyof typeof FEED_APPS;
export const FEED_APP_NAMES = Object.keys(FEED_APPS) as [FeedApp, ...FeedApp[]];

/** A link that opens the app and adds the show. */
export function appLink(app: FeedApp, feedUrl: string): string {
  const { scheme } = FEED_APPS[app];
  return scheme.endsWith('=') ? scheme + encodeURIComponent(feedUrl) : scheme + feedUrl.replace(/^https?:\/\//, '');
}

/** In the place of an app: the address that a creator has made for a subscriber (docs/decisions/0403). */
export const CREATORS_LINK = 'creator';
