import { SECONDS } from '../base/time';
import type { Log } from './log';

/** Clients retry, so otherwise every request to a full disk would write a line to it. */
const PAUSE = SECONDS(60);

type Place = { log: Log; ports: { storage: object } };
const warnedAt = new WeakMap<object, number>();

/** Warns at most once per minute of each storage. */
export function warnOfFullDisk({ log, ports: { storage } }: Place, err: unknown): void {
  const now = performance.now();
  if (now - (warnedAt.get(storage) ?? Number.NEGATIVE_INFINITY) < PAUSE) return;
  warnedAt.set(storage, now);
  log.warn({ err }, 'the disk is full, files are rejected');
}
