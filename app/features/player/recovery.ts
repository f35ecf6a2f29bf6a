/** A position that stands still for so long while it should move means that the line is down. */
export const STALLED_AFTER_MS = 3000;

const WAITS_MS = [1000, 2000, 4000, 8000, 15_000];
const KEEPS_TRYING_MS = 30_000;
const TRIES_WITHOUT_SOUND = 4;

/**
 * When to try again after a media error; null gives up.
 * A line that broke is waited for as long as it takes; a file that never made a sound is tried a few times only.
 */
export function nextTry(attempt: number, hasSounded: boolean): number | null {
  if (!hasSounded && attempt >= TRIES_WITHOUT_SOUND) return null;
  return WAITS_MS[attempt] ?? KEEPS_TRYING_MS;
}

export type Watch = { position: number; sinceMs: number };

/** Follows the position; `stalled` once it has not moved for a while. */
export function watch(last: Watch | null, position: number, nowMs: number): Watch & { stalled: boolean } {
  if (!last || last.position !== position) return { position, sinceMs: nowMs, stalled: false };
  return { ...last, stalled: nowMs - last.sinceMs >= STALLED_AFTER_MS };
}
