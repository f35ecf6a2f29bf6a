import { isUtf8 } from 'node:buffer';
import { setMaxListeners } from 'node:events';
import type { Readable } from 'node:stream';
import { MINUTES, wholeSeconds } from '../../base/time';
import { parsePublicUrl } from './addresses';
import { type Headers, type HttpResponse, sendRequest } from './connection';
import { addressInvalid, hostBusy, redirected, responseInvalid, timedOut, tooManyRedirects } from './errors';
import { type HostLimits, hostLimits, type Lane, parseRetryAfter } from './host-limits';
import type { FetcherLimits, FetcherSettings } from './port';
import { translateError } from './translate-error';

/** With a body, the request is a POST. */
export type GetRequest = {
  url: string;
  headers: Record<string, string>;
  body?: string;
  maxBytes: number;
  /** `message`: follows no redirects, and has no limits of its host, whose pauses are the caller's business. */
  lane: Lane | 'message';
  stopsAt?(url: string): boolean;
  /** Default: GET. */
  method?: 'HEAD' | 'GET';
  /** Instead of `wholeMs` of the limits. */
  answerMs?: number;
  /** Ends the request with the reason of the signal. */
  signal?: AbortSignal;
};

export type OpenResponse = {
  url: string;
  host: string;
  movedTo: string | null;
  status: number;
  headers: Map<string, string>;
  body: Readable;
  hasSurplus(): boolean;
  /** Aborts, with the reason, if a time or size limit is exceeded. */
  signal: AbortSignal;
  /** Frees the slot at the host, the timers and the connection. */
  done(): void;
};

export type Requester = {
  get(request: GetRequest): Promise<OpenResponse>;
  /** Aborts when the fetcher is closed. */
  closed: AbortSignal;
  close(): void;
};

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const PERMANENT = new Set([301, 308]);
/** The pause after a 429 without Retry-After. */
const DEFAULT_PAUSE = MINUTES(1);

/**
 * Sends requests: checks every address, pins connections to it, follows redirects itself, and limits every wait.
 */
