import type { IncomingHttpHeaders } from 'node:http';
import type { ByteRange } from '../adapters/storage/port';

/** How to answer a byte request. `start` and `end` are inclusive; `ranges` has at least two. */
export type RangeDecision =
  | { kind: 'unchanged' }
  | { kind: 'whole' }
  | { kind: 'part'; start: number; end: number }
  | { kind: 'parts'; ranges: ByteRange[] }
  | { kind: 'unsatisfiable' };

const RANGES = /^bytes=(.+)$/i;
const ONE_RANGE = /^\s*(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))\s*$/;
/** More ranges in one request are treated as abuse. */
const MAX_PARTS = 32;

/** `etag`: strong, with quotes. */
type Validators = { etag: string; lastModified?: string | undefined };

/**
 * Decides by RFC 9110: If-None-Match first, without it If-Modified-Since, then Range if If-Range allows it. A Range is ignored if it is malformed,
 * uses other units, or asks for too many ranges or for more bytes than the file has. Pass a HEAD without its Range.
 */
export function decideRanges(
  headers: IncomingHttpHeaders,
  bytes: number,
  { etag, lastModified }: Validators,
): RangeDecision {
  if (matchesTag(headers['if-none-match'], etag)) return { kind: 'unchanged' };
  if (isSameDate(headers, lastModified)) return { kind: 'unchanged' };
  const condition = headers['if-range'];
  // a date in If-Range can't prove that the bytes are the same, so the client gets the whole file
  if (!headers.range || (condition !== undefined && condition !== etag)) return { kind: 'whole' };
  return readRanges(headers.range, bytes);
}

/** The exact date, not a later one: the file of an episode can be replaced by an older one. */
function isSameDate(headers: IncomingHttpHeaders, lastModified: string | undefined): boolean {
  const since = headers['if-modified-since'];
  return since !== undefined && since === lastModified && headers['if-none-match'] === undefined;
}

function readRanges(header: string, bytes: number): RangeDecision {
  const parts = RANGES.exec(header)?.[1]?.split(',') ?? [];
  if (parts.length > MAX_PARTS) return { kind: 'whole' };
  const parsed = parts.map((part) => readRange(part, bytes));
  if (parsed.length === 0 || parsed.includes('malformed')) return { kind: 'whole' };
  const ranges = parsed.filter((range) => typeof range === 'object');
  if (ranges.length === 0) return { kind: 'unsatisfiable' };
  if (ranges.length === 1) return { kind: 'part', ...ranges[0]! };
  const requested = ranges.reduce((sum, { start, end }) => sum + end - start + 1, 0);
  return requested > bytes ? { kind: 'whole' } : { kind: 'parts', ranges };
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

/** Weak comparison, because a proxy may have weakened the tag. */
export function matchesTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}
