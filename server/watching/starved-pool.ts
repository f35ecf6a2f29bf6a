import { SECONDS } from '../base/time';
import type { Log } from './log';

/** A busy pool rejects hundreds of statements per second. */
const PAUSE = SECONDS(10);

/**
 * Warns of statements that got no connection in time, at most once per pause. `statements`: their number since the last
 * warning.
 */
export function warnOfStarvation(log: Log, pool: string): () => void {
  let statements = 0;
  let warnedAt = Number.NEGATIVE_INFINITY;
  return () => {
    statements += 1;
    const now = performance.now();
    if (now - warnedAt < PAUSE) return;
    log.warn({ pool, statements }, 'no free database connection in time, requests are answered with 503');
    [statements, warnedAt] = [0, now];
  };
}
