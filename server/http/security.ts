import { createMiddleware } from 'hono/factory';
import type { UrlSettings } from '../urls';
import type { AppEnv } from './app';

export type PolicySettings = {
  urls: UrlSettings;
  /** Where browsers send files to by themselves: an S3 store. */
  uploadOrigin: string | null;
  /** Vite's client puts styles into the page and talks over a web socket. */
  development: boolean;
};

/** What every answer carries. Pages name where they came from to their own site only. */
const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const;

/** For what is no page: should a browser show it as one, it may do nothing. The whole policy would weigh more than many an asset. */
const NO_PAGE = "default-src 'none'; frame-ancestors 'none'";

/** For browsers that have seen https once. */
const STRICT_TRANSPORT = 'max-age=31536000; includeSubDomains';

/** The Content-Security-Policy of one page: scripts and styles of ours, and inline ones that carry the nonce. */
export function contentPolicy(settings: PolicySettings, nonce: string): string {
  const { appUrl, publicRoot, mediaUrl } = settings.urls;
  const scheme = new URL(appUrl).protocol;
  const media = [new URL(appUrl).origin, ...(mediaUrl ? [new URL(mediaUrl).origin] : [])];
  const directives: Record<string, string[]> = {
    'default-src': ["'self'"],
    'script-src': ["'self'", `'nonce-${nonce}'`],
    'style-src': ["'self'", settings.development ? "'unsafe-inline'" : `'nonce-${nonce}'`],
    // a position of a slider, a width of a bar: no style sheet can know them
    'style-src-attr': ["'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'blob:', ...media],
    'media-src': ["'self'", 'blob:', ...media],
    'connect-src': [
      "'self'",
      ...(settings.uploadOrigin ? [settings.uploadOrigin] : []),
      ...(settings.development ? ['ws:'] : []),
    ],
    'font-src': ["'self'"],
    'worker-src': ["'self'", 'blob:'],
    // a log-in on one of our hosts may lead back to another
    'form-action': ["'self'", new URL(appUrl).origin, `${scheme}//*.${publicRoot}`],
    'frame-ancestors': ["'none'"],
    'base-uri': ["'none'"],
    'object-src': ["'none'"],
    ...(scheme === 'https:' && { 'upgrade-insecure-requests': [] }),
  };
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join('; ');
}

/**
 * Whether a request that changes something was sent by a page of the same host. Browsers say where a request comes from;
 * what says nothing is no browser and holds nobody's cookie.
 */
export function isOwnRequest(request: Request, ownOrigin: string): boolean {
  if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS') return true;
  const origin = request.headers.get('origin');
  // the scheme may end at a proxy: host and port decide
  if (origin !== null) return afterScheme(origin) === afterScheme(ownOrigin);
  const site = request.headers.get('sec-fetch-site');
  return site === null || site === 'same-origin' || site === 'none';
}

function afterScheme(origin: string): string {
  return origin.slice(origin.indexOf('//') + 2);
}

/** REST knows its callers by a header that no foreign page can make a browser send. */
const TOKEN_ONLY = /^\/api\//;

/** Turns away what another site's page sent in a visitor's name, and puts the headers on every answer. */
export function secure(settings: PolicySettings) {
  const encrypted = settings.urls.appUrl.startsWith('https:');
  return createMiddleware<AppEnv>(async (c, next) => {
    const { origin, nonce } = c.get('requestContext');
    if (!TOKEN_ONLY.test(c.req.path) && !isOwnRequest(c.req.raw, origin))
      c.res = c.text('Sent from another site.', 403);
    else await next();
    const { headers } = c.res;
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) headers.set(name, value);
    if (encrypted) headers.set('strict-transport-security', STRICT_TRANSPORT);
    if (headers.has('content-security-policy')) return;
    const isPage = headers.get('content-type')?.startsWith('text/html');
    headers.set('content-security-policy', isPage ? contentPolicy(settings, nonce) : NO_PAGE);
  });
}
