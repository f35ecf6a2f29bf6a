import { cookieWriter, countCookies, readCookie } from '../auth/cookies';
import { SESSION_COOKIE } from '../auth/sessions';
import type { Runtime } from '../runtime';
import type { Facts } from './facts';

const NOTICE = 'notice=security';

/**
 * Two cookies named `podcaster` mean that somebody meddled with the log-in: the session ends, cookies and storage are
 * cleared, and the log-in page says why (spec §4, security check). Null where nothing is wrong.
 */
export async function securityCheck(runtime: Runtime, facts: Facts): Promise<Response | null> {
  const header = facts.headers.get('cookie');
  if (countCookies(header, 'podcaster') < 2) return null;
  const token = readCookie(header, SESSION_COOKIE);
  if (token) await runtime.sessions.end(token);
  const prefix = facts.language === 'en' ? '' : `/${facts.language}`;
  const headers = new Headers({
    location: `${prefix}/login?${NOTICE}`,
    'cache-control': 'no-store',
    'clear-site-data': '"cookies", "storage"',
  });
  cookieWriter(runtime.cookies, facts.host, headers).clear();
  return new Response(null, { status: 302, headers });
}
