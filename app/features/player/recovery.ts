/** A position that stands still for so long while it should move means that the line is down. */
export const STALLED_AFTER_MS = 3000;

const RETRY_DELAYS_MS = [1000, 2000, 4000, 8000, 15_000];
const LAST_RETRY_DELAY_MS = 30_000;
const MAX_TRIES_BEFORE_PLAYING = 4;

/**
 * When to try again after a media error; null gives up.
 * A line that broke is waited for as long as it takes; a file that never made a sound is tried a few times only.
 */
export function retryDelay(attempt: number, hasPlayed: boolean): number | null {
  if (!hasPlayed && attempt >= MAX_TRIES_BEFORE_PLAYING) return null;
  return RETRY_DELAYS_MS[attempt] ?? LAST_RETRY_DELAY_MS;
}

export type Progress = { position: number; sinceMs: number };

/** Follows the position; `stalled` once it has not moved for a while. */
export function checkProgress(last: Progress | null, position: number, nowMs: number): Progress & { stalled: boolean } {
  if (!last || last.position !== position) return { position, sinceMs: nowMs, stalled: false };
  return { ...last, stalled: nowMs - last.sinceMs >= STALLED_AFTER_MS };
}
