import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { buildConnector, Client, errors } from 'undici';
import { bareHost } from './addresses';
import { guardedLookup } from './dns';
import { bodyTooLarge, headersTooLarge, responseInvalid, timedOut } from './errors';
import type { FetcherLimits, FetcherSettings } from './port';

export type Headers = Record<string, string | string[] | undefined>;
export type HttpResponse = {
  status: number;
  headers: Headers;
  body: Readable;
  /** Whether more bytes came than the length or the last chunk allows; known once the body has ended. */
  hasSurplus(): boolean;
  end(): void;
};

export type ConnectionOptions = {
  headers: Record<string, string>;
  body?: string;
  /** Default: GET, or POST with a body. */
  method?: 'HEAD' | 'GET';
  maxBytes: number;
  settings: FetcherSettings;
  limits: FetcherLimits;
  /** Ends the request, and with it the whole fetch if a time or size limit is exceeded. */
  stop: AbortController;
};

const CHECK_MS = 250;
/** Factor by which framing may enlarge a body: many small chunks are allowed, endless chunk extensions are not. */
const FRAMING_FACTOR = 2;

/** Sends one request on a new connection, which closes with the response. */
export async function sendRequest(url: URL, options: ConnectionOptions): Promise<HttpResponse> {
  const { headers, body: form, method = form === undefined ? 'GET' : 'POST', stop } = options;
  const connection = openConnection(url, options);
  try {
    const {
      statusCode,
      headers: responseHeaders,
      body,
    } = await connection.client.request({
      path: url.pathname + url.search,
      method,
      body: form ?? null,
      headers,
      signal: stop.signal,
    });
    // an error after the last read must not crash the process
    body.on('error', () => {});
    connection.onHeaders();
    const end = () => {
      body.destroy();
      connection.end();
    };
    return { status: statusCode, headers: responseHeaders, body, hasSurplus: connection.hasSurplus, end };
  } catch (error) {
    connection.end();
    // the body has not started yet, so the headers contradict each other
    if (error instanceof errors.ResponseContentLengthMismatchError) throw responseInvalid({ host: bareHost(url) });
    throw error;
  }
}

function openConnection(url: URL, { maxBytes, settings, limits, stop }: ConnectionOptions) {
  const dial: Dial = { ended: new AbortController() };
  const client = clientFor(url, { settings, limits }, dial);
  const host = bareHost(url);
  const headersTimer = setTimeout(() => stop.abort(timedOut({ host })), limits.connectMs + limits.headersMs);
  let [maxReceived, limitError] = [FRAMING_FACTOR * limits.headerBytes, headersTooLarge];
  // the HTTP parser counts neither chunk extensions nor informational (1xx) responses
  const checkTimer = setInterval(() => {
    if ((dial.socket?.bytesRead ?? 0) > maxReceived) stop.abort(limitError({ host }));
  }, CHECK_MS);
  const end = () => {
    stop.signal.removeEventListener('abort', end);
    clearTimeout(headersTimer);
    clearInterval(checkTimer);
    dial.ended.abort();
    void client.destroy();
    dial.socket?.destroy();
  };
  stop.signal.addEventListener('abort', end);
  return {
    client,
    end,
    onHeaders() {
      clearTimeout(headersTimer);
      [maxReceived, limitError] = [FRAMING_FACTOR * (limits.headerBytes + maxBytes), bodyTooLarge];
    },
    // undici's message for a response without a request
    hasSurplus: () => dial.socket?.errored?.message === 'bad response',
  };
}

/** `ended` cancels a DNS lookup that is still running. */
type Dial = { socket?: Socket; ended: AbortController };

function clientFor(url: URL, { settings, limits }: Pick<ConnectionOptions, 'settings' | 'limits'>, dial: Dial): Client {
  const lookup = guardedLookup(settings, dial.ended.signal);
  const connect = buildConnector({ timeout: limits.connectMs, lookup, maxCachedSessions: 0 });
  return new Client(url.origin, {
    connect: (options, callback) => {
      // it returns the socket at once, although its type does not say so; a socket that never connects must be closed
      // too
      const socket: unknown = connect(options, callback);
      if (socket instanceof Socket) dial.socket = socket;
    },
    headersTimeout: limits.headersMs,
    bodyTimeout: limits.idleMs,
    maxHeaderSize: limits.headerBytes,
  });
}
