import { MINUTES, SECONDS } from '../base/time';

/** Sizes of embedded players, in pixels. A player shows as much as fits into its frame. */
export const EMBED_SIZES = { width: 600, height: { episode: 180, product: 450 } } as const;

/** Size of the pictures of link previews, in pixels: the size that social networks show large. */
export const SHARE_SIZE = { width: 1200, height: 630 } as const;

/**
 * Plays that a show makes public. `cached`: shows and sums that a process keeps. `shownFor`: how long a show that makes
 * them public or not is taken to stay so. `cachedFor`: how long a sum is kept, and `browserSeconds`, for how long by browsers.
 */
export const COUNTER_LIMITS = {
  cached: 5000,
  shownFor: SECONDS(5),
  cachedFor: MINUTES(5),
  browserSeconds: 300,
} as const;
