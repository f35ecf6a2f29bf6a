import { cookieWriter, countCookies, readCookies } from '../auth/cookies';
import { expiredCookies } from '../auth/expired-cookies';
import { SESSION_COOKIE } from '../auth/sessions';
import { LOGIN_PATH, languagePrefix } from '../base/public-paths';
import type { Runtime } from '../runtime/runtime';
import type { RequestContext } from './request-context';

/** A request that must go to the login page, and the headers that clear the browser. */
export type Breach = { to: string; headers: Headers };

/**
 * Whether a browser only prefetches a link. It does not show the answer, so the check waits for the click: otherwise
 * visitors would never see the notice.
 */
export const isPrefetch = (headers: Headers): boolean => headers.get('sec-purpose')?.includes('prefetch') ?? false;

/**
 * The path at which Remix asks which routes exist. This is not a route change: Remix would take a redirect to the login
 * page for the list, and the route change itself would fail.
 */
export const MANIFEST_PATH = '/__manifest';

/** A cookie that a browser has only once. Two of them suggest tampering with the session. */
const PODCASTER = 'podcaster';
/** The number of sessions that end: a browser can have a token on each domain and path. */
const MAX_TOKENS = 10;

export const hasDoubledCookie = (header: string | null | undefined): boolean => countCookies(header, PODCASTER) > 1;

/**
 * Two cookies named `podcaster` suggest tampering with the session: it ends, all cookies and the storage are cleared,
 * and the login page shows a notice (spec §4, security check). Null if the request is fine.
 */
export async function securityCheck(
  runtime: Runtime,
  request: RequestContext,
  pathname: string,
): Promise<Breach | null> {
  const header = request.headers.get('cookie');
  if (!header || !hasDoubledCookie(header) || pathname === MANIFEST_PATH) return null;
  const tokens = readCookies(header, SESSION_COOKIE).slice(0, MAX_TOKENS);
  for (const token of tokens) await runtime.sessions.end(token);
  const headers = new Headers({ 'cache-control': 'no-store', 'clear-site-data': '"cookies", "storage"' });
  const { host } = request;
  for (const cookie of expiredCookies({ header, host, pathname }, runtime.cookies.secure))
    headers.append('set-cookie', cookie);
  const cookies = cookieWriter(runtime.cookies, host, headers);
  cookies.clear();
  cookies.signedOut();
  return { to: `${languagePrefix(request.language)}${LOGIN_PATH}?notice=security`, headers };
}
