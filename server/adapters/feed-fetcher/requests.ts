import { isUtf8 } from 'node:buffer';
import { setMaxListeners } from 'node:events';
import type { Readable } from 'node:stream';
import { MINUTES, wholeSeconds } from '../../time';
import { checkedUrl } from './addresses';
import { ask, type Headers, type Hop } from './connection';
import { addressInvalid, answerInvalid, hostBusy, timedOut, tooManyRedirects } from './errors';
import { type Lane, type Politeness, politeness, retryAfter } from './host-limits';
import type { FetcherLimits, FetcherSettings } from './port';
import { refusal } from './translate-error';

export type Asked = { url: string; headers: Record<string, string>; maxBytes: number; lane: Lane };

export type Answer = {
  url: string;
  host: string;
  movedTo: string | null;
  status: number;
  headers: Map<string, string>;
  body: Readable;
  hasSurplus(): boolean;
  /** Aborted, with the reason, where time or bounds ran out. */
  signal: AbortSignal;
  /** Ends everything that belongs to it: the turn at the host, the timers and the connection. */
  done(): void;
};

export type Requester = {
  get(asked: Asked): Promise<Answer>;
  /** Aborted once the fetcher is closed. */
  closed: AbortSignal;
  close(): void;
};

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const PERMANENT = new Set([301, 308]);
/** Without Retry-After. */
const USUAL_WAIT = MINUTES(1);

/** One GET at a time: addresses checked, connections pinned, redirects followed by hand, every wait bounded. */
export function requester(settings: FetcherSettings, limits: FetcherLimits): Requester {
  const polite = politeness(limits);
  const userAgent = `Altavoz (podcast hosting; +${settings.contact})`;
  const closing = new AbortController();
  // as many as are under way
  setMaxListeners(0, closing.signal);
  return {
    async get({ headers, ...asked }) {
      closing.signal.throwIfAborted();
      const stop = new AbortController();
      const close = () => stop.abort(closing.signal.reason);
      closing.signal.addEventListener('abort', close);
      const clock = countdown(limits.wholeMs, (host) => stop.abort(timedOut({ host })));
      const finish = () => {
        clock.pause();
        closing.signal.removeEventListener('abort', close);
      };
      const all = { 'user-agent': userAgent, ...headers };
      try {
        return await follow({ ...asked, headers: all, settings, limits, polite, stop, clock, finish });
      } catch (error) {
        finish();
        throw error;
      }
    },
    closed: closing.signal,
    close: () => closing.abort(new Error('the fetcher was closed')),
  };
}

type Clock = { run(host: string): void; pause(): void };
type Journey = Asked & {
  settings: FetcherSettings;
  limits: FetcherLimits;
  polite: Politeness;
  stop: AbortController;
  clock: Clock;
  finish(): void;
};

/** Time that runs only while something is asked for: waiting for a turn is no fault of the host's. */
function countdown(ms: number, expire: (host: string) => void): Clock {
  let [left, began, timer]: [number, number, NodeJS.Timeout | undefined] = [ms, 0, undefined];
  return {
    run(host) {
      began = Date.now();
      timer = setTimeout(() => expire(host), left);
    },
    pause() {
      if (timer) left -= Date.now() - began;
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

/** From redirect to redirect; each is checked like the first. We send no credentials, so there are none to drop. */
async function follow(journey: Journey): Promise<Answer> {
  const { settings, limits } = journey;
  let url = checkedUrl(journey.url, settings);
  let moved: Moved = { to: null, permanent: true };
  for (let hops = 0; ; hops++) {
    const hop = await visit(url, journey);
    try {
      const location = REDIRECTS.has(hop.status) ? locationOf(hop, url) : null;
      if (location === null) return answerOf(hop, journey, { url, movedTo: moved.to });
      if (hops >= limits.redirects) throw tooManyRedirects({ host: url.hostname });
      const next = checkedUrl(location, settings);
      moved = movedOn(moved, { status: hop.status, from: url, to: next });
      url = next;
    } catch (error) {
      hop.end();
      throw error;
    }
    hop.end();
    journey.clock.pause();
  }
}

/** One hop, once it is our turn at the host; its end gives the turn back. */
async function visit(url: URL, journey: Journey): Promise<Hop> {
  const { polite, lane, stop, clock } = journey;
  try {
    const release = await polite.turn(url.host, lane, stop.signal);
    clock.run(url.hostname);
    const hop = await ask(url, journey).catch((error) => {
      release();
      throw error;
    });
    return { ...hop, end: once(hop.end, release) };
  } catch (error) {
    throw refusal(error, url.hostname, stop.signal);
  }
}

function once(...steps: (() => void)[]): () => void {
  return () => {
    for (let step = steps.shift(); step; step = steps.shift()) step();
  };
}

function answerOf(hop: Hop, journey: Journey, found: { url: URL; movedTo: string | null }): Answer {
  const { url, movedTo } = found;
  const host = url.hostname;
  const waitMs = wishedPause(hop);
  if (waitMs !== null) {
    journey.polite.avoid(url.host, waitMs);
    throw hostBusy({ host, seconds: wholeSeconds(waitMs) });
  }
  // the body of a file may take as long as its pace is kept
  if (journey.lane === 'file') journey.clock.pause();
  const { end, headers, ...answered } = hop;
  const done = once(end, journey.finish);
  return { ...answered, url: url.href, host, movedTo, headers: flat(headers), signal: journey.stop.signal, done };
}

/** How long a host asks to be left alone, if it does. */
function wishedPause({ status, headers }: Hop): number | null {
  if (status !== 429 && status !== 503) return null;
  const wish = retryAfter([headers['retry-after'] ?? null].flat()[0] ?? null, Date.now());
  return wish ?? (status === 429 ? USUAL_WAIT : null);
}

/** Credentials in the address of a redirect are dropped, not sent. Two that differ are nobody's word. */
function locationOf({ headers }: Hop, from: URL): string | null {
  const [location, ...others] = [headers.location ?? []].flat();
  if (location === undefined) return null;
  if (others.some((other) => other !== location)) throw answerInvalid({ host: from.hostname });
  const address = asWritten(location);
  if (!URL.canParse(address, from)) throw addressInvalid();
  const url = new URL(address, from);
  url.username = '';
  url.password = '';
  return url.href;
}

/** Headers are read as ISO-8859-1; letters of other scripts in them are meant as UTF-8, as browsers take them. */
function asWritten(header: string): string {
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : header;
}

type Moved = { to: string | null; permanent: boolean };

/** A move is believed for good while every step says so and none leaves https for what anybody on the way can write. */
export function movedOn(moved: Moved, step: { status: number; from: URL; to: URL }): Moved {
  const isSafe = step.from.protocol === 'http:' || step.to.protocol === 'https:';
  const permanent = moved.permanent && isSafe && PERMANENT.has(step.status);
  return { permanent, to: permanent ? step.to.href : moved.to };
}

/** Fields that came several times as one list (RFC 9110 §5.3). */
function flat(headers: Headers): Map<string, string> {
  return new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value ?? []].flat().join(', ')]));
}
