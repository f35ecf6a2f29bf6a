import { count, id, job, LONG, SCHEDULED } from '../job';

/**
 * Writes the lengths of what listeners of a show get now (insertions/served-lengths.ts), for episodes with ids above
 * `after`. Enqueue it when campaigns, points, passages or clips of a show change.
 */
export const refreshServed = job('insertions.refresh-served', { productId: id, after: count }, LONG);
/** Enqueues it for the shows in whose time zone another day has begun. */
export const refreshDue = job('insertions.refresh-due', {}, SCHEDULED);
