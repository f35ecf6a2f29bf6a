import { parse, serialize } from 'hono/utils/cookie';
import { SESSION_LIMITS } from '../limits/accounts';
import { wholeSeconds } from '../time';
import { SESSION_COOKIE } from './sessions';

export type CookieSettings = { appHost: string; secure: boolean };

/** Cookies are set for the root domain, so that a listener is logged in on every creator's host; bare hosts keep their own. */
function domainFor(requestHost: string, appHost: string): string | undefined {
  const host = requestHost.replace(/:\d+$/, '').toLowerCase();
  const root = appHost.replace(/:\d+$/, '').toLowerCase();
  const isName = root.includes('.') && !/^[\d.]+$/.test(root) && !root.includes(':');
  return isName && (host === root || host.endsWith(`.${root}`)) ? root : undefined;
}

export function readCookie(header: string | null | undefined, name: string): string | undefined {
  return header ? parse(header, name)[name] : undefined;
}

/** How many cookies of a name a request carries: two named `podcaster` end the session (spec §4, security check). */
export function countCookies(header: string | null | undefined, name: string): number {
  return (header ?? '').split(';').filter((part) => part.trim().startsWith(`${name}=`)).length;
}

/** Writes the cookies of a log-in for one request's host: `token` (HttpOnly) and `podcaster` (readable, spec §3). */
export function cookieWriter(settings: CookieSettings, requestHost: string, headers: Headers) {
  const shared = {
    path: '/',
    sameSite: 'Lax' as const,
    secure: settings.secure,
    domain: domainFor(requestHost, settings.appHost),
  };
  const put = (name: string, value: string, maxAge: number, httpOnly: boolean) =>
    headers.append('set-cookie', serialize(name, value, { ...shared, maxAge, httpOnly }));
  const lifetime = wholeSeconds(SESSION_LIMITS.lifetime);
  return {
    session: (token: string) => put(SESSION_COOKIE, token, lifetime, true),
    podcaster: (creatorId: number) => put('podcaster', String(creatorId), lifetime, false),
    language: (language: string) => put('language', language, lifetime, false),
    clear() {
      for (const name of [SESSION_COOKIE, 'podcaster']) {
        put(name, '', 0, name === SESSION_COOKIE);
        // one set for the bare host, by an earlier version or another tab, would otherwise survive
        if (shared.domain) headers.append('set-cookie', serialize(name, '', { path: '/', maxAge: 0 }));
      }
    },
  };
}
