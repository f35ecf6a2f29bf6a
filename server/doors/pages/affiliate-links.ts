import { cookieWriter, readCookie } from '../../auth/cookies';
import { AFFILIATE_COOKIE, affiliateCookie, namesAffiliate, readAffiliateCookie } from '../../base/affiliate-cookie';
import { linkCode } from '../../domain/affiliates/rules';
import { visitLink } from '../../domain/affiliates/visit-link';
import { networkOf } from '../../flow/rate-limits';
import type { RequestContext } from '../../http/request-context';
import { isPrefetch } from '../../http/security-check';
import { type Runtime, systemCtx } from '../../runtime/runtime';

/**
 * The answer to a page's address with `?ref=` on the app's host: a redirect to the same address without it. A person
 * who opens a known link in a window is counted and remembered; frames, pictures, scripts, prefetches, HEAD and bots
 * never are, so that nobody gets a cookie without having followed the link. Null for all other requests.
 */
export async function followAffiliateLink(
  runtime: Runtime,
  { site, headers, host, address }: RequestContext,
  { method, url }: Request,
): Promise<Response | null> {
  if (site.kind !== 'app' || (method !== 'GET' && method !== 'HEAD') || !namesAffiliate(url)) return null;
  const { pathname, search, searchParams } = new URL(url);
  const rest = search
    .slice(1)
    .split('&')
    .filter((part) => !/^ref(?:=|$)/.test(part));
  const out = new Headers({
    location: pathname + (rest.length > 0 ? `?${rest.join('&')}` : ''),
    'cache-control': 'no-store',
  });
  const code = linkCode(searchParams.get('ref') ?? '');
  if (method === 'GET' && code !== null && isOpened(headers)) {
    const value = await valueFor(runtime, { code, headers, address });
    if (value) cookieWriter(runtime.cookies, host, out).source(AFFILIATE_COOKIE, value);
  }
  return new Response(null, { status: 302, headers: out });
}

/** Whether a person opens a page in a window. Old browsers do not say so, but ask for HTML. */
export function isOpened(headers: Headers): boolean {
  if (isPrefetch(headers) || headers.get('purpose') === 'prefetch') return false;
  const [dest, mode] = [headers.get('sec-fetch-dest'), headers.get('sec-fetch-mode')];
  if (dest !== null || mode !== null) return dest === 'document' && mode === 'navigate';
  return headers.get('accept')?.includes('text/html') ?? false;
}

type Opened = { code: string; headers: Headers; address: string };

/** The new value of the cookie; null to leave it. The page is more important than the count. */
async function valueFor(runtime: Runtime, { code, headers, address }: Opened): Promise<string | null> {
  try {
    // many people of an office or a phone company share a network: they are remembered, but no longer counted
    const isCounted = !(await runtime.rateLimits.consume('followAffiliateLink', networkOf(address)));
    const ctx = systemCtx(runtime, 'affiliates.visit');
    const kept = readAffiliateCookie(runtime.vault, readCookie(headers.get('cookie'), AFFILIATE_COOKIE), ctx.now());
    const userAgent = headers.get('user-agent') ?? '';
    const followed = await visitLink(ctx, { code, kept, userAgent, isCounted });
    return followed && affiliateCookie(runtime.vault, followed);
  } catch (err) {
    runtime.log.warn({ err }, 'visit by a link of an affiliate not counted');
    return null;
  }
}
