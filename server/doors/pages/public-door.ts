import type { IncomingMessage, ServerResponse } from 'node:http';
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from '~/locales/languages';
import { SITE_SLUGS } from '~/locales/site-slugs';
import { readCookie } from '../../auth/cookies';
import { SESSION_COOKIE } from '../../auth/sessions';
import { hasSource, sourceCookies } from '../../auth/source-cookies';
import { namesAffiliate } from '../../base/affiliate-cookie';
import { describeProblem } from '../../base/problems';
import { isEmbedPath, isFromOldFeed, pageOfFeed, slugOfFeedPath, staysAtFeed } from '../../base/public-paths';
import { type CachedResponse, type Rendered, sendCached } from '../../http/caches/cached-response';
import type { PageCache } from '../../http/caches/page-cache';
import { toRendered } from '../../http/caches/shared-response';
import { decideSite, type HostRules, type Redirect, requestHost, type Site } from '../../http/host';
import { acceptedLanguage, languageInPath, storedLanguage } from '../../http/language';
import type { FindTemplate } from '../../http/route-templates';
import { NO_PAGE_HEADERS } from '../../http/security';
import { hasDoubledCookie } from '../../http/security-check';
import { sendUnavailable } from '../../http/send-unavailable';
import { CACHE_LIMITS } from '../../limits/http';
import type { Log } from '../../watching/log';
import { noteCacheHit, noteRoute } from '../../watching/observed-response';
import { UNMATCHED } from '../../watching/request-counts';
import type { FeedAddress } from '../feeds/feeds';
import { createKnownAddresses } from './known-addresses';

export type PublicDoor = {
  rules: HostRules;
  cache: PageCache;
  templates?: FindTemplate;
  log: Log;
  renderFeed(address: FeedAddress): Promise<Rendered>;
  /** Renders a page as an anonymous visitor sees it; null in development, where pages are not cached. */
  renderPage: ((request: Request, req: IncomingMessage, res: ServerResponse) => Promise<Response>) | null;
};

/** Campaigns and networks add these; they do not change the page. The app counts links of affiliates (`ref`). */
const TRACKING_PARAMETER = /^(?:ref|utm_\w+|fbclid|gclid|igshid|mc_cid|mc_eid)$/;
/**
 * The only query parameters of cached pages, in the order that our links use, and only for the pages that they change:
 * others would let anyone fill the cache with copies. Search results are rendered for each request.
 */
const PARAMETERS = {
  show: /^(?:season=[1-9]\d{0,4})?(?:(?:^|&)page=[1-9]\d{0,4})?$/,
  discover: /^(?:page=[1-9]\d{0,4})?$/,
  pricing: /^(?:period=year)?$/,
  embed: /^(?:theme=(?:auto|light|dark))?$/,
  other: /^$/,
};
const SHOW_PAGE = /^\/p\/[^/]+$/;
/** Only in the spelling of our links: `..` leads to any other path, and each other spelling would be kept as a copy. */
const PUBLIC_PATH = /^\/(?:p\/[a-z\d-]+(?:\/[a-z\d-]+)?\/?|n(?:\/[a-z\d-]+)?)?$/;
const isPage = (slugs: Record<Language, string>) =>
  new RegExp(`^(?:/(?:${LANGUAGES.join('|')}))?/(?:${Object.values(slugs).join('|')})$`);
const DISCOVER_PAGE = isPage(SITE_SLUGS.discover);
const PRICING_PAGE = isPage(SITE_SLUGS.pricing);
/** The home page and the pages of the site that are the same for all visitors. */
const FIRST_PARTS = Object.values(SITE_SLUGS).flatMap((names) => Object.values(names));
/** Their texts, only in the spelling of our links; addresses of other spellings and of no text are not cached. */
const WITH_TEXTS = [SITE_SLUGS.blog, SITE_SLUGS.resources, SITE_SLUGS.help, SITE_SLUGS.moving].flatMap((slugs) =>
  Object.values(slugs),
);
const SITE_TEXT = `(?:${[...WITH_TEXTS, 'pages'].join('|')})(?:/tag)?/[a-z\\d-]+`;
const SITE_PAGE = new RegExp(`^(?:/(?:${LANGUAGES.join('|')}))?(?:/(?:${FIRST_PARTS.join('|')}|${SITE_TEXT})?)?$`);
/** Request headers about one visitor or one connection, which rendering must not see. */
const PERSONAL_HEADER =
  /^(?:accept-encoding|if-.*|cookie|authorization|range|connection|host|transfer-encoding|content-length)$/;

/**
 * Redirects to the canonical host, and serves anonymous reads of public pages and feeds from memory. All other requests
 * go to the app. Both functions return whether the request was handled.
 *
 * - `answerKnown` runs before all other doors. It answers only what `answer` has answered before, so those doors have
 *   already let the same host and URL pass.
 * - `answer` runs before the app.
 */
