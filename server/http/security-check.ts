import { cookieWriter, countCookies } from '../auth/cookies';
import { LOGIN_PATH, languagePrefix } from '../public-paths';
import type { Runtime } from '../runtime';
import { type RequestContext, sessionToken } from './request-context';

const NOTICE = 'notice=security';

/**
 * Two cookies named `podcaster` suggest tampering with the session: it ends, cookies and storage are cleared, and the
 * login page shows a notice (spec §4, security check). Null if the request is fine.
 */
export async function securityCheck(runtime: Runtime, request: RequestContext): Promise<Response | null> {
  const header = request.headers.get('cookie');
  if (countCookies(header, 'podcaster') < 2) return null;
  const token = sessionToken(header);
  if (token) await runtime.sessions.end(token);
  const headers = new Headers({
    location: `${languagePrefix(request.language)}${LOGIN_PATH}?${NOTICE}`,
    'cache-control': 'no-store',
    'clear-site-data': '"cookies", "storage"',
  });
  cookieWriter(runtime.cookies, request.host, headers).clear();
  return new Response(null, { status: 302, headers });
}
