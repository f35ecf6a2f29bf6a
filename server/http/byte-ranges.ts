import type { IncomingHttpHeaders } from 'node:http';

/** What a request for bytes comes to: `part` ends included. Several ranges at once are answered with the whole. */
export type Wanted =
  | { kind: 'unchanged' }
  | { kind: 'whole' }
  | { kind: 'part'; start: number; end: number }
  | { kind: 'unsatisfiable' };

const ONE_RANGE = /^bytes=\s*(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))\s*$/i;

/**
 * Decides a GET by RFC 9110: If-None-Match first, then Range as far as If-Range lets it count. A Range that is malformed,
 * in other units or of several parts counts as none.
 * @param etag strong, quotes included
 */
export function wantedBytes(headers: IncomingHttpHeaders, bytes: number, etag: string): Wanted {
  if (matches(headers['if-none-match'], etag)) return { kind: 'unchanged' };
  const condition = headers['if-range'];
  // A date in If-Range can't prove that the bytes are the same: the client gets all of them.
  if (!headers.range || (condition !== undefined && condition !== etag)) return { kind: 'whole' };
  return readRange(headers.range, bytes);
}

function readRange(header: string, bytes: number): Wanted {
  const [, first, last, suffix] = ONE_RANGE.exec(header) ?? [];
  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), bytes);
    return length === 0 ? { kind: 'unsatisfiable' } : { kind: 'part', start: bytes - length, end: bytes - 1 };
  }
  if (first === undefined) return { kind: 'whole' };
  const start = Number(first);
  const end = last ? Number(last) : Number.POSITIVE_INFINITY;
  if (end < start) return { kind: 'whole' };
  return start >= bytes ? { kind: 'unsatisfiable' } : { kind: 'part', start, end: Math.min(end, bytes - 1) };
}

/** A proxy may have made the tag weak; for "not changed" that is good enough. */
export function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}