export function requester(settings: FetcherSettings, limits: FetcherLimits): Requester {
  const hosts = hostLimits(limits);
  const userAgent = `Altavoz (podcast hosting; +${settings.contact})`;
  const closing = new AbortController();
  // one listener per running request
  setMaxListeners(0, closing.signal);
  return {
    async get({ headers, ...request }) {
      closing.signal.throwIfAborted();
      request.signal?.throwIfAborted();
      const stop = new AbortController();
      const close = () => stop.abort(closing.signal.reason);
      closing.signal.addEventListener('abort', close);
      const { signal, answerMs = limits.wholeMs } = request;
      const cancel = () => stop.abort(signal?.reason);
      signal?.addEventListener('abort', cancel);
      const clock = countdown(answerMs, (host) => stop.abort(timedOut({ host })));
      const finish = () => {
        clock.pause();
        closing.signal.removeEventListener('abort', close);
        signal?.removeEventListener('abort', cancel);
      };
      const allHeaders = { 'user-agent': userAgent, ...headers };
      try {
        return await followRedirects({ ...request, headers: allHeaders, settings, limits, hosts, stop, clock, finish });
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
type FetchState = GetRequest & {
  settings: FetcherSettings;
  limits: FetcherLimits;
  hosts: HostLimits;
  stop: AbortController;
  clock: Clock;
  finish(): void;
};

/** A timer that runs only during requests: waiting for a slot is not the host's fault. */
function countdown(ms: number, expire: (host: string) => void): Clock {
  let [remaining, startedAt, timer]: [number, number, NodeJS.Timeout | undefined] = [ms, 0, undefined];
  return {
    run(host) {
      startedAt = Date.now();
      timer = setTimeout(() => expire(host), remaining);
    },
    pause() {
      if (timer) remaining -= Date.now() - startedAt;
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

/**
 * Follows redirects and checks each address like the first. Only messages, which follow none, may have credentials, so
 * that none can leak.
 */
async function followRedirects(state: FetchState): Promise<OpenResponse> {
  const { settings, limits } = state;
  let url = parsePublicUrl(state.url, settings);
  let moved: Move = { to: null, permanent: true };
  for (let hops = 0; ; hops++) {
    const response = await requestOnce(url, state);
    try {
      const follows = REDIRECTS.has(response.status) && state.body === undefined && state.lane !== 'message';
      const location = follows ? locationOf(response, url) : null;
      if (location === null) return openResponse(response, state, { url, movedTo: moved.to });
      if (hops >= limits.redirects) throw tooManyRedirects({ host: url.hostname });
      const next = parsePublicUrl(location, settings);
      moved = followMove(moved, { status: response.status, from: url, to: next });
      if (state.stopsAt?.(next.href))
        throw redirected({ host: url.hostname, url: next.href, isPermanent: Number(moved.permanent) });
      url = next;
    } catch (error) {
      response.end();
      throw error;
    }
    response.end();
    state.clock.pause();
  }
}

/** Sends one request when a slot at the host is free. The end of the response frees the slot. */
async function requestOnce(url: URL, state: FetchState): Promise<HttpResponse> {
  const { hosts, lane, stop, clock } = state;
  try {
    const release = lane === 'message' ? () => {} : await hosts.acquire(url.host, lane, stop.signal);
    clock.run(url.hostname);
    const response = await sendRequest(url, state).catch((error) => {
      release();
      throw error;
    });
    return { ...response, end: runOnce(response.end, release) };
  } catch (error) {
    throw translateError(error, url.hostname, stop.signal);
  }
}

function runOnce(...steps: (() => void)[]): () => void {
  return () => {
    for (let step = steps.shift(); step; step = steps.shift()) step();
  };
}

function openResponse(
  response: HttpResponse,
  state: FetchState,
  found: { url: URL; movedTo: string | null },
): OpenResponse {
  const { url, movedTo } = found;
  const host = url.hostname;
  const pauseMs = state.lane === 'message' ? null : requestedPause(response);
  if (pauseMs !== null) {
    state.hosts.pauseHost(url.host, pauseMs);
    throw hostBusy({ host, seconds: wholeSeconds(pauseMs) });
  }
  // a file may take longer, as long as it keeps the minimum rate
  if (state.lane === 'file') state.clock.pause();
  const { end, headers, ...rest } = response;
  const done = runOnce(end, state.finish);
  return { ...rest, url: url.href, host, movedTo, headers: joinHeaders(headers), signal: state.stop.signal, done };
}

/** How long the host asks us to wait; null if it does not. */
function requestedPause({ status, headers }: HttpResponse): number | null {
  if (status !== 429 && status !== 503) return null;
  const requested = parseRetryAfter([headers['retry-after'] ?? null].flat()[0] ?? null, Date.now());
  return requested ?? (status === 429 ? DEFAULT_PAUSE : null);
}

/** Removes credentials from the target of a redirect. Conflicting Location headers are rejected. */
function locationOf({ headers }: HttpResponse, from: URL): string | null {
  const [location, ...others] = [headers.location ?? []].flat();
  if (location === undefined) return null;
  if (others.some((other) => other !== location)) throw responseInvalid({ host: from.hostname });
  const address = decodeHeader(location);
  if (!URL.canParse(address, from)) throw addressInvalid();
  const url = new URL(address, from);
  url.username = '';
  url.password = '';
  return url.href;
}

/** Node decodes headers as ISO-8859-1; valid UTF-8 in them is read as such, as browsers do. */
function decodeHeader(header: string): string {
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : header;
}

type Move = { to: string | null; permanent: boolean };

/**
 * A move is permanent while every step is, and no step leaves https for http, where anyone on the path can redirect.
 */
export function followMove(moved: Move, step: { status: number; from: URL; to: URL }): Move {
  const isSafe = step.from.protocol === 'http:' || step.to.protocol === 'https:';
  const permanent = moved.permanent && isSafe && PERMANENT.has(step.status);
  return { permanent, to: permanent ? step.to.href : moved.to };
}

/** Joins repeated fields to one list (RFC 9110 §5.3). */
function joinHeaders(headers: Headers): Map<string, string> {
  return new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value ?? []].flat().join(', ')]));
}
