import closeWithGrace from 'close-with-grace';
import { SECONDS } from '../base/time';
import type { Env } from '../env/read';
import type { Log } from '../watching/log';
import type { CloseOptions } from './open-runtime';

/** Longer than the grace periods of requests and jobs together. */
const TIMEOUT = SECONDS(45);

export type Close = (options?: CloseOptions) => Promise<unknown>;
export type Stopping = {
  /** Aborted by a signal and by an unhandled error, both of which end the process. */
  signal: AbortSignal;
  /** The open parts: the last one closes first. */
  parts: Close[];
  closeAll(options?: CloseOptions): Promise<void>;
};

/** Closes the open parts when a signal arrives, from the first moment of the process. */
export function stopOnSignal({ stopGrace }: Env, log: Log): Stopping {
  const stopping = new AbortController();
  const parts: Close[] = [];
  // a signal can arrive while a failed start is cleaned up: close each part once
  const closeAll = async (options?: CloseOptions) => {
    for (let close = parts.pop(); close; close = parts.pop()) await close(options);
  };
  const grace = { delay: TIMEOUT + stopGrace, logger: false as const, skip: ['uncaughtException' as const] };
  closeWithGrace(grace, async ({ err, signal }) => {
    stopping.abort();
    if (err) log.error({ err }, 'stopping after an unhandled error');
    else log.info({ signal }, 'stopping');
    // the supervisor restarts this process after an error (docs/decisions/0086)
    await closeAll({ afterError: err !== undefined });
  });
  return { signal: stopping.signal, parts, closeAll };
}
