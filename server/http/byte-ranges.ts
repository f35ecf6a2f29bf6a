import type { IncomingHttpHeaders } from 'node:http';
import type { ByteRange } from '../adapters/storage/port';

/** What a request for bytes comes to. `start` and `end` both count; `ranges` are at least two. */
export type Wanted =
  | { kind: 'unchanged' }
  | { kind: 'whole' }
  | { kind: 'part'; start: number; end: number }
  | { kind: 'parts'; ranges: ByteRange[] }
  | { kind: 'unsatisfiable' };

const RANGES = /^bytes=(.+)$/i;
const ONE_RANGE = /^\s*(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))\s*$/;
/** Who asks for more parts at once than this wants to keep us busy. */
const MAX_PARTS = 32;

/**
 * Decides a GET, or a HEAD without its Range, by RFC 9110: If-None-Match first, then Range as far as If-Range lets it count. A Range that is malformed or
 * in other units counts as none; so do many parts, and parts that together are more than the whole.
 * @param etag strong, quotes included
 */
export function wantedBytes(headers: IncomingHttpHeaders, bytes: number, etag: string): Wanted {
  if (matches(headers['if-none-match'], etag)) return { kind: 'unchanged' };
  const condition = headers['if-range'];
  // A date in If-Range can't prove that the bytes are the same: the client gets all of them.
  if (!headers.range || (condition !== undefined && condition !== etag)) return { kind: 'whole' };
  return readRanges(headers.range, bytes);
}

function readRanges(header: string, bytes: number): Wanted {
  const parts = RANGES.exec(header)?.[1]?.split(',') ?? [];
  if (parts.length > MAX_PARTS) return { kind: 'whole' };
  const read = parts.map((part) => readRange(part, bytes));
  if (read.length === 0 || read.includes('malformed')) return { kind: 'whole' };
  const ranges = read.filter((range) => typeof range === 'object');
  if (ranges.length === 0) return { kind: 'unsatisfiable' };
  if (ranges.length === 1) return { kind: 'part', ...ranges[0]! };
  const asked = ranges.reduce((sum, { start, end }) => sum + end - start + 1, 0);
  return asked > bytes ? { kind: 'whole' } : { kind: 'parts', ranges };
}

function readRange(text: string, bytes: number): ByteRange | 'malformed' | 'unsatisfiable' {
  const [, first, last, suffix] = ONE_RANGE.exec(text) ?? [];
  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), bytes);
    return length === 0 ? 'unsatisfiable' : { start: bytes - length, end: bytes - 1 };
  }
  if (first === undefined) return 'malformed';
  const start = Number(first);
  const end = last ? Number(last) : Number.POSITIVE_INFINITY;
  if (end < start) return 'malformed';
  return start >= bytes ? 'unsatisfiable' : { start, end: Math.min(end, bytes - 1) };
}

/** A proxy may have made the tag weak; for "not changed" that is good enough. */
export function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}
