import { count, HEAVY, id, job, LONG, SCHEDULED } from '../job';

/**
 * Writes the lengths of what listeners of a show get now (insertions/served-lengths.ts), for episodes with ids above
 * `after`. Enqueue it when campaigns, points, passages or clips of a show change.
 */
export const refreshServed = job('insertions.refresh-served', { productId: id, after: count }, LONG);
/** Returns room in caps of campaigns that downloads have not used (insertions/release-reservations.ts). */
export const releaseReservations = job('insertions.release-reservations', {}, SCHEDULED);
/** Enqueues it for the shows in whose time zone another day has begun. */
export const refreshDue = job('insertions.refresh-due', {}, SCHEDULED);

/** Converts a clip for episodes of one encoding and loudness (insertions/convert-clip.ts). */
export const convertClip = job('insertions.convert-clip', { versionId: id }, { ...LONG, retryDelay: 5 });
/** Prepares an episode whose sound was measured for insertions: its points and clips (insertions/prepare-episode.ts). */
export const prepareEpisode = job('insertions.prepare-episode', { episodeId: id }, HEAVY);
/** Marks the points of a show's template in its episodes with ids above `after` (insertions/apply-template.ts). */
export const applyTemplate = job('insertions.apply-template', { productId: id, after: count }, HEAVY);
/** Enqueues conversions again that a lost job has left, and deletes the files of deleted clips. */
export const sweepClips = job('insertions.sweep-clips', {}, SCHEDULED);
/** Ends campaigns that the plan of their creator does not include any more (insertions/end-unplanned.ts). */
export const endUnplanned = job('insertions.end-unplanned', {}, SCHEDULED);