export function createPublicDoor(door: PublicDoor) {
  const { trustProxy } = door.rules;
  const routes = createKnownAddresses<Route>(trustProxy);

  function answerKnown(req: IncomingMessage, res: ServerResponse): boolean {
    const { method, url = '/', headers } = req;
    if ((method !== 'GET' && method !== 'HEAD') || headers.cookie !== undefined) return false;
    const route = routes.find(headers, url);
    return route !== undefined && serveRoute(door, route, req, res);
  }

  function answer(req: IncomingMessage, res: ServerResponse): boolean {
    const { method = 'GET', url = '/', headers } = req;
    const host = requestHost(headers, trustProxy);
    const reads = method === 'GET' || method === 'HEAD';
    // a proxy's form of the URL begins with `http://`
    const isCacheable = url.startsWith('/') && url.length <= CACHE_LIMITS.addressLength;
    if (reads && hasSource(url)) addSource(door, host, req, res);
    const site = decideSite(door.rules, { host, method, url });
    if (site.kind === 'redirect') {
      noteRoute(res, 'redirect');
      return redirectTo(res, site, isCacheable);
    }
    const route = isCacheable && reads ? routeFor(door, site, host, req) : null;
    if (!route) return false;
    if (headers.cookie === undefined && !hasSource(url)) routes.add(headers, url, route);
    return serveRoute(door, route, req, res);
  }

  return { answerKnown, answer };
}

/**
 * Adds the cookie of the campaign to the app's pages, even to pages from memory: only this response gets them. The app adds
 * them to responses that this door does not send.
 */
function addSource({ rules }: PublicDoor, host: string, req: IncomingMessage, res: ServerResponse): void {
  const { method = 'GET', url = '/' } = req;
  if (decideSite(rules, { host, method, url }).kind !== 'app' || !SITE_PAGE.test(url.split('?', 1)[0] as string))
    return;
  const { hostname, protocol } = new URL(rules.appUrl);
  const cookies = sourceCookies({ appHost: hostname, secure: protocol === 'https:' }, host, url);
  if (cookies.length > 0) res.setHeader('set-cookie', cookies);
}

/** The response of a URL: a feed, or a page that is the same for all anonymous visitors. */
type Route = { host: string } & (
  | ({ kind: 'feed'; key: string } & FeedAddress)
  | { kind: 'page'; key: string; url: string; template: string }
);
const FEED = '/p/:slug/feed.xml';

function routeFor(door: PublicDoor, site: Site, host: string, req: IncomingMessage): Route | null {
  // the app counts the visit by the link of an affiliate, and redirects
  if (site.kind === 'unknown' || (site.kind === 'app' && namesAffiliate(req.url ?? ''))) return null;
  const slug = site.kind === 'creator' ? slugOfFeedPath(site.path) : null;
  if (slug !== null && site.kind === 'creator') {
    const { domain } = site;
    const { url = '' } = req;
    const [page, stays, isMarked] = [pageOfFeed(url), staysAtFeed(url), isFromOldFeed(url)];
    const form = stays ? 'stay' : isMarked ? 'marked' : page;
    return { kind: 'feed', host, key: `feed ${domain} ${slug} ${form}`, domain, slug, page, stays, isMarked };
  }
  return door.renderPage && pageOf(door, site, host, req);
}

function serveRoute(door: PublicDoor, route: Route, req: IncomingMessage, res: ServerResponse): true {
  noteRoute(res, route.kind === 'feed' ? FEED : route.template);
  if (route.kind === 'feed') return answerFromCache(door, route.key, req, res, () => door.renderFeed(route));
  const render = async () => toRendered(await door.renderPage!(anonymousRequest(door, route, req), req, res));
  return answerFromCache(door, route.key, req, res, render);
}

/** A page that is the same for all anonymous visitors: its cache key, and its URL without irrelevant parameters. */
function pageOf(door: PublicDoor, site: Site, host: string, { url = '/', headers }: IncomingMessage): Route | null {
  const { cookie } = headers;
  const at = url.indexOf('?');
  const path = at < 0 ? url : url.slice(0, at);
  const isEmbed = site.kind === 'app' && isEmbedPath(path);
  if (!isEmbed && (site.kind === 'creator' ? !PUBLIC_PATH.test(site.path) : !SITE_PAGE.test(path))) return null;
  // in a frame, where most browsers send no cookies, every request counts as a visitor's
  const hasPersonal = cookie !== undefined && (readCookie(cookie, SESSION_COOKIE) || hasDoubledCookie(cookie));
  if (hasPersonal && !isEmbed) return null;
  const query = at < 0 ? '' : relevantQuery(url.slice(at + 1), PARAMETERS[isEmbed ? 'embed' : pageKind(site, path)]);
  if (query === null) return null;
  const chosen = languageInPath(path) ?? storedLanguage(cookie);
  const language = chosen ?? defaultLanguage(site, headers['accept-language']);
  const address = query === '' ? path : `${path}?${query}`;
  return {
    kind: 'page',
    host,
    key: `page ${host} ${language} ${address}`,
    url: address,
    template: door.templates?.(path) ?? UNMATCHED,
  };
}

