import type { AudioLayout, Span } from '~/db/values/listening';
import { DOWNLOAD_LIMITS, LISTEN_LIMITS } from '../../limits/listening';

/** More than 60 seconds, spec §9. */
export function isListen(seconds: number): boolean {
  return seconds > LISTEN_LIMITS.countedAfterSeconds;
}

/**
 * Bytes of audio, without the head, that count as a download: one minute at the episode's own bitrate, or all of a
 * shorter episode (IAB Podcast Measurement 2.3).
 */
export function neededBytes({ bytes, headBytes, durationMs }: AudioLayout): number {
  const content = Math.max(1, bytes - headBytes);
  if (durationMs <= DOWNLOAD_LIMITS.countedAfterMs) return content;
  return Math.ceil((content * DOWNLOAD_LIMITS.countedAfterMs) / durationMs);
}

/** The audio part of the sent bytes, without the head; null if they contain no audio. */
export function contentSpan({ from, to }: Span, { bytes, headBytes }: AudioLayout): Span | null {
  const span = { from: Math.max(from, headBytes), to: Math.min(to, bytes) };
  return span.from < span.to ? span : null;
}

/** Merges spans that touch or overlap, and sorts them. */
export function mergeSpans(spans: Span[]): Span[] {
  const result: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else result.push({ ...span });
  }
  return result;
}

export function totalBytes(spans: Span[]): number {
  return mergeSpans(spans).reduce((sum, { from, to }) => sum + to - from, 0);
}

/** Formats spans as a Postgres int8multirange. */
export function toMultirange(spans: Span[]): string {
  return `{${spans.map(({ from, to }) => `[${from},${to})`).join(',')}}`;
}

/** Clients request two bytes to test for range support; this never counts as a download (IAB 2.3). */
export function isProbe(requested: Span | null): boolean {
  return requested !== null && requested.to - requested.from <= 2;
}

/**
 * The part of an address that identifies one listener: a full IPv4 address, or the /64 prefix of an IPv6 address (IAB
 * 2.3), written as four groups without leading zeros.
 */
export function networkPrefix(address: string): string {
  const plain = address
    .trim()
    .toLowerCase()
    .replace(/%.*$/, '')
    .replace(/^\[|\]$/g, '');
  const mapped = /^(?:0*:)*:?(?:ffff:)?(\d+\.\d+\.\d+\.\d+)$/.exec(plain);
  if (mapped?.[1] || !plain.includes(':')) return mapped?.[1] ?? plain;
  const [head = '', tail] = plain.split('::', 2);
  const first = head === '' ? [] : head.split(':');
  const last = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  const groups = [...first, ...Array<string>(zeros).fill('0'), ...last];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
