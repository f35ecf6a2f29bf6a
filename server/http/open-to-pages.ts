import type { App } from './app-env';

/** Pages of any origin may read the answers. Without credentials: cookies open nothing at these paths. */
const OPEN = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'WWW-Authenticate, Retry-After, Mcp-Session-Id',
};
const PREFLIGHT = {
  'access-control-allow-headers':
    'Authorization, Content-Type, Accept, Last-Event-ID, Mcp-Protocol-Version, Mcp-Session-Id',
  'access-control-max-age': '86400',
};

/** Lets pages of other sites call a path that tokens open, and no cookie. @param methods as in the Allow header */
export function openToPages(app: App, path: string, methods: string): void {
  app.use(path, async (c, next) => {
    await next();
    if (c.get('requestContext').site.kind !== 'app') return;
    for (const [name, value] of Object.entries(OPEN)) c.res.headers.set(name, value);
  });
  app.options(path, (c) => {
    if (c.get('requestContext').site.kind !== 'app') return c.text('Not found.', 404);
    return c.body(null, 204, { ...PREFLIGHT, 'access-control-allow-methods': methods, allow: methods });
  });
}
