import type { IncomingMessage, ServerResponse } from 'node:http';
import { DEFAULT_LANGUAGE, isLanguage, LANGUAGES } from '~/locales/languages';
import { readCookie } from '../auth/cookies';
import { SESSION_COOKIE } from '../auth/sessions';
import type { Log } from '../log';
import { slugOfFeedPath } from '../public-paths';
import { answerWith, type CachedAnswer, type Rendered } from './cached-answer';
import { decideSite, type HostRules, requestHost, type Site } from './host';
import type { PageCache } from './page-cache';
import { fromResponse } from './shareable';

export type PublicDoor = {
  rules: HostRules;
  cache: PageCache;
  log: Log;
  renderFeed(domain: string, slug: string): Promise<Rendered>;
  /** The app itself, asked as an anonymous visitor would ask; null where pages must not be kept (development). */
  renderPage: ((request: Request, req: IncomingMessage, res: ServerResponse) => Promise<Response>) | null;
};

/** What campaigns and networks add to a link; it changes nothing about the page. */
const IDLE_PARAMETER = /^(?:utm_\w+|fbclid|gclid|igshid|mc_cid|mc_eid)$/;
/** Addresses of one host that differ by nothing else: more would let anyone fill the cache with copies. */
const PARAMETER = /^page=\d{1,5}$/;
const HOME = new RegExp(`^/(?:(?:${LANGUAGES.join('|')})/?)?$`);
/** Asked of the app as if by nobody in particular. */
const PERSONAL =
  /^(?:accept-encoding|if-.*|cookie|authorization|range|connection|host|transfer-encoding|content-length)$/;

/**
 * Asked before the app: sends visitors to the canonical host, and answers anonymous
 * reads of public pages and feeds from memory, before any framework. Whatever else is asked for goes on to the app.
 * @returns whether the request was taken
 */
export function createPublicDoor(door: PublicDoor) {
  /** What was found out about an address before, which nearly all requests ask again. */
  const plans = new Map<string, Plan>();
  return (req: IncomingMessage, res: ServerResponse): boolean => {
    const { method = 'GET', url = '/' } = req;
    const host = requestHost(req.headers, door.rules.trustProxy);
    const reads = method === 'GET' || method === 'HEAD';
    const plain = reads && req.headers.cookie === undefined ? `${host} ${url}` : null;
    const known = plain === null ? undefined : plans.get(plain);
    if (known) return follow(door, known, host, req, res);
    const site = decideSite(door.rules, { host, method, url });
    if (site.kind === 'redirect') return sendOn(res, site.to, site.status);
    const plan = reads ? planFor(door, site, host, url, req.headers.cookie) : null;
    if (!plan) return false;
    if (plans.size >= PLANS) plans.clear();
    if (plain !== null) plans.set(plain, plan);
    return follow(door, plan, host, req, res);
  };
}

/** How an address is answered: with a feed, or with a page that all anonymous visitors see alike. */
type Plan = { kind: 'feed'; key: string; domain: string; slug: string } | { kind: 'page'; key: string; url: string };
const PLANS = 5000;

function planFor(door: PublicDoor, site: Site, host: string, url: string, cookie: string | undefined): Plan | null {
  if (site.kind === 'unknown') return null;
  const slug = site.kind === 'creator' ? slugOfFeedPath(site.path) : null;
  if (slug !== null && site.kind === 'creator') {
    const { domain } = site;
    return { kind: 'feed', key: `feed ${domain} ${slug}`, domain, slug };
  }
  return door.renderPage && pageOf(site, host, url, cookie);
}

function follow(door: PublicDoor, plan: Plan, host: string, req: IncomingMessage, res: ServerResponse): true {
  if (plan.kind === 'feed') return answer(door, plan.key, req, res, () => door.renderFeed(plan.domain, plan.slug));
  const render = async () => fromResponse(await door.renderPage!(anonymous(door, host, plan.url, req), req, res));
  return answer(door, plan.key, req, res, render);
}

