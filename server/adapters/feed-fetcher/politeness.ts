import { setTimeout as sleep } from 'node:timers/promises';
import { FetchRefused } from './port';

type Host = { running: number; waiting: (() => void)[]; freeAt: number; busyUntil: number };

export type Politeness = {
  /** Waits for a turn at this host; the answer gives it back. Throws `busy` while the host asked us to stay away. */
  turn(host: string, url: string, signal: AbortSignal): Promise<() => void>;
  /** The host answered 429 or 503 with Retry-After. */
  avoid(host: string, forMs: number): void;
  hosts(): number;
};

const LONGEST_AVOIDANCE = 24 * 60 * 60 * 1000;

/** At most so many requests at once to a host, and a pause between two of them, so that we never look like an attack. */
export function politeness({ perHost, hostGapMs }: { perHost: number; hostGapMs: number }): Politeness {
  const hosts = new Map<string, Host>();

  function hostOf(name: string): Host {
    const known = hosts.get(name) ?? { running: 0, waiting: [], freeAt: 0, busyUntil: 0 };
    hosts.set(name, known);
    return known;
  }

  /** A slot goes straight to who waits, so that nobody takes it in between and the host stays counted. */
  function release(name: string, host: Host) {
    const next = host.waiting.shift();
    if (next) return next();
    host.running -= 1;
    if (isIdle(host)) hosts.delete(name);
  }

  /** Those that were kept for their pause, or stayed away from, and never asked again. */
  function sweep() {
    for (const [name, host] of hosts) if (isIdle(host)) hosts.delete(name);
  }

  return {
    async turn(name, url, signal) {
      sweep();
      const host = hostOf(name);
      const waitMs = host.busyUntil - Date.now();
      if (waitMs > 0) throw new FetchRefused('busy', url, { retryAfterMs: waitMs });
      if (host.running >= perHost) await aTurn(host, signal);
      else host.running += 1;
      const start = Math.max(Date.now(), host.freeAt);
      host.freeAt = start + hostGapMs;
      try {
        if (start > Date.now()) await sleep(start - Date.now(), undefined, { signal });
      } catch (error) {
        release(name, host);
        throw error;
      }
      return () => release(name, host);
    },
    avoid(name, forMs) {
      hostOf(name).busyUntil = Date.now() + Math.min(forMs, LONGEST_AVOIDANCE);
    },
    hosts: () => hosts.size,
  };
}

function isIdle({ running, waiting, busyUntil, freeAt }: Host): boolean {
  return running === 0 && waiting.length === 0 && Math.max(busyUntil, freeAt) <= Date.now();
}

function aTurn(host: Host, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      host.waiting = host.waiting.filter((one) => one !== go);
      reject(signal.reason);
    };
    const go = () => {
      signal.removeEventListener('abort', stop);
      resolve();
    };
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    host.waiting.push(go);
  });
}

/** Seconds or a date, as Retry-After says it; null for neither. */
export function retryAfter(value: string | null, now: number): number | null {
  if (!value) return null;
  if (/^\d{1,7}$/.test(value.trim())) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