/**
 * A path without a language uses the visitor's stored one (spec §2.5), then the browser's; without either, a creator's
 * page follows its show.
 */
function defaultLanguage(site: Site, acceptLanguage: string | undefined): Language | 'show' {
  return acceptedLanguage(acceptLanguage) ?? (site.kind === 'creator' ? 'show' : DEFAULT_LANGUAGE);
}

function pageKind(site: Site, path: string): Exclude<keyof typeof PARAMETERS, 'embed'> {
  if (site.kind === 'creator') return SHOW_PAGE.test(site.path) ? 'show' : 'other';
  return DISCOVER_PAGE.test(path) ? 'discover' : PRICING_PAGE.test(path) ? 'pricing' : 'other';
}

/** The query without tracking parameters; null if it has parameters that are not cached. */
function relevantQuery(query: string, parameters: RegExp): string | null {
  const parts = query
    .split('&')
    .filter((part) => part !== '' && !TRACKING_PARAMETER.test(part.split('=', 1)[0] as string));
  const relevant = parts.join('&');
  return parameters.test(relevant) ? relevant : null;
}

function answerFromCache(
  door: PublicDoor,
  key: string,
  req: IncomingMessage,
  res: ServerResponse,
  render: () => Promise<Rendered>,
): true {
  const found = door.cache.find(key);
  if (found) {
    noteCacheHit(res);
    answerShared(door, key, found, req, res);
    if (door.cache.needsRefresh(key, found)) void refreshPage(door, key, render);
  } else void answerLoaded(door, key, req, res, render);
  return true;
}

async function refreshPage(door: PublicDoor, key: string, render: () => Promise<Rendered>) {
  try {
    await door.cache.load(key, render);
  } catch (err) {
    door.log.warn({ err, key }, 'cache refresh failed');
  }
}

function answerShared(
  door: PublicDoor,
  key: string,
  shared: CachedResponse,
  req: IncomingMessage,
  res: ServerResponse,
) {
  sendCached(shared, req, res, () => door.cache.measureAgain(shared, key));
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
    const expired = 'own' in loaded && loaded.own.status === 503 ? door.cache.findExpired(key) : undefined;
    if (expired) answerShared(door, key, expired, req, res);
    else if ('shared' in loaded) answerShared(door, key, loaded.shared, req, res);
    else answerOwn(loaded.own, req, res);
  } catch (err) {
    if (describeProblem(err).kind === 'unavailable') return answerUnavailable(door, key, req, res);
    door.log.error({ err, url: req.url }, 'rendering a public page failed');
    if (!res.headersSent) res.writeHead(500, { 'content-type': 'text/plain', 'cache-control': 'no-store' });
    res.end();
  }
}

/** Answers with the last response, or with 503. */
function answerUnavailable(door: PublicDoor, key: string, req: IncomingMessage, res: ServerResponse): void {
  const expired = door.cache.findExpired(key);
  if (expired) answerShared(door, key, expired, req, res);
  else sendUnavailable(res);
}

function answerOwn(rendered: Rendered, req: IncomingMessage, res: ServerResponse) {
  const cookies = rendered.cookies?.flatMap((cookie) => ['set-cookie', cookie]) ?? [];
  const headers = Object.entries(rendered.headers).flat();
  res.writeHead(rendered.status, [...headers, ...cookies, 'content-length', String(rendered.body.length)]);
  if (req.method === 'HEAD') res.end();
  else res.end(rendered.body);
}

/** The request without personal headers, except for the language cookie. */
function anonymousRequest(
  door: PublicDoor,
  { host, url }: { host: string; url: string },
  req: IncomingMessage,
): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers)) {
    if (typeof value === 'string' && !PERSONAL_HEADER.test(name)) headers.set(name, value);
  }
  const language = storedLanguage(req.headers.cookie);
  if (language) headers.set('cookie', `language=${language}`);
  const requestedHost = req.headers.host ?? host;
  headers.set('host', requestedHost);
  const scheme = door.rules.appUrl.slice(0, door.rules.appUrl.indexOf(':'));
  return new Request(`${scheme}://${requestedHost}${url}`, { headers });
}

function redirectTo(res: ServerResponse, { to, status }: Redirect, isCacheable: boolean): true {
  const cacheControl = isCacheable ? 'public, max-age=300' : 'no-store';
  res.writeHead(status, { ...NO_PAGE_HEADERS, location: to, 'cache-control': cacheControl, 'content-length': '0' });
  res.end();
  return true;
}
