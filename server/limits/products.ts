import { DAYS } from '../base/time';

export const PRODUCT_LIMITS = {
  nameLength: 100,
  descriptionLength: 4000,
  slugLength: 60,
  messageLength: 2000,
  /**
   * Texts of the feed: the author and the owner, the copyright notice, the text of the funding link (Podcasting 2.0).
   */
  authorLength: 100,
  copyrightLength: 200,
  fundingTextLength: 128,
  urlLength: 500,
  earlyAccessDays: 90,
  dripDays: 90,
  /** Episodes on one page of the public feed. */
  feedLength: { min: 10, max: 500 },
  /** Free days at the start of a subscription. */
  trialDays: 90,
  /** What a paid show's page says that buyers get. */
  benefits: 5,
  benefitLength: 80,
  /** Measurement services before the addresses of audio: podcast apps follow few redirects. */
  prefixes: 3,
  /** How long the address of a deleted show answers 404, before it answers 410. */
  missedFor: DAYS(30),
} as const;

/**
 * Limits of Discover. `results` are counted and reachable, so that no search reads millions of rows; `episodeMatches`:
 * episodes that a search examines. `correctedFrom`: shorter words are not corrected. `alike`: similarity of pg_trgm.
 */
export const DISCOVER_LIMITS = {
  results: 500,
  episodeMatches: 1000,
  episodesPerProduct: 3,
  popularFor: DAYS(30),
  correctedFrom: 4,
  candidates: 20,
  alike: 0.2,
  wordLength: 40,
  wordsPerRun: 10_000,
} as const;

/**
 * What `/` and Discover show of what listeners play: `trending` shows by their plays within `trendingFor`, among the
 * `candidates` that are most popular, and chips of `categories`.
 */
export const POPULAR_LIMITS = { trending: 4, trendingFor: DAYS(7), candidates: 100, categories: 8 } as const;

/** Shows that operators recommend: `listed` at most, of which visitors see the first ones. */
export const FEATURED_LIMITS = { shown: 4, listed: 40, positions: 99 } as const;

/** A link verifies the address in the feed. `perAccount`: emails in a day, to any addresses. */
export const FEED_OWNER_LIMITS = { linkLifetime: DAYS(2), perAccount: 10, window: DAYS(1) } as const;
