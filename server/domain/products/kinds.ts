/** Every difference between a podcast and an audio series, and nothing else. */
export const KINDS = {
  podcast: {
    path: 'podcasts',
    episodePath: 'episodes',
    noun: 'podcast',
    sale: 'subscription',
    contentType: 'recurring',
    buyers: 'subscribers',
    /** iTunes' order of a feed: newest first, or from the first part on. */
    feedType: 'episodic',
    playOrder: 'newest_first',
    legacy: {
      remove: 'delete-podcast',
      play: 'podcast-episode-play',
      listen: 'podcast-episode-listen',
      url: 'get-podcast-episode-url',
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
    },
  },
} as const satisfies Record<string, KindTraits>;

type KindTraits = {
  /** Path of its pages and of its REST resource. */
  path: string;
  episodePath: string;
  /** Key of its words in `locales`. */
  noun: string;
  sale: 'subscription' | 'purchase';
  contentType: 'recurring' | 'single';
  buyers: 'subscribers' | 'customers';
  feedType: 'episodic' | 'serial';
  playOrder: 'newest_first' | 'oldest_first';
  /** Names of its calls in the legacy REST API. */
  legacy: { remove: string; play: string; listen: string; url: string };
};

export type KindName = keyof typeof KINDS;
export type Kind = (typeof KINDS)[KindName];
export const KIND_NAMES = Object.keys(KINDS) as [KindName, ...KindName[]];

/** The kind whose pages stand below a path such as `podcasts`; null where none does. */
export function kindOfPath(path: string): KindName | null {
  return KIND_NAMES.find((name) => KINDS[name].path === path) ?? null;
}
