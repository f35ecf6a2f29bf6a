/** What is known of a download under way; lies beside its parts, so that another process can go on with it. */
export type Progress = {
  url: string;
  etag: string | null;
  lastModified: string | null;
  total: number | null;
  contentType: string | null;
};

type Told = { status: number; headers: ReadonlyMap<string, string> };

export function progressOf(url: string, answer: Told): Progress {
  const { headers } = answer;
  // of an encoded body they are about other bytes than those we keep
  const told = (name: string) => (isEncoded(answer) ? null : (headers.get(name) ?? null));
  return {
    url,
    etag: told('etag'),
    lastModified: told('last-modified'),
    total: totalOf(answer),
    contentType: headers.get('content-type') ?? null,
  };
}

/** Whether an answer could show that it is the rest: see mayContinue. */
export function isResumable({ total, etag }: Progress): boolean {
  return total !== null || isStrong(etag);
}

/** Asks for the rest from `from` on; If-Range takes a strong ETag or a date (RFC 9110 §13.1.5). */
export function rangeHeaders(from: number, { etag, lastModified }: Progress): Record<string, string> {
  const validator = isStrong(etag) ? etag : lastModified;
  const sendable = validator !== null && /^[\x20-\x7e]+$/.test(validator);
  return { range: `bytes=${from}-`, ...(sendable && { 'if-range': validator }) };
}

/**
 * Whether an answer may be the rest of what is there, before its overlap is compared: it begins where it should,
 * nothing that the server said of the file has changed, and the whole is as long as it was. Where a length isn't told,
 * a strong ETag has to be the same: an overlap alone would not show that the beginning is another.
 */
export function mayContinue(answer: Told, from: number, known: Progress): boolean {
  if (answer.status !== 206 || startOf(answer) !== from || isEncoded(answer)) return false;
  const etag = answer.headers.get('etag');
  const lastModified = answer.headers.get('last-modified');
  if (hasChanged(known.etag, etag) || hasChanged(known.lastModified, lastModified)) return false;
  const total = totalOf(answer);
  if (total !== null && known.total !== null) return total === known.total;
  return isStrong(known.etag) && known.etag === etag;
}

function hasChanged(before: string | null, now: string | undefined): boolean {
  return before !== null && now !== undefined && before !== now;
}

function isStrong(etag: string | null): etag is string {
  return /^"[^"]*"$/.test(etag ?? '');
}

/** What is there of an encoded body was decoded: its length is no place in what was sent. */
function isEncoded({ headers }: Told): boolean {
  return !/^(?:identity)?$/i.test(headers.get('content-encoding')?.trim() ?? '');
}

function startOf({ headers }: Told): number {
  return Number(/^bytes (\d+)-/.exec(headers.get('content-range') ?? '')?.[1] ?? -1);
}

/** Of the whole file, where the answer says it. */
export function totalOf(answer: Told): number | null {
  const { status, headers } = answer;
  const length =
    status === 206 ? /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1] : headers.get('content-length');
  return length === undefined || isEncoded(answer) ? null : Number(length);
}
