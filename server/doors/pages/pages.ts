import { createRequestHandler, type RequestHandler, type ServerBuild } from '@remix-run/node';
import { sourceCookies } from '../../auth/source-cookies';
import { translate } from '../../base/messages';
import { RETRY_AFTER_SECONDS } from '../../base/problems';
import { type Lazy, openOnce } from '../../flow/open-once';
import type { App } from '../../http/app-env';
import { CACHE_TAGS } from '../../http/caches/shared-response';
import { inShowLanguage, type ShowLanguages } from '../../http/caches/show-language';
import { isDecodable } from '../../http/decodable';
import { noteAppRoute } from '../../http/record-requests';
import type { RequestContext } from '../../http/request-context';
import { routeSubsets } from '../../http/route-subset';
import type { FindTemplate } from '../../http/route-templates';
import type { PolicySettings } from '../../http/security';
import { type Breach, hasDoubledCookie, isPrefetch, MANIFEST_PATH, securityCheck } from '../../http/security-check';
import type { Runtime } from '../../runtime/runtime';
import { cookieContext } from '../../trpc/context';
import { UNMATCHED } from '../../watching/request-counts';
import { followAffiliateLink } from './affiliate-links';
import { pageMethods, READS } from './allowed-methods';
import { announceRoutes } from './announce-routes';
import { loadContext } from './load-context';
import { withModules } from './page-modules';

export type PageSettings = {
  policy: PolicySettings;
  /** URL of the local inbox; null if real emails are sent. */
  inboxUrl: string | null;
  /** Every page then states that no real money moves. */
  simulatesPayments: boolean;
  /** Whether the demo is being created: every page then states it, and none is cached. */
  preparesDemo?: () => boolean;
  /** Remix's build, or in development a function that loads the current one. */
  build: ServerBuild | (() => Promise<ServerBuild>);
  showLanguages: ShowLanguages;
  templates?: FindTemplate;
};

/** Answers every remaining URL with a Remix page. Adds the cookies that procedures set. */
export function mountPages(app: App, runtime: Runtime, settings: PageSettings): void {
  const { inboxUrl, simulatesPayments, preparesDemo: isPreparing = () => false } = settings;
  const handlerFor = pageHandlers(settings);
  const methodsOf = methodsFor(settings);
  app.all('*', async (c) => {
    const { site, language } = c.get('requestContext');
    noteAppRoute(c, c.req.path === MANIFEST_PATH ? MANIFEST_PATH : (settings.templates?.(c.req.path) ?? UNMATCHED));
    if (!isReadable(c.req.raw.url)) return c.text(translate(language, 'errors:common.not_found'), 404);
    const { pathname, search } = new URL(c.req.raw.url);
    // the router would print a warning for each link of the page
    if (pathname.includes('//')) return c.redirect(pathname.replace(/\/{2,}/g, '/') + search, 308);
    if (site.kind === 'redirect') return c.redirect(site.to, site.status);
    const followed = isDataRequest(pathname)
      ? null
      : await followAffiliateLink(runtime, c.get('requestContext'), c.req.raw);
    if (followed) return followed;
    const request = await inShowLanguage(settings.showLanguages, c.get('requestContext'));
    const { headers } = request;
    if (isPrefetch(headers) && hasDoubledCookie(headers.get('cookie'))) return c.body(null, 204, NOT_KEPT);
    const breach = await securityCheck(runtime, request, pathname);
    if (breach && !isDataRequest(pathname)) return redirectAway(breach);
    const out = breach?.headers ?? new Headers();
    const ctx = await cookieContext(runtime, breach ? withoutCookies(request) : request, out);
    if (site.kind === 'app' && !breach) addSource(runtime, request, c.req.raw.url, out);
    const remix = await handlerFor(c.req.path);
    const preparesDemo = isPreparing();
    const options = {
      ...{ site, inboxUrl, simulatesPayments, preparesDemo },
      leaveFor: breach?.to ?? null,
      fileProblem: c.get('fileProblem') ?? null,
    };
    const response = await remix(
      withOwnHost(c.req.raw, c.get('requestContext')),
      await loadContext(ctx, request, options),
    );
    addHeaders(response, out);
    if (preparesDemo) forbidCaching(response);
    if (response.status === 405) response.headers.set('allow', await methodsOf(c.req.path));
    if (response.status === 503) response.headers.set('retry-after', String(RETRY_AFTER_SECONDS));
    if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'private, no-cache');
    return response;
  });
}

