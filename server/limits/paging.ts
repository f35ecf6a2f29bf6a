import { MINUTES } from '../base/time';

export const PAGE_LIMITS = {
  size: 20,
  maxSize: 100,
  latest: 5,
  shelf: 12,
  around: 3,
  qrCodes: 1000,
  embedded: 50,
  /** Characters of a search in a list. */
  searchLength: 100,
} as const;

/**
 * A sitemap file has at most 50,000 URLs, two for each page: one per language. `batch`: rows that are read at a time.
 * `counts`: how many counts of files we keep, and how long.
 */
export const SITE_MAP_LIMITS = {
  pages: 25_000,
  batch: 2000,
  counts: { max: 1000, ttl: MINUTES(10) },
  /** The largest file has about half a megabyte, compressed. */
  files: { bytes: 32_000_000, ttl: MINUTES(10) },
} as const;
