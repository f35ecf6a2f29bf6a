import { parse, serialize } from 'hono/utils/cookie';
import type { Language } from '~/locales/languages';
import type { Consent } from '../base/consent';
import { RECOMMENDATION_COOKIE } from '../base/recommended-visits';
import { wholeSeconds } from '../base/time';
import {
  CONSENT_LIMITS,
  DEVICE_LIMITS,
  IDENTITY_LIMITS,
  SECOND_FACTOR_LIMITS,
  SESSION_LIMITS,
  SOURCE_LIMITS,
} from '../limits/accounts';
import { BUYING_LIMITS } from '../limits/billing';
import { VISIT_LIMITS } from '../limits/recommendations';
import { DEVICE_COOKIE } from './devices';
import { SESSION_COOKIE } from './sessions';

/** Names a login that waits for its second factor; set only for the host of the login page. */
export const PENDING_LOGIN_COOKIE = 'login';

/** Ties the steps of a log-in at another service to the browser in which it began. */
export const LOGIN_ATTEMPT_COOKIE = 'login_attempt';

/** Names the browser of a buyer without an account. */
export const BUYER_COOKIE = 'buyer';

export type CookieSettings = { appHost: string; secure: boolean };

/**
 * The root domain, so that a session is valid on every creator's host; undefined for bare hosts such as `localhost`.
 */
function domainFor(requestHost: string, appHost: string): string | undefined {
  const host = requestHost.replace(/:\d+$/, '').toLowerCase();
  const root = appHost.replace(/:\d+$/, '').toLowerCase();
  const isName = root.includes('.') && !/^[\d.]+$/.test(root) && !root.includes(':');
  return isName && (host === root || host.endsWith(`.${root}`)) ? root : undefined;
}

export function readCookie(header: string | null | undefined, name: string): string | undefined {
  return header ? parse(header, name)[name] : undefined;
}

/** Every value of the cookies with this name. */
export function readCookies(header: string, name: string): string[] {
  return header.split(';').flatMap((part) => Object.values(parse(part, name)));
}

/** The number of cookies with this name. Two named `podcaster` end the session (spec §4, security check). */
export function countCookies(header: string | null | undefined, name: string): number {
  return (header ?? '').split(';').filter((part) => part.trim().startsWith(`${name}=`)).length;
}

/**
 * Writes a session's cookies for the requested host: `token` (HttpOnly) and `podcaster` (readable by scripts, spec §3);
 * and the device's.
 */
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
    /** Null removes the cookie. */
    podcaster: (creatorId: number | null) =>
      put('podcaster', String(creatorId ?? ''), creatorId === null ? 0 : lifetime, false),
    device: (value: string) => put(DEVICE_COOKIE, value, wholeSeconds(DEVICE_LIMITS.lifetime), true),
    /** An empty token removes the cookie. */
    pendingLogIn(token: string) {
      const maxAge = token ? wholeSeconds(SECOND_FACTOR_LIMITS.pendingFor) : 0;
      const { domain: _, ...own } = shared;
      headers.append('set-cookie', serialize(PENDING_LOGIN_COOKIE, token, { ...own, maxAge, httpOnly: true }));
    },
    /** Set for this host only. */
    loginAttempt(secret: string) {
      const { domain: _, ...own } = shared;
      const maxAge = wholeSeconds(IDENTITY_LIMITS.browser);
      headers.append('set-cookie', serialize(LOGIN_ATTEMPT_COOKIE, secret, { ...own, maxAge, httpOnly: true }));
    },
    /** Set for this host only. */
    buyer(secret: string) {
      const { domain: _, ...own } = shared;
      const maxAge = wholeSeconds(BUYING_LIMITS.browser);
      headers.append('set-cookie', serialize(BUYER_COOKIE, secret, { ...own, maxAge, httpOnly: true }));
    },
    language: (language: Language) => put('language', language, lifetime, false),
    consent: (consent: Consent) => put('consent', consent, wholeSeconds(CONSENT_LIMITS.lifetime), false),
    /** Only the server reads these cookies. */
    source: (name: string, value: string) => put(name, value, wholeSeconds(SOURCE_LIMITS.lifetime), true),
    recommendation: (token: string) => put(RECOMMENDATION_COOKIE, token, wholeSeconds(VISIT_LIMITS.remembered), true),
    /** Tells the login page to clear the browser's storage. An expired session does not, so its drafts are kept. */
    signedOut: () => put('signed_out', '1', wholeSeconds(SESSION_LIMITS.signedOutFor), false),
    clear() {
      for (const name of [SESSION_COOKIE, 'podcaster']) {
        put(name, '', 0, name === SESSION_COOKIE);
        // also clear a cookie without domain, set by an earlier version
        if (shared.domain) headers.append('set-cookie', serialize(name, '', { path: '/', maxAge: 0 }));
      }
    },
  };
}