/** A page that all anonymous visitors see alike: its identity, and the address without what does not matter. */
function pageOf(site: Site, host: string, url: string, cookie: string | undefined): Plan | null {
  const at = url.indexOf('?');
  const path = at < 0 ? url : url.slice(0, at);
  if (site.kind === 'creator' ? !isPublicPath(site.path) : !HOME.test(path)) return null;
  if (cookie !== undefined && readCookie(cookie, SESSION_COOKIE)) return null;
  const query = at < 0 ? '' : kept(url.slice(at + 1));
  if (query === null) return null;
  // a path without a language is read in the one that the visitor chose before (spec §2.5)
  const language = cookie === undefined ? '' : (readCookie(cookie, 'language') ?? '');
  const address = query === '' ? path : `${path}?${query}`;
  return {
    kind: 'page',
    key: `page ${host} ${isLanguage(language) ? language : DEFAULT_LANGUAGE} ${address}`,
    url: address,
  };
}

function isPublicPath(path: string): boolean {
  return path === '/' || (path.startsWith('/p/') && !path.endsWith('.data'));
}

/** The query as far as it matters; null where it holds what the cache knows nothing about. */
function kept(query: string): string | null {
  const parts = query.split('&').filter((part) => part !== '' && !IDLE_PARAMETER.test(part.split('=', 1)[0] as string));
  return parts.length === 0
    ? ''
    : parts.length === 1 && PARAMETER.test(parts[0] as string)
      ? (parts[0] as string)
      : null;
}

function answer(
  door: PublicDoor,
  key: string,
  req: IncomingMessage,
  res: ServerResponse,
  render: () => Promise<Rendered>,
): true {
  const found = door.cache.find(key);
  if (found) {
    answerShared(door, key, found, req, res);
    if (door.cache.wantsRenewal(key, found)) void renew(door, key, render);
  } else void answerLoaded(door, key, req, res, render);
  return true;
}

async function renew(door: PublicDoor, key: string, render: () => Promise<Rendered>) {
  try {
    await door.cache.load(key, render);
  } catch (err) {
    door.log.warn({ err, key }, 'a kept page could not be made anew');
  }
}

function answerShared(door: PublicDoor, key: string, shared: CachedAnswer, req: IncomingMessage, res: ServerResponse) {
  answerWith(shared, req, res, (bytes) => door.cache.grew(shared, key, bytes));
}

async function answerLoaded(
  door: PublicDoor,
  key: string,
  req: IncomingMessage,
  res: ServerResponse,
  render: () => Promise<Rendered>,
) {
  try {
    const loaded = await door.cache.load(key, render);
    if ('shared' in loaded) answerShared(door, key, loaded.shared, req, res);
    else answerOwn(loaded.own, req, res);
  } catch (err) {
    door.log.error({ err, url: req.url }, 'a public page could not be rendered');
    if (!res.headersSent) res.writeHead(500, { 'content-type': 'text/plain', 'cache-control': 'no-store' });
    res.end();
  }
}

function answerOwn(rendered: Rendered, req: IncomingMessage, res: ServerResponse) {
  const cookies = rendered.cookies?.flatMap((cookie) => ['set-cookie', cookie]) ?? [];
  const headers = Object.entries(rendered.headers).flat();
  res.writeHead(rendered.status, [...headers, ...cookies, 'content-length', String(rendered.body.length)]);
  if (req.method === 'HEAD') res.end();
  else res.end(rendered.body);
}

/** The request without what is about one visitor, but for the language that they chose. */
function anonymous(door: PublicDoor, host: string, url: string, req: IncomingMessage): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers)) {
    if (typeof value === 'string' && !PERSONAL.test(name)) headers.set(name, value);
  }
  const language = req.headers.cookie === undefined ? undefined : readCookie(req.headers.cookie, 'language');
  if (isLanguage(language)) headers.set('cookie', `language=${language}`);
  const asked = req.headers.host ?? host;
  headers.set('host', asked);
  const scheme = door.rules.appUrl.slice(0, door.rules.appUrl.indexOf(':'));
  return new Request(`${scheme}://${asked}${url}`, { headers });
}

function sendOn(res: ServerResponse, location: string, status: number): true {
  res.writeHead(status, ['location', location, 'cache-control', 'public, max-age=300', 'content-length', '0']);
  res.end();
  return true;
}
