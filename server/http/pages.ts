import { createRequestHandler } from '@remix-run/node';
import type { Runtime } from '../runtime';
import { cookieContext } from '../trpc/context';
import type { App, AppSettings } from './app';
import { loadContext } from './load-context';
import { securityCheck } from './security-check';

/** Whatever no door before answered is a page. Cookies that procedures set leave with it. */
export function mountPages(
  app: App,
  runtime: Runtime,
  settings: Pick<AppSettings, 'build' | 'inboxUrl' | 'policy' | 'simulatesPayments'>,
): void {
  const { inboxUrl, simulatesPayments } = settings;
  const remix = createRequestHandler(settings.build, settings.policy.development ? 'development' : 'production');
  app.all('*', async (c) => {
    const request = c.get('requestContext');
    const { site } = request;
    if (site.kind === 'redirect') return c.redirect(site.to, site.status);
    const ended = await securityCheck(runtime, request);
    if (ended) return ended;
    const out = new Headers();
    const ctx = await cookieContext(runtime, request, out);
    const response = await remix(c.req.raw, await loadContext(ctx, request, { site, inboxUrl, simulatesPayments }));
    for (const cookie of out.getSetCookie()) response.headers.append('set-cookie', cookie);
    if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'private, no-cache');
    return response;
  });
}
