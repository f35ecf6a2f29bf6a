import { createRequestHandler } from '@remix-run/node';
import { cookieContext } from '../trpc/context';
import type { World } from '../world';
import type { App, AppSettings } from './app';
import { loadContext } from './load-context';
import { securityCheck } from './security-check';

/** Whatever no door before answered is a page. Cookies that procedures set leave with it. */
export function mountPages(app: App, world: World, settings: Pick<AppSettings, 'build' | 'inboxUrl' | 'policy'>): void {
  const remix = createRequestHandler(settings.build, settings.policy.development ? 'development' : 'production');
  app.all('*', async (c) => {
    const facts = c.get('facts');
    const { site } = facts;
    if (site.kind === 'redirect') return c.redirect(site.to, site.status);
    const ended = await securityCheck(world, facts);
    if (ended) return ended;
    const out = new Headers();
    const ctx = await cookieContext(world, facts, out);
    const response = await remix(c.req.raw, await loadContext(ctx, facts, { site, inboxUrl: settings.inboxUrl }));
    for (const cookie of out.getSetCookie()) response.headers.append('set-cookie', cookie);
    if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'private, no-cache');
    return response;
  });
}
