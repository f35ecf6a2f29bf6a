/** If the position does not change for this long during playback, the connection is considered lost. */
export const STALLED_AFTER_MS = 3000;
/** If it stays lost for this long without an error, the source is loaded again. */
export const RELOADS_AFTER_MS = 12_000;

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

/** The server refuses the file, for example because access has ended: a retry would not help. */
export const isFinal = (status: number): boolean =>
  status >= 400 && status < 500 && ![408, 416, 425, 429].includes(status);

export type Progress = { position: number; sinceMs: number };

/** Compares the position with the last check; `stalledMs` is 0 unless it has not changed for three seconds. */
export function checkProgress(
  last: Progress | null,
  position: number,
  nowMs: number,
): Progress & { stalledMs: number } {
  if (!last || last.position !== position) return { position, sinceMs: nowMs, stalledMs: 0 };
  const stalledMs = nowMs - last.sinceMs;
  return { ...last, stalledMs: stalledMs >= STALLED_AFTER_MS ? stalledMs : 0 };
}
