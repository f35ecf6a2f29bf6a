const MAX_LENGTH = 200;
/** Shorter than all of our tokens. */
const MAX_SEGMENT = 20;

/**
 * The path of a URL for the log, without its query. Long segments of an unknown path are left out: it may be the
 * mistyped address of a private feed.
 */
export function loggablePath(url: string, isUnknown: boolean): string {
  const end = url.search(/[?#]/);
  const path = end < 0 ? url : url.slice(0, end);
  // `GET http://user:password@host/path`, as sent to a proxy
  if (!path.startsWith('/')) return path === '*' ? path : '…';
  if (!isUnknown) return path.length > MAX_LENGTH ? `${path.slice(0, MAX_LENGTH)}…` : path;
  const segments = path.slice(0, MAX_LENGTH).split('/');
  return segments.map((segment) => (segment.length > MAX_SEGMENT ? '…' : segment)).join('/');
}
