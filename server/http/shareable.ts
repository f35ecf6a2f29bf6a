import type { Rendered } from './cached-answer';
import { sharedPolicy } from './shared-csp';

/** The header by which a page says what it was made of: `product:7 creator:3`. It does not leave the house. */
export const CACHE_TAGS = 'x-cache-tags';

/** About the connection or one visitor; a kept answer names its own length, and the rest is written anew. */
const NOT_KEPT = new Set([
  CACHE_TAGS,
  'set-cookie',
  'content-length',
  'transfer-encoding',
  'connection',
  'date',
  'etag',
]);
/** A browser asks each time whether its copy still holds: after a log-in the same address shows another page. */
const ASK_AGAIN = 'public, no-cache';

/** A page of the app as the cache takes it: without cookies and nonces, with the tags that it named. */
export async function fromResponse(response: Response): Promise<Rendered> {
  const body = Buffer.from(await response.arrayBuffer());
  const tags =
    response.headers
      .get(CACHE_TAGS)
      ?.split(/[\s,]+/)
      .filter(Boolean) ?? [];
  const cookies = response.headers.getSetCookie();
  const headers: Record<string, string> = {};
  response.headers.forEach((value, name) => {
    if (!NOT_KEPT.has(name)) headers[name] = value;
  });
  const own: Rendered = { status: response.status, headers, body, tags: [], cookies };
  // a page that names its tags says by that that it is for everybody, whatever the app tells browsers of pages
  const keepable = response.status === 200 && tags.length > 0 && cookies.length === 0;
  return (keepable && shareable(own, tags)) || own;
}

function shareable(own: Rendered, tags: string[]): Rendered | null {
  const { 'x-request-id': _, 'server-timing': __, ...headers } = own.headers;
  headers['cache-control'] = ASK_AGAIN;
  headers.vary = 'accept-encoding, cookie';
  headers['surrogate-key'] = tags.join(' ');
  const policy = headers['content-security-policy'];
  if (!policy || !headers['content-type']?.startsWith('text/html')) return { ...own, headers, tags };
  const shared = sharedPolicy(own.body.toString(), policy);
  if (!shared) return null;
  headers['content-security-policy'] = shared.policy;
  return { ...own, headers, body: Buffer.from(shared.html), tags };
}

/** An answer that does not go through the cache, as it leaves: its tags are nobody's business. */
export function withoutTags(response: Response): Response {
  if (response.headers.has(CACHE_TAGS)) response.headers.delete(CACHE_TAGS);
  return response;
}
