/** The state of an unfinished download, stored beside its parts so that another process can resume it. */
export type Progress = {
  url: string;
  etag: string | null;
  lastModified: string | null;
  total: number | null;
  contentType: string | null;
};

type ResponseHead = { status: number; headers: ReadonlyMap<string, string> };

export function progressOf(url: string, response: ResponseHead): Progress {
  const { headers } = response;
  // with Content-Encoding they describe the compressed bytes, not ours
  const validator = (name: string) => (isEncoded(response) ? null : (headers.get(name) ?? null));
  return {
    url,
    etag: validator('etag'),
    lastModified: validator('last-modified'),
    total: totalBytes(response),
    contentType: headers.get('content-type') ?? null,
  };
}

/** Whether a response can prove that it is the rest of the file (see isContinuation). */
export function isResumable({ total, etag }: Progress): boolean {
  return total !== null || isStrong(etag);
}

/** Requests the rest, starting at `from`. If-Range accepts a strong ETag or a date (RFC 9110 §13.1.5). */
export function rangeHeaders(from: number, { etag, lastModified }: Progress): Record<string, string> {
  const validator = isStrong(etag) ? etag : lastModified;
  const sendable = validator !== null && /^[\x20-\x7e]+$/.test(validator);
  return { range: `bytes=${from}-`, ...(sendable && { 'if-range': validator }) };
}

/**
 * Whether a response may be the rest of the file, before its overlap is compared: it starts at the right place, and
 * neither the validators nor the total length have changed. Without a total length, the strong ETag must be the same,
 * because the overlap cannot reveal a change at the start of the file.
 */
export function isContinuation(response: ResponseHead, from: number, known: Progress): boolean {
  if (response.status !== 206 || rangeStart(response) !== from || isEncoded(response)) return false;
  const etag = response.headers.get('etag');
  const lastModified = response.headers.get('last-modified');
  if (hasChanged(known.etag, etag) || hasChanged(known.lastModified, lastModified)) return false;
  const total = totalBytes(response);
  if (total !== null && known.total !== null) return total === known.total;
  return isStrong(known.etag) && known.etag === etag;
}

function hasChanged(before: string | null, now: string | undefined): boolean {
  return before !== null && now !== undefined && before !== now;
}

function isStrong(etag: string | null): etag is string {
  return /^"[^"]*"$/.test(etag ?? '');
}

/** We store a decoded body, so its length is not an offset in the encoded one. */
function isEncoded({ headers }: ResponseHead): boolean {
  return !/^(?:identity)?$/i.test(headers.get('content-encoding')?.trim() ?? '');
}

function rangeStart({ headers }: ResponseHead): number {
  return Number(/^bytes (\d+)-/.exec(headers.get('content-range') ?? '')?.[1] ?? -1);
}

/** The length of the whole file, if the response states it. */
export function totalBytes(response: ResponseHead): number | null {
  const { status, headers } = response;
  const length =
    status === 206 ? /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1] : headers.get('content-length');
  return length === undefined || isEncoded(response) ? null : Number(length);
}
