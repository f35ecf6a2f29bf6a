import { createRequestHandler, type RequestHandler, type ServerBuild } from '@remix-run/node';
import { translate } from '../messages';
import { RETRY_AFTER_SECONDS } from '../problems';
import type { Runtime } from '../runtime';
import { cookieContext } from '../trpc/context';
import type { App } from './app-env';
import { isDecodable } from './decodable';
import { loadContext } from './load-context';
import { routeSubsets } from './route-subset';
import type { PolicySettings } from './security';
import { securityCheck } from './security-check';
import { inShowLanguage, type ShowLanguages } from './show-language';

export type PageSettings = {
  policy: PolicySettings;
  /** URL of the local inbox; null if emails are really sent. */
  inboxUrl: string | null;
  /** Every page then states that no real money moves. */
  simulatesPayments: boolean;
  /** Remix's build, or in development a function that loads the current one. */
  build: ServerBuild | (() => Promise<ServerBuild>);
  showLanguages: ShowLanguages;
};

/** Answers every remaining URL with a Remix page. Adds the cookies that procedures set. */
export function mountPages(app: App, runtime: Runtime, settings: PageSettings): void {
  const { inboxUrl, simulatesPayments } = settings;
  const handlerFor = pageHandlers(settings);
  app.all('*', async (c) => {
    const { site, language } = c.get('requestContext');
    if (!isReadable(c.req.raw.url)) return c.text(translate(language, 'errors:common.not_found'), 404);
    const { pathname, search } = new URL(c.req.raw.url);
    // the router would print a warning for each link of the page
    if (pathname.includes('//')) return c.redirect(pathname.replace(/\/{2,}/g, '/') + search, 308);
    if (site.kind === 'redirect') return c.redirect(site.to, site.status);
    const request = await inShowLanguage(settings.showLanguages, c.get('requestContext'));
    const rejection = await securityCheck(runtime, request);
    if (rejection) return rejection;
    const out = new Headers();
    const ctx = await cookieContext(runtime, request, out);
    const remix = handlerFor(c.req.path);
    const response = await remix(c.req.raw, await loadContext(ctx, request, { site, inboxUrl, simulatesPayments }));
    for (const cookie of out.getSetCookie()) response.headers.append('set-cookie', cookie);
    if (response.status === 503) response.headers.set('retry-after', String(RETRY_AFTER_SECONDS));
    if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'private, no-cache');
    return response;
  });
}

const MANIFEST = '/__manifest';

/** The Remix handler for a path. In production each handler knows only the routes that its paths can reach. */
function pageHandlers({ build, policy }: PageSettings): (pathname: string) => RequestHandler {
  const whole = createRequestHandler(build, policy.development ? 'development' : 'production');
  if (typeof build === 'function') return () => whole;
  const subsetFor = routeSubsets(build);
  const handlers = new Map<ServerBuild, RequestHandler>();
  return (pathname) => {
    if (pathname === MANIFEST) return whole;
    const subset = subsetFor(pathname);
    const handler = handlers.get(subset) ?? createRequestHandler(subset, 'production');
    handlers.set(subset, handler);
    return handler;
  };
}

/** Remix complains of `_data`, which our pages never send, as of an error of its own. */
function isReadable(url: string): boolean {
  return isDecodable(url) && !/[?&]_data(?:[=&]|$)/.test(url);
}
