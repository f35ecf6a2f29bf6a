import { setTimeout as sleep } from 'node:timers/promises';
import { HOURS, SECONDS, wholeSeconds } from '../../base/time';
import { hostBusy } from './errors';

/** Feeds and files have separate queues, because files take long. */
export type Lane = 'feed' | 'file';

type Queue = { running: number; waiting: (() => void)[] };
type Host = Record<Lane, Queue> & { freeAt: number; busyUntil: number };
type Settings = { perHost: number; hostGapMs: number };

export type HostLimits = {
  /** Waits for a slot at this host, and returns its release. Throws `host_busy` while the host asks us to wait. */
  acquire(host: string, lane: Lane, signal: AbortSignal): Promise<() => void>;
  /** Sends nothing to the host for this time, after a 429 or a 503 with Retry-After. */
  pauseHost(host: string, forMs: number): void;
  hosts(): number;
};

const MAX_PAUSE = HOURS(24);
/** One answer of a shared host must not stop all imports from it for longer. */
const LONGEST_PAUSE = HOURS(1);

/** Limits the concurrent requests to a host, and pauses between them, so we never look like an attack. */
export function hostLimits({ perHost, hostGapMs }: Settings): HostLimits {
  const hosts = new Map<string, Host>();
  return {
    async acquire(name, lane, signal) {
      forgetIdleHosts(hosts);
      const host = hostOf(hosts, name);
      assertNotPaused(host, name);
      const queue = host[lane];
      if (queue.running >= perHost) await waitForSlot(queue, signal);
      else queue.running += 1;
      try {
        await waitForGap(host, hostGapMs, signal);
        assertNotPaused(host, name);
      } catch (error) {
        releaseSlot(queue);
        throw error;
      }
      return () => releaseSlot(queue);
    },
    pauseHost(name, forMs) {
      hostOf(hosts, name).busyUntil = Date.now() + Math.min(forMs, LONGEST_PAUSE);
    },
    hosts() {
      forgetIdleHosts(hosts);
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

/** Forgets hosts without requests whose pauses are over. */
function forgetIdleHosts(hosts: Map<string, Host>): void {
  const now = Date.now();
  for (const [name, { feed, file, busyUntil, freeAt }] of hosts)
    if (feed.running === 0 && file.running === 0 && Math.max(busyUntil, freeAt) <= now) hosts.delete(name);
}

function assertNotPaused({ busyUntil }: Host, host: string): void {
  const waitMs = busyUntil - Date.now();
  if (waitMs > 0) throw hostBusy({ host, seconds: wholeSeconds(waitMs) });
}

async function waitForGap(host: Host, gapMs: number, signal: AbortSignal): Promise<void> {
  const start = Math.max(Date.now(), host.freeAt);
  host.freeAt = start + gapMs;
  if (start > Date.now()) await sleep(start - Date.now(), undefined, { signal });
}

/** Passes the slot directly to the next waiting request, so that no other request can take it in between. */
function releaseSlot(queue: Queue): void {
  const next = queue.waiting.shift();
  if (next) next();
  else queue.running -= 1;
}

function waitForSlot(queue: Queue, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      queue.waiting = queue.waiting.filter((waiting) => waiting !== start);
      reject(signal.reason);
    };
    const start = () => {
      signal.removeEventListener('abort', stop);
      resolve();
    };
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    queue.waiting.push(start);
  });
}

/** Parses Retry-After (seconds or a date) to milliseconds, at most a day; null if invalid. */
export function parseRetryAfter(value: string | null, now: number): number | null {
  if (!value) return null;
  if (/^\d{1,7}$/.test(value.trim())) return Math.min(SECONDS(Number(value)), MAX_PAUSE);
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.min(Math.max(0, at - now), MAX_PAUSE);
}
