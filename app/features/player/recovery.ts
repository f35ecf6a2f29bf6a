/** If the position does not change for this long during playback, the connection is considered lost. */
export const STALLED_AFTER_MS = 3000;

const RETRY_DELAYS_MS = [1000, 2000, 4000, 8000, 15_000];
const LAST_RETRY_DELAY_MS = 30_000;
const MAX_TRIES_BEFORE_PLAYING = 4;

/**
 * The delay before the next retry after a media error; null gives up.
 * A lost connection is retried indefinitely; a file that has never played is retried four times.
 */
export function retryDelay(attempt: number, hasPlayed: boolean): number | null {
  if (!hasPlayed && attempt >= MAX_TRIES_BEFORE_PLAYING) return null;
  return RETRY_DELAYS_MS[attempt] ?? LAST_RETRY_DELAY_MS;
}

export type Progress = { position: number; sinceMs: number };

/** Compares the position with the last check; `stalled` if it has not changed for three seconds. */
export function checkProgress(last: Progress | null, position: number, nowMs: number): Progress & { stalled: boolean } {
  if (!last || last.position !== position) return { position, sinceMs: nowMs, stalled: false };
  return { ...last, stalled: nowMs - last.sinceMs >= STALLED_AFTER_MS };
}
