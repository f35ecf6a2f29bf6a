import type { Log } from './log';
import { SECONDS } from './time';

/** Clients try again, so every request to a full disk would otherwise write a line to it. */
const PAUSE = SECONDS(60);

let warnedAt = Number.NEGATIVE_INFINITY;

/** Warns at most once per minute in this process. */
export function warnOfFullDisk(log: Log, err: unknown): void {
  const now = performance.now();
  if (now - warnedAt < PAUSE) return;
  warnedAt = now;
  log.warn({ err }, 'the disk is full, files are rejected');
}
