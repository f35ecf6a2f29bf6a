import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { DEFAULT_LANGUAGE, type Language } from '~/locales/languages';
import { readCookie } from '../auth/cookies';
import { type ActiveSession, SESSION_COOKIE, type Sessions } from '../auth/sessions';
import { VISITOR } from '../policy/actor';
import type { Actor } from '../runtime/ctx';
import { decideSite, type HostRules, hostName, type Redirect, requestHost, type Site, writtenHost } from './host';
import { acceptedLanguage, detectChosenLanguage, detectClientLanguage } from './language';

/** The client of a request and its language, for every door: pages, tRPC, REST, uploads and audio. */
export type ClientRequest = {
  headers: Headers;
  /** Lower case, without port. */
  host: string;
  /** The client's IP address. */
  address: string;
  requestId: string;
  language: Language;
};

export type RequestContext = ClientRequest & {
  site: Site | Redirect;
  /**
   * The page is a creator's, and neither the visitor nor the browser states one of our languages: the show's language
   * is used.
   */
  usesShowLanguage: boolean;
  /** The origin of the requested host, as the browser sees it. */
  origin: string;
  /** Valid for the inline scripts and styles of this response only. */
  nonce: string;
};

export type RequestRules = {
  hosts: HostRules;
  /** Number of proxies in front whose headers are trusted. */
  trustedProxies: number;
};

/** @param connection its remote address and the id of the request; empty in tests without a socket */
export async function requestContext(
  request: Request,
  rules: RequestRules,
  { address = '', requestId = '' }: { address?: string; requestId?: string } = {},
): Promise<RequestContext> {
  const { headers, method } = request;
  const { hosts, trustedProxies } = rules;
  const url = new URL(request.url);
  const hostHeaders = {
    host: headers.get('host') ?? url.host,
    'x-forwarded-host': headers.get('x-forwarded-host') ?? undefined,
  };
  const written = writtenHost(hostHeaders, trustedProxies > 0);
  const host = hostName(written);
  const site = decideSite(hosts, { host, method, url: url.pathname + url.search });
  const language = await languageOfPage(url, headers);
  return {
    headers,
    host,
    origin: `${new URL(hosts.appUrl).protocol}//${written.toLowerCase()}`,
    address: clientAddress(headers.get('x-forwarded-for'), trustedProxies, address),
    requestId: requestId || randomUUID(),
    language: language ?? DEFAULT_LANGUAGE,
    site,
    usesShowLanguage: site.kind === 'creator' && language === null,
    nonce: randomBytes(16).toString('base64'),
  };
}

/**
 * The request context for doors on Node's request. They serve no pages, so the language is the cookie's or an accepted
 * one.
 */
export async function nodeClientRequest(
  req: IncomingMessage,
  trustedProxies: number,
  requestId = '',
): Promise<ClientRequest> {
  const { headers } = req;
  const client = { cookie: headers.cookie, acceptLanguage: headers['accept-language'] };
  return {
    headers: new Headers({ cookie: headers.cookie ?? '', 'user-agent': headers['user-agent'] ?? '' }),
    host: requestHost(headers, trustedProxies > 0),
    address: nodeClientAddress(req, trustedProxies),
    requestId: requestId || randomUUID(),
    language: (await detectClientLanguage(client)) ?? DEFAULT_LANGUAGE,
  };
}

export function nodeClientAddress({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const header = headers['x-forwarded-for'];
  const forwarded = Array.isArray(header) ? header.join(',') : (header ?? null);
  return clientAddress(forwarded, trustedProxies, socket.remoteAddress ?? '');
}

/**
 * Each proxy appends the address that it received the request from. Only the entries of our own proxies are
 * trustworthy.
 */
export function clientAddress(forwarded: string | null, trustedProxies: number, socketAddress: string): string {
  const hops = forwarded ? forwarded.split(',').map((part) => part.trim()) : [];
  const address = (trustedProxies > 0 && hops.at(-trustedProxies)) || socketAddress;
  return address.replace(/^::ffff:(?=\d+\.)/, '');
}

export function sessionToken(cookieHeader: string | null | undefined): string | undefined {
  return readCookie(cookieHeader, SESSION_COOKIE);
}

/** The session of the request's cookie; null for a visitor or an expired session. */
export async function readSession(
  sessions: Pick<Sessions, 'read'>,
  cookieHeader: string | null | undefined,
): Promise<ActiveSession | null> {
  const token = sessionToken(cookieHeader);
  return token ? sessions.read(token) : null;
}

export function actorOf(session: ActiveSession | null): Actor {
  if (!session) return VISITOR;
  const { userId, creatorId, role, token: sessionId } = session;
  return { type: 'user', userId, creatorId, role, sessionId };
}

/** REST has no switch between teams, so every user works for their own page (docs/decisions/0155). */
export function ownActorOf(session: ActiveSession | null): Actor {
  return actorOf(session && { ...session, creatorId: session.ownCreatorId, role: 'owner' });
}

/**
 * The visitor's choice (spec §2.5), or without one, the language that the browser prefers. A tRPC call uses the
 * language of the page that sends it, which Referer names.
 */
async function languageOfPage(url: URL, headers: Headers): Promise<Language | null> {
  const referrer = url.pathname.startsWith('/trpc/') ? parsePageUrl(headers.get('referer')) : null;
  const chosen = await detectChosenLanguage(referrer ?? url, headers.get('cookie'));
  return chosen ?? acceptedLanguage(headers.get('accept-language'));
}

function parsePageUrl(text: string | null): URL | null {
  return text !== null && /^https?:/i.test(text) && URL.canParse(text) ? new URL(text) : null;
}
