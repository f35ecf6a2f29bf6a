import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';

const REQUEST_ID_HEADER = 'x-request-id';

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/**
 * Every response of our servers. The observer (observer.ts) stores its measurements here, because a map of responses
 * would cost more, and each way of sending headers ends in `writeHead`, so that no door can forget the request id. Only
 * prebuilt-response.ts writes past it.
 */
export class ObservedResponse extends ServerResponse<IncomingMessage> {
  /** Empty until the observer has seen the request. */
  requestId = '';
  /** Times at which the request and its response's headers came, in milliseconds of `performance.now`. */
  startedAt = 0;
  answeredAt = 0;
  /** The door or page that answers; null for unknown paths. */
  route: string | null = null;
  /** Length of a response that was written at once; 0 for others, whose socket knows it. */
  writtenBytes = 0;
  /** The body or its rows came from memory. */
  isFromCache = false;
  /** We broke the response off because its source failed. */
  hasFailed = false;

  override writeHead(status: number, ...rest: unknown[]): this {
    if (this.requestId === '') return this.send(status, rest);
    this.answeredAt = performance.now();
    const last = rest.length - 1;
    const headers = rest[last] as Headers | string | undefined;
    if (Array.isArray(headers)) rest[last] = [...headers, REQUEST_ID_HEADER, this.requestId];
    else if (typeof headers === 'object') rest[last] = { [REQUEST_ID_HEADER]: this.requestId, ...headers };
    else rest.push({ [REQUEST_ID_HEADER]: this.requestId });
    return this.send(status, rest);
  }

  private send(status: number, rest: unknown[]): this {
    return super.writeHead(status, ...(rest as [OutgoingHttpHeaders]));
  }
}

/** Notes the door or page that answers. It is a template such as `/p/:slug`, because metrics have one row for each. */
export function noteRoute(res: unknown, route: string): void {
  if (res instanceof ObservedResponse) res.route = route;
}

/** Notes that the response came from memory. */
export function noteCacheHit(res: ServerResponse): void {
  if (res instanceof ObservedResponse) res.isFromCache = true;
}

/** Notes the length of a response that is written at once, headers included. */
export function noteWritten(res: ServerResponse, bytes: number): void {
  if (res instanceof ObservedResponse) res.writtenBytes = bytes;
}

/** Breaks off a response whose source has failed in the middle. */
export function breakOff(res: ServerResponse): void {
  if (res instanceof ObservedResponse) res.hasFailed = true;
  res.destroy();
}

/** The request's id; empty without an observer. */
export function requestIdOf(res: unknown): string {
  return res instanceof ObservedResponse ? res.requestId : '';
}
