import type { Readable } from 'node:stream';
import { Agent, type Dispatcher, errors } from 'undici';
import { checkedUrl, guardedLookup } from './addresses';
import { politeness, retryAfter } from './politeness';
import { type FetcherLimits, type FetcherSettings, FetchRefused } from './port';

export type Answer = {
  url: string;
  movedTo: string | null;
  status: number;
  headers: Map<string, string>;
  body: Readable;
  /** Ends everything that belongs to it: the turn at the host, the timers and, if it is still open, the connection. */
  done(): void;
};

export type Requester = {
  get(url: string, headers: Record<string, string>, wholeMs?: number): Promise<Answer>;
  close(): Promise<void>;
};

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const PERMANENT = new Set([301, 308]);

/** One GET at a time: addresses checked, connections pinned, redirects followed by hand, every wait bounded. */
export function requester(settings: FetcherSettings, limits: FetcherLimits): Requester {
  const agent = new Agent({
    connect: { timeout: limits.connectMs, lookup: guardedLookup(settings) },
    headersTimeout: limits.headersMs,
    bodyTimeout: limits.idleMs,
    maxHeaderSize: limits.headerBytes,
    connections: limits.perHost,
    keepAliveTimeout: 1000,
    keepAliveMaxTimeout: 5000,
    pipelining: 1,
  });
  const polite = politeness(limits);
  const userAgent = `Altavoz/${settings.version} (podcast hosting; +${settings.contact})`;

  async function once(url: URL, headers: Record<string, string>, signal: AbortSignal): Promise<Hop> {
    const release = await polite.turn(url.host, url.href, signal);
    const waiting = new AbortController();
    const timer = setTimeout(
      () => waiting.abort(new FetchRefused('timed_out', url.href)),
      limits.connectMs + limits.headersMs,
    );
    try {
      const answer = await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'GET',
        headers: { 'user-agent': userAgent, ...headers },
        signal: AbortSignal.any([signal, waiting.signal]),
      });
      answer.body.on('error', () => {});
      const wait = [429, 503].includes(answer.statusCode)
        ? retryAfter(one(answer.headers['retry-after']), Date.now())
        : null;
      if (wait !== null) polite.avoid(url.host, wait);
      return { answer, release, wait };
    } catch (error) {
      release();
      throw refusal(error, url.href, signal);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    async get(start, headers, wholeMs = limits.wholeMs) {
      const whole = new AbortController();
      const timer = setTimeout(() => whole.abort(new FetchRefused('timed_out', start)), wholeMs);
      try {
        return await follow(start, headers, { once, settings, limits, whole, timer });
      } catch (error) {
        clearTimeout(timer);
        throw refusal(error, start, whole.signal);
      }
    },
    close: () => agent.destroy(),
  };
}

type Hop = { answer: Dispatcher.ResponseData; release: () => void; wait: number | null };
type Journey = {
  once(url: URL, headers: Record<string, string>, signal: AbortSignal): Promise<Hop>;
  settings: FetcherSettings;
  limits: FetcherLimits;
  whole: AbortController;
  timer: NodeJS.Timeout;
};

/** From redirect to redirect; each is checked like the first. We send no credentials, so there are none to drop. */
async function follow(start: string, headers: Record<string, string>, journey: Journey): Promise<Answer> {
  const { once, settings, limits, whole, timer } = journey;
  let url = checkedUrl(start, settings);
  let movedTo: string | null = null;
  let permanent = true;
  for (let hops = 0; ; hops++) {
    const { answer, release, wait } = await once(url, headers, whole.signal);
    const location = one(answer.headers.location);
    if (!REDIRECTS.has(answer.statusCode) || location === null) {
      if (wait !== null) {
        discard(answer, release);
        throw new FetchRefused('busy', url.href, { status: answer.statusCode, retryAfterMs: wait });
      }
      const done = ending(answer, release, timer);
      return {
        url: url.href,
        movedTo,
        status: answer.statusCode,
        headers: flat(answer.headers),
        body: answer.body,
        done,
      };
    }
    discard(answer, release);
    if (hops >= limits.redirects) throw new FetchRefused('too_many_redirects', start);
    url = checkedUrl(target(location, url), settings);
    permanent &&= PERMANENT.has(answer.statusCode);
    movedTo = permanent ? url.href : movedTo;
  }
}

/** Credentials in the address of a redirect are dropped, not sent. */
function target(location: string, from: URL): string {
  if (!URL.canParse(location, from)) throw new FetchRefused('address_invalid', from.href);
  const url = new URL(location, from);
  url.username = '';
  url.password = '';
  return url.href;
}

function discard(answer: Dispatcher.ResponseData, release: () => void) {
  answer.body.destroy();
  release();
}

function ending(answer: Dispatcher.ResponseData, release: () => void, timer: NodeJS.Timeout): () => void {
  let ended = false;
  return () => {
    if (ended) return;
    ended = true;
    clearTimeout(timer);
    answer.body.destroy();
    release();
  };
}

function flat(headers: Dispatcher.ResponseData['headers']): Map<string, string> {
  return new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), one(value) ?? '']));
}

function one(value: string | string[] | undefined): string | null {
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

/** What went wrong, in our words. */
export function refusal(error: unknown, url: string, signal?: AbortSignal): Error {
  if (signal?.aborted && signal.reason instanceof FetchRefused) return signal.reason;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof FetchRefused) return cause;
    if (cause instanceof AggregateError && cause.errors[0] instanceof FetchRefused) return cause.errors[0];
  }
  if (error instanceof errors.HeadersOverflowError) return new FetchRefused('headers_too_large', url);
  if (error instanceof errors.ConnectTimeoutError || error instanceof errors.HeadersTimeoutError)
    return new FetchRefused('timed_out', url);
  if (error instanceof errors.BodyTimeoutError) return new FetchRefused('timed_out', url);
  if (error instanceof errors.ResponseContentLengthMismatchError) return new FetchRefused('body_cut', url);
  if (error instanceof errors.HTTPParserError) return new FetchRefused('answer_invalid', url);
  const code = (error as NodeJS.ErrnoException)?.code ?? '';
  if (/^Z_|^ERR_.*(?:BROTLI|ZLIB)|^ERR__ERROR/.test(code)) return new FetchRefused('answer_invalid', url);
  // an error without a code is a fault of our own, and must not look like one of theirs
  if (!code) return error as Error;
  return new FetchRefused('connection_failed', url);
}
