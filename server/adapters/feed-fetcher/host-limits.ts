import { setTimeout as sleep } from 'node:timers/promises';
import { HOURS, SECONDS, wholeSeconds } from '../../time';
import { hostBusy } from './errors';

/** Feeds don't wait behind files, which take long. */
export type Lane = 'feed' | 'file';

type Queue = { running: number; waiting: (() => void)[] };
type Host = Record<Lane, Queue> & { freeAt: number; busyUntil: number };
type Bounds = { perHost: number; hostGapMs: number };

export type Politeness = {
  /** Waits for a turn at this host; the answer gives it back. Throws `host_busy` while the host wants no visit. */
  turn(host: string, lane: Lane, signal: AbortSignal): Promise<() => void>;
  /** The host answered 429 or 503 with Retry-After. */
  avoid(host: string, forMs: number): void;
  hosts(): number;
};

const LONGEST_AVOIDANCE = HOURS(24);

/** At most so many requests at once to a host, and a pause between two: we must never look like an attack. */
export function politeness({ perHost, hostGapMs }: Bounds): Politeness {
  const hosts = new Map<string, Host>();
  return {
    async turn(name, lane, signal) {
      sweep(hosts);
      const host = hostOf(hosts, name);
      assertWelcome(host, name);
      const queue = host[lane];
      if (queue.running >= perHost) await aSlot(queue, signal);
      else queue.running += 1;
      try {
        await pause(host, hostGapMs, signal);
        assertWelcome(host, name);
      } catch (error) {
        leave(queue);
        throw error;
      }
      return () => leave(queue);
    },
    avoid(name, forMs) {
      hostOf(hosts, name).busyUntil = Date.now() + forMs;
    },
    hosts() {
      sweep(hosts);
      return hosts.size;
    },
  };
}

function hostOf(hosts: Map<string, Host>, name: string): Host {
  const queue = () => ({ running: 0, waiting: [] });
  const host = hosts.get(name) ?? { feed: queue(), file: queue(), freeAt: 0, busyUntil: 0 };
  hosts.set(name, host);
  return host;
}

/** Forgets hosts that nobody asks, whose pause is over and who don't want to be left alone any more. */
function sweep(hosts: Map<string, Host>): void {
  const now = Date.now();
  for (const [name, { feed, file, busyUntil, freeAt }] of hosts)
    if (feed.running === 0 && file.running === 0 && Math.max(busyUntil, freeAt) <= now) hosts.delete(name);
}

function assertWelcome({ busyUntil }: Host, host: string): void {
  const waitMs = busyUntil - Date.now();
  if (waitMs > 0) throw hostBusy({ host, seconds: wholeSeconds(waitMs) });
}

async function pause(host: Host, gapMs: number, signal: AbortSignal): Promise<void> {
  const start = Math.max(Date.now(), host.freeAt);
  host.freeAt = start + gapMs;
  if (start > Date.now()) await sleep(start - Date.now(), undefined, { signal });
}

/** A slot goes straight to who waits, so that nobody takes it in between. */
function leave(queue: Queue): void {
  const next = queue.waiting.shift();
  if (next) next();
  else queue.running -= 1;
}

function aSlot(queue: Queue, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      queue.waiting = queue.waiting.filter((one) => one !== go);
      reject(signal.reason);
    };
    const go = () => {
      signal.removeEventListener('abort', stop);
      resolve();
    };
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    queue.waiting.push(go);
  });
}

/** Seconds or a date, as Retry-After says it, in milliseconds up to a day; null for neither. */
export function retryAfter(value: string | null, now: number): number | null {
  if (!value) return null;
  if (/^\d{1,7}$/.test(value.trim())) return Math.min(SECONDS(Number(value)), LONGEST_AVOIDANCE);
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.min(Math.max(0, at - now), LONGEST_AVOIDANCE);
}
