import { MINUTES } from '../base/time';

/** Sizes of embedded players, in pixels. A player shows as much as fits into its frame. */
export const EMBED_SIZES = { width: 600, height: { episode: 180, product: 450 } } as const;

/** Size of the pictures of link previews, in pixels: the size that social networks show large. */
export const SHARE_SIZE = { width: 1200, height: 630 } as const;

/** Plays that a show makes public: how many sums a process keeps and for how long, and how long browsers do. */
export const COUNTER_LIMITS = { cached: 5000, cachedFor: MINUTES(5), browserSeconds: 300 } as const;
