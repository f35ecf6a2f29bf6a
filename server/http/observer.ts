import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type Log, lineWriter } from '../watching/log';
import type { ObservedResponse } from '../watching/observed-response';
import {
  countRequest,
  type Outcome,
  type RequestCounts,
  type RouteCounts,
  UNMATCHED,
} from '../watching/request-counts';
import { requestHost } from './host';
import { loggablePath } from './loggable-path';

export type Observer = {
  /** Called with each request before anything else. */
  observe(req: IncomingMessage, res: ObservedResponse): void;
  /** Writes the remaining lines. */
  close(): void;
};

/** As in nginx's log: the client disconnected before the answer. */
const CLIENT_CLOSED_REQUEST = 499;
/** A valid request id of a proxy. Without spaces, quotes and control characters, it can't break a header or a line. */
const REQUEST_ID = /^[\w.:-]{8,64}$/;
/** Frequent requests of machines would flood the log. They are counted, and logged only if they fail. */
const UNLOGGED = new Set([
  ...['/healthz', '/readyz', '/metrics', '/assets/*', '/webhooks/stripe', '/webhooks/mail/:sender'],
]);
const MAX_HOST_LENGTH = 253;
const MAX_KEPT = 1000;
const MAX_KEPT_LENGTH = 400;
type KeptText = { host: string; method: string; route: string; text: string };

/**
 * Sees every request of a server once: gives it its id, and counts and logs it when its response is complete or broken
 * off. A cached page leaves little time, so the observer writes its lines itself and counts plain numbers
 * (docs/decisions/0253).
 */
export function createObserver(counts: RequestCounts, log: Log, trustedProxies: number): Observer {
  const lines = lineWriter(log);
  const texts = new Map<string, KeptText>();
  const onClose = function (this: ObservedResponse) {
    record(this, this.req.socket);
  };

  function record(res: ObservedResponse, socket: Socket | null): void {
    const { req } = res;
    const endedAt = performance.now();
    const outcome = outcomeOf(res);
    const bytes = newBytesOf(res, socket);
    const found = counts.find(res.route ?? UNMATCHED, req.method ?? '');
    countRequest(found, outcome, ((res.answeredAt || endedAt) - res.startedAt) / 1000);
    found.bytes += bytes;
    if (res.isFromCache) found.fromCache += 1;
    if (lines === null || (UNLOGGED.has(found.route) && outcome === '2xx')) return;
    const status = res.headersSent ? res.statusCode : CLIENT_CLOSED_REQUEST;
    const more = (res.isFromCache ? ',"cache":"hit"' : '') + (outcome === 'cut' ? ',"cut":true' : '');
    lines.write(
      `{"level":"info","time":"${isoTime()}","requestId":"${res.requestId}"${textOf(req, found, status === 404)}` +
        `,"status":${status},"ms":${Math.round(endedAt - res.startedAt)},"bytes":${bytes}${more},"msg":"request"}\n`,
    );
  }

  /** What is the same in each line of a popular address: most requests are for few of them. */
  function textOf(req: IncomingMessage, { route, hasSecret }: RouteCounts, isMissing: boolean): string {
    const { url = '', method = '' } = req;
    const host = requestHost(req.headers, trustedProxies > 0);
    // the addresses that scanners try must not displace popular ones
    const isUnknown = isMissing || route === UNMATCHED;
    const last = isUnknown ? undefined : texts.get(url);
    if (last?.host === host && last.method === method && last.route === route) return last.text;
    const path = hasSecret ? route : loggablePath(url, isUnknown);
    const text =
      `,"method":${quote(method)},"host":${quote(host.slice(0, MAX_HOST_LENGTH))},"path":${quote(path)}` +
      `,"route":"${route}"`;
    // a query may contain a secret, too
    if (hasSecret || isUnknown || url.includes('?') || url.length + host.length > MAX_KEPT_LENGTH) return text;
    if (texts.size >= MAX_KEPT) texts.clear();
    texts.set(url, { host, method, route, text });
    return text;
  }

  return {
    observe(req, res) {
      const given = trustedProxies > 0 ? req.headers['x-request-id'] : undefined;
      res.requestId = typeof given === 'string' && REQUEST_ID.test(given) ? given : nextId();
      res.startedAt = performance.now();
      res.on('close', onClose);
    },
    close: () => lines?.flush(),
  };
}

/** JSON.stringify takes three times as long for text that needs no escape. */
function quote(text: string): string {
  return /^[\w./:%@~-]*$/.test(text) ? `"${text}"` : JSON.stringify(text);
}

const CLASSES: (Outcome | undefined)[] = [undefined, '1xx', '2xx', '3xx', '4xx', '5xx'];
/** Shows the error that a visitor got on another page, with its status (spec §2.1). */
const ERROR_PAGE = '/error';

function outcomeOf(res: ObservedResponse): Outcome {
  if (res.hasFailed) return '5xx';
  if (!res.writableFinished) return 'cut';
  if (res.route === ERROR_PAGE) return '2xx';
  return CLASSES[Math.floor(res.statusCode / 100)] ?? '5xx';
}

/** Bytes on a connection that are already counted, headers included. */
const COUNTED = Symbol('counted bytes');

/**
 * Bytes sent since the connection's last response. For pipelined responses, the first one may get the bytes of others.
 * `socket`: null once a pipeline from the request has failed.
 */
function newBytesOf(res: ObservedResponse, socket: (Socket & { [COUNTED]?: number }) | null): number {
  if (socket === null) return res.writtenBytes;
  const counted = socket[COUNTED] ?? 0;
  // reading `bytesWritten` walks all chunks that the socket still has to send
  const bytes = res.writtenBytes > 0 && res.writableFinished ? res.writtenBytes : socket.bytesWritten - counted;
  socket[COUNTED] = counted + bytes;
  return bytes;
}

/**
 * The start of a UUID whose end is a counter, because a random UUID for each request takes three times as long. Most
 * requests write only its last two digits.
 */
const PREFIX = randomUUID().slice(0, 24);
const DIGITS = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0'));
let count = Math.floor(Math.random() * 2 ** 32);
let start = '';

function nextId(): string {
  count += 1;
  const end = count % 256;
  if (start === '' || end === 0)
    start =
      PREFIX +
      Math.floor(count / 256)
        .toString(16)
        .padStart(10, '0');
  return start + DIGITS[end];
}

const clock = { ms: 0, text: '' };

/** Keeps the last result, because many requests end within a millisecond. */
function isoTime(): string {
  const ms = Date.now();
  if (ms !== clock.ms) Object.assign(clock, { ms, text: new Date(ms).toISOString() });
  return clock.text;
}
