import type { Rendered } from './cached-response';
import { sharedPolicy } from './shared-csp';

/** Internal header with the objects on which a page depends: `product:7 creator:3`. It is never sent to clients. */
export const CACHE_TAGS = 'x-cache-tags';

/** Headers of one connection or one visitor, and headers that are computed for each response. */
const NOT_CACHED = new Set([
  CACHE_TAGS,
  'set-cookie',
  'content-length',
  'transfer-encoding',
  'connection',
  'date',
  'etag',
]);
/** Browsers revalidate each time: after logging in, the same URL shows a different page. */
const REVALIDATE = 'public, no-cache';

/** Converts a page response for the cache: without cookies and nonces, with its cache tags. */
export async function toRendered(response: Response): Promise<Rendered> {
  const body = Buffer.from(await response.arrayBuffer());
  const tags =
    response.headers
      .get(CACHE_TAGS)
      ?.split(/[\s,]+/)
      .filter(Boolean) ?? [];
  const cookies = response.headers.getSetCookie();
  const headers: Record<string, string> = {};
  response.headers.forEach((value, name) => {
    if (!NOT_CACHED.has(name)) headers[name] = value;
  });
  const own: Rendered = { status: response.status, headers, body, tags: [], cookies };
  // a page with cache tags is public, whatever its Cache-Control says
  const isShareable = response.status === 200 && tags.length > 0 && cookies.length === 0;
  return (isShareable && toShared(own, tags)) || own;
}

/**
 * Headers that don't belong to a shared page. The opener policy separates a visitor's own pages from windows of other
 * sites. A page that is the same for everyone has nothing to hide, and opens earlier without the policy, for which
 * browsers start another process.
 */
const OWN_HEADERS = ['x-request-id', 'server-timing', 'cross-origin-opener-policy'];

function toShared(own: Rendered, tags: string[]): Rendered | null {
  const headers = Object.fromEntries(Object.entries(own.headers).filter(([name]) => !OWN_HEADERS.includes(name)));
  headers['cache-control'] = REVALIDATE;
  headers.vary = 'accept-encoding, accept-language, cookie';
  headers['surrogate-key'] = tags.join(' ');
  const policy = headers['content-security-policy'];
  if (!policy || !headers['content-type']?.startsWith('text/html')) return { ...own, headers, tags };
  const shared = sharedPolicy(own.body.toString(), policy);
  if (!shared) return null;
  headers['content-security-policy'] = shared.policy;
  return { ...own, headers, body: Buffer.from(shared.html), tags };
}

/** Removes the internal header from a response that bypasses the cache. */
export function withoutTags(response: Response): Response {
  if (response.headers.has(CACHE_TAGS)) response.headers.delete(CACHE_TAGS);
  return response;
}
