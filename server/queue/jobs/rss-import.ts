import { z } from 'zod';
import { HEAVY, id, job, LONG, SCHEDULED } from '../job';

/** One step of the import of a feed (rss-import/import-feed.ts), which enqueues the next one. */
export const runImport = job(
  'rss-import.run',
  { importId: id, step: z.number().int().nonnegative() },
  {
    ...LONG,
    retryDelay: 5,
    workers: 4,
  },
);
/** Fetches an imported show's feed from its former host (poll-old-feed.ts), and enqueues the next poll. */
export const pollOldFeed = job(
  'rss-import.poll',
  { productId: id, step: z.number().int().nonnegative() },
  { ...HEAVY, expires: 900, workers: 4 },
);
/** Ends unconfirmed imports, and continues imports whose job was lost. */
export const recoverImports = job('rss-import.recover', {}, SCHEDULED);
/** Deletes old imports of feeds. */
export const sweepImports = job('rss-import.sweep', {}, SCHEDULED);
/** Deletes previews of shows that visitors have looked at. */
export const sweepShowPreviews = job('rss-import.sweep-previews', {}, SCHEDULED);
