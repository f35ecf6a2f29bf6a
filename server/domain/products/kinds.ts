/** All differences between podcasts and audio series, and nothing else (decision 0008). */
export const KINDS = {
  podcast: {
    path: 'podcasts',
    episodePath: 'episodes',
    noun: 'podcast',
    sale: 'subscription',
    contentType: 'recurring',
    buyers: 'subscribers',
    feedType: 'episodic',
    playOrder: 'newest_first',
    legacy: {
      remove: 'delete-podcast',
      play: 'podcast-episode-play',
      listen: 'podcast-episode-listen',
      url: 'get-podcast-episode-url',
      analytics: 'podcast-analytics',
      episodeAnalytics: 'episode-analytics',
    },
  },
  audio_series: {
    path: 'audio-series',
    episodePath: 'audio-series-episodes',
    noun: 'audioSeries',
    sale: 'purchase',
    contentType: 'single',
    buyers: 'customers',
    feedType: 'serial',
    playOrder: 'oldest_first',
    legacy: {
      remove: 'delete-audio-series',
      play: 'audio-series-episode-play',
      listen: 'audio-series-episode-listen',
      url: 'get-audio-series-episode-url',
      analytics: 'audio-series-analytics',
      episodeAnalytics: 'audio-series-episode-analytics',
    },
  },
} as const satisfies Record<string, KindTraits>;

type KindTraits = {
  /** Path segment of its pages and its REST resource. */
  path: string;
  episodePath: string;
  /** Key of its texts in `locales`. */
  noun: string;
  sale: 'subscription' | 'purchase';
  contentType: 'recurring' | 'single';
  buyers: 'subscribers' | 'customers';
  /** `itunes:type`: `episodic` shows the newest first, `serial` starts with the first part. */
  feedType: 'episodic' | 'serial';
  playOrder: 'newest_first' | 'oldest_first';
  /** Names of its calls in the legacy REST API. */
  legacy: { remove: string; play: string; listen: string; url: string; analytics: string; episodeAnalytics: string };
};

export type KindName = keyof typeof KINDS;
export type Kind = (typeof KINDS)[KindName];
export const KIND_NAMES = Object.keys(KINDS) as [KindName, ...KindName[]];

/** The kind whose pages are under a path segment such as `podcasts`; null for other segments. */
export function kindOfPath(path: string): KindName | null {
  return KIND_NAMES.find((name) => KINDS[name].path === path) ?? null;
}
