import { z } from 'zod';
import { id, job, LONG, SCHEDULED } from '../job';

/** One step of an import of subscribers (moving/subscriber-imports/run-import.ts), which enqueues the next one. */
export const importSubscribers = job(
  'moving.import-subscribers',
  { importId: id, step: z.number().int().nonnegative() },
  { ...LONG, retryDelay: 5, workers: 2 },
);
/** One step of moving subscribers to a creator's own account (move-subscriptions.ts); enqueues the next one. */
export const moveSubscribers = job(
  'moving.move-subscribers',
  { moveId: id, step: z.number().int().nonnegative() },
  { ...LONG, retryDelay: 5, workers: 2 },
);
/** Continues imports of subscribers whose job was lost, and deletes old lists. */
export const recoverMoves = job('moving.recover', {}, SCHEDULED);