/** In development, where the build can change, the pages' actions are unknown. */
function methodsFor({ build, templates }: PageSettings): (path: string) => Promise<string> {
  if (typeof build === 'function' || !templates) return async () => READS;
  const subsetFor = routeSubsets(build);
  return async (path) => pageMethods(await withModules(subsetFor(path)), templates)(path);
}

/**
 * Remix compares the origin of a form with the headers of the host, trusts every client's `x-forwarded-host`, and
 * answers 500 if they differ. `secure` has already compared the origin with the right host.
 */
function withOwnHost(request: Request, { origin }: RequestContext): Request {
  if (request.method === 'GET' || request.method === 'HEAD') return request;
  const headers = new Headers(request.headers);
  headers.delete('x-forwarded-host');
  headers.set('host', new URL(origin).host);
  return new Request(request, { headers });
}

/** Records the campaign of a link to the app. Campaigns of creators are not ours. */
function addSource({ cookies }: Runtime, { host }: RequestContext, url: string, out: Headers): void {
  for (const cookie of sourceCookies(cookies, host, url)) out.append('set-cookie', cookie);
}

/** Otherwise the notice would stay on the page after the demo is complete. */
function forbidCaching({ headers }: Response): void {
  headers.delete(CACHE_TAGS);
  headers.set('cache-control', NOT_KEPT['cache-control']);
}

const NOT_KEPT = { 'cache-control': 'no-store' };

/** A route change in the browser. Only its loaders can redirect it. */
const isDataRequest = (pathname: string) => pathname.endsWith('.data');

function redirectAway({ to, headers }: Breach): Response {
  headers.set('location', to);
  return new Response(null, { status: 302, headers });
}

function withoutCookies(request: RequestContext): RequestContext {
  const headers = new Headers(request.headers);
  headers.delete('cookie');
  return { ...request, headers };
}

/** Procedures set cookies; a breach also sets other headers. */
function addHeaders(response: Response, added: Headers): void {
  added.forEach((value, name) => {
    if (name !== 'set-cookie') response.headers.set(name, value);
  });
  for (const cookie of added.getSetCookie()) response.headers.append('set-cookie', cookie);
}

/**
 * The Remix handler for a path. In production each handler knows only the routes that its paths can reach, and loads
 * their modules when it is first needed.
 */
function pageHandlers({ build, policy }: PageSettings): (pathname: string) => Promise<RequestHandler> {
  if (typeof build === 'function') {
    const whole = createRequestHandler(build, policy.development ? 'development' : 'production');
    return async () => whole;
  }
  const subsetFor = routeSubsets(build);
  const handlers = new Map<ServerBuild, Lazy<RequestHandler>>();
  const handlerFor = (pathname: string) => {
    const subset = subsetFor(pathname);
    const open = async () => createRequestHandler(await withModules(subset), 'production');
    const handler = handlers.get(subset) ?? openOnce(open);
    handlers.set(subset, handler);
    return handler.get();
  };
  const announcing = announceRoutes(handlerFor);
  return async (pathname) => (pathname === MANIFEST_PATH ? announcing : handlerFor(pathname));
}

/** Remix reports `_data`, which our pages never send, as an error of its own. */
function isReadable(url: string): boolean {
  return isDecodable(url) && !/[?&]_data(?:[=&]|$)/.test(url);
}
