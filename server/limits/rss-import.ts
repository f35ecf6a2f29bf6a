import { MEGABYTES } from './sizes';

/** What the feed reader accepts from other hosts. It reports everything beyond these bounds as lost. */
export const FEED_IMPORT_LIMITS = {
  bytes: 32 * MEGABYTES,
  tags: 1_500_000,
  depth: 64,
  attributes: 64,
  text: 5 * MEGABYTES,
  items: 20_000,
  list: 500,
  pages: 50,
} as const;
