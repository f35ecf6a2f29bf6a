import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { buildConnector, Client, errors } from 'undici';
import { bareHost } from './addresses';
import { guardedLookup } from './dns';
import { answerInvalid, bodyTooLarge, headersTooLarge, timedOut } from './errors';
import type { FetcherLimits, FetcherSettings } from './port';

export type Headers = Record<string, string | string[] | undefined>;
export type Hop = {
  status: number;
  headers: Headers;
  body: Readable;
  /** Whether more came than the answer's length or last chunk allows; known once the body has ended. */
  hasSurplus(): boolean;
  end(): void;
};

export type Asking = {
  headers: Record<string, string>;
  maxBytes: number;
  settings: FetcherSettings;
  limits: FetcherLimits;
  /** Ends the hop from outside, and by it a hop that runs out of time or bounds ends all it belongs to. */
  stop: AbortController;
};

const WATCH_MS = 250;
/** What the framing of a body may cost: a server may send many small chunks, but not chunk extensions without end. */
const FRAMING = 2;

/** One GET on a connection of its own, which nothing else ever uses and which ends with it. */
export async function ask(url: URL, asking: Asking): Promise<Hop> {
  const { headers, stop } = asking;
  const line = open(url, asking);
  try {
    const {
      statusCode,
      headers: said,
      body,
    } = await line.client.request({
      path: url.pathname + url.search,
      method: 'GET',
      headers,
      signal: stop.signal,
    });
    // it may fail when nobody reads it any more
    body.on('error', () => {});
    line.answered();
    const end = () => {
      body.destroy();
      line.end();
    };
    return { status: statusCode, headers: said, body, hasSurplus: line.hasSurplus, end };
  } catch (error) {
    line.end();
    // no body has come yet: the headers contradict each other
    if (error instanceof errors.ResponseContentLengthMismatchError) throw answerInvalid({ host: bareHost(url) });
    throw error;
  }
}

function open(url: URL, { maxBytes, settings, limits, stop }: Asking) {
  const dialled: Dialled = { over: new AbortController() };
  const client = clientFor(url, { settings, limits }, dialled);
  const host = bareHost(url);
  const unanswered = setTimeout(() => stop.abort(timedOut({ host })), limits.connectMs + limits.headersMs);
  let [most, tooMuch] = [FRAMING * limits.headerBytes, headersTooLarge];
  // the parser counts neither what stands between chunks nor preliminary answers
  const watch = setInterval(() => {
    if ((dialled.socket?.bytesRead ?? 0) > most) stop.abort(tooMuch({ host }));
  }, WATCH_MS);
  const end = () => {
    stop.signal.removeEventListener('abort', end);
    clearTimeout(unanswered);
    clearInterval(watch);
    dialled.over.abort();
    void client.destroy();
    dialled.socket?.destroy();
  };
  stop.signal.addEventListener('abort', end);
  return {
    client,
    end,
    answered() {
      clearTimeout(unanswered);
      [most, tooMuch] = [FRAMING * (limits.headerBytes + maxBytes), bodyTooLarge];
    },
    // the parser's word for an answer that nobody asked for
    hasSurplus: () => dialled.socket?.errored?.message === 'bad response',
  };
}

/** `over` ends a lookup that nobody waits for any more. */
type Dialled = { socket?: Socket; over: AbortController };

function clientFor(url: URL, { settings, limits }: Pick<Asking, 'settings' | 'limits'>, dialled: Dialled): Client {
  const lookup = guardedLookup(settings, dialled.over.signal);
  const dial = buildConnector({ timeout: limits.connectMs, lookup, maxCachedSessions: 0 });
  return new Client(url.origin, {
    connect: (options, callback) => {
      // it hands over the socket at once, which its type does not say: one that never connects has to be closed too
      const socket: unknown = dial(options, callback);
      if (socket instanceof Socket) dialled.socket = socket;
    },
    headersTimeout: limits.headersMs,
    bodyTimeout: limits.idleMs,
    maxHeaderSize: limits.headerBytes,
  });
}
