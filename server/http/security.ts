import type { IncomingMessage } from 'node:http';
import { createMiddleware } from 'hono/factory';
import { LANGUAGES } from '~/locales/languages';
import { CREATOR_PREVIEW_PATH, isEmbedPath } from '../base/public-paths';
import type { UrlSettings } from '../base/urls';
import type { ChatSettings } from '../env/operator';
import type { AppEnv } from './app-env';
import { mayRecord } from './app-paths';
import { chatSources } from './chat-sources';
import { writtenHost } from './host';

export type PolicySettings = {
  urls: UrlSettings;
  /** Origin of direct browser uploads (S3); null if uploads go to the app. */
  uploadOrigin: string | null;
  /** Vite's client injects styles and uses a WebSocket. */
  development: boolean;
  /** Whether pages may load Google Tag Manager, because the operator has set a container. */
  allowsTagManager?: boolean;
  chat?: ChatSettings | null;
  /** The origins of the payment provider's pages, if they are not ours. */
  paymentOrigins?: string[];
};

/** What pages may ask the browser for. Only the studio asks for anything: it records clips. */
const permissions = (microphone: '()' | '(self)') =>
  `camera=(), geolocation=(), microphone=${microphone}, payment=(), usb=()`;

/** Headers of every response. */
const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': permissions('()'),
} as const;

/** A response whose address is a secret may send less of it than others. */
const STRICT_REFERRERS = ['no-referrer', 'same-origin'];

/**
 * For responses that are not pages, in case a browser renders one. The full policy would be larger than many assets.
 */
const NO_PAGE = "default-src 'none'; frame-ancestors 'none'";

/**
 * For the worker that encodes recordings (app/features/studio/recorder), which has the policy of its own response: it
 * loads and compiles WebAssembly, which pages may not do.
 */
export const ENCODER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

/** Used by doors on Node's own response. */
export const NO_PAGE_HEADERS = { 'x-content-type-options': 'nosniff', 'content-security-policy': NO_PAGE } as const;

/** Headers of pictures and audio, which a browser shows in a document of its own with inline styles. */
export const FILE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': `${NO_PAGE}; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'`,
} as const;

/** Google Tag Manager, and Google Analytics, which it usually loads. */
const TAG_MANAGER = ['https://*.googletagmanager.com', 'https://*.google-analytics.com'];

/** HSTS. */
const STRICT_TRANSPORT = 'max-age=31536000; includeSubDomains';

/** The Content-Security-Policy of a page: our own scripts and styles, and inline ones with the nonce. */
export function contentPolicy(settings: PolicySettings, nonce: string, ancestors = "'none'"): string {
  const { appUrl, publicRoot, mediaUrl } = settings.urls;
  const scheme = new URL(appUrl).protocol;
  const media = [new URL(appUrl).origin, ...(mediaUrl ? [new URL(mediaUrl).origin] : [])];
  const tags = settings.allowsTagManager ? TAG_MANAGER : [];
  const chat = chatSources(settings.chat);
  const directives: Record<string, string[]> = {
    'default-src': ["'self'"],
    'script-src': ["'self'", `'nonce-${nonce}'`, ...tags, ...(chat?.script ?? [])],
    // browsers ignore 'unsafe-inline' beside a nonce
    'style-src': ["'self'", ...(chat?.style ?? [settings.development ? "'unsafe-inline'" : `'nonce-${nonce}'`])],
    // dynamic values such as slider positions and bar widths
    'style-src-attr': ["'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'blob:', ...media, ...tags, ...(chat?.img ?? [])],
    'media-src': ["'self'", 'blob:', ...media, ...(chat?.media ?? [])],
    'connect-src': [
      "'self'",
      ...(settings.uploadOrigin ? [settings.uploadOrigin] : []),
      ...(settings.development ? ['ws:'] : []),
      ...tags,
      ...(chat?.connect ?? []),
    ],
    'font-src': ["'self'", ...(chat?.font ?? [])],
    ...(chat && { 'frame-src': ["'self'", ...chat.frame] }),
    'worker-src': ["'self'", 'blob:'],
    // logging in may redirect to another of our hosts, and paying to the provider's page: browsers also check redirects
    'form-action': ["'self'", new URL(appUrl).origin, `${scheme}//*.${publicRoot}`, ...(settings.paymentOrigins ?? [])],
    'frame-ancestors': [ancestors],
    'base-uri': ["'none'"],
    'object-src': ["'none'"],
    ...(scheme === 'https:' && { 'upgrade-insecure-requests': [] }),
  };
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join('; ');
}

/**
 * CSRF check: whether a changing request comes from a page of the same scheme and host. Browsers always send one of
 * these headers; other clients have no user's cookies.
 */
export function isOwnRequest({ method, headers }: Pick<Request, 'method' | 'headers'>, ownOrigin: string): boolean {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return true;
  const origin = headers.get('origin');
  if (origin !== null) return origin === ownOrigin;
  const site = headers.get('sec-fetch-site');
  return site === null || site === 'same-origin' || site === 'none';
}

/** The same for a request that no framework has read. `trustProxy`: its proxy names the host. */
export function isOwnNodeRequest(
  { method = '', headers }: IncomingMessage,
  { appUrl, trustProxy }: { appUrl: string; trustProxy: boolean },
): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  const sent = new Headers({ ...(origin && { origin }), ...(typeof site === 'string' && { 'sec-fetch-site': site }) });
  const host = writtenHost(headers, trustProxy).toLowerCase();
  return isOwnRequest({ method, headers: sent }, `${new URL(appUrl).protocol}//${host}`);
}

/**
 * REST, the API and assistants authenticate by a header that another site's page cannot send by itself, and apps get their
 * tokens without any cookie.
 */
const TOKEN_ONLY = /^\/(?:(?:api|v1)\/|mcp$|oauth\/(?:token|register|revoke)$)/;

/** The preview of a creator page, which the form shows in a frame. Nothing in it can be clicked. */
const FRAMED = new RegExp(`^(?:/(?:${LANGUAGES.join('|')}))?${CREATOR_PREVIEW_PATH}$`);

/** The sites that may show a page in a frame; null if none may. */
function ancestorsOf(path: string): { policy: string; legacy: string | null } | null {
  if (isEmbedPath(path)) return { policy: '*', legacy: null };
  return FRAMED.test(path) ? { policy: "'self'", legacy: 'SAMEORIGIN' } : null;
}

/** Rejects cross-site requests and sets the security headers on every response. */
export function secure(settings: PolicySettings) {
  const encrypted = settings.urls.appUrl.startsWith('https:');
  return createMiddleware<AppEnv>(async (c, next) => {
    const { origin, nonce } = c.get('requestContext');
    if (!TOKEN_ONLY.test(c.req.path) && !isOwnRequest(c.req.raw, origin))
      c.res = c.text('Sent from another site.', 403);
    else await next();
    const { headers } = c.res;
    const referrer = headers.get('referrer-policy') ?? '';
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) headers.set(name, value);
    if (STRICT_REFERRERS.includes(referrer)) headers.set('referrer-policy', referrer);
    if (encrypted) headers.set('strict-transport-security', STRICT_TRANSPORT);
    const isPage = headers.get('content-type')?.startsWith('text/html');
    if (isPage && mayRecord(c.req.path)) headers.set('permissions-policy', permissions('(self)'));
    if (headers.has('content-security-policy')) return;
    const ancestors = isPage ? ancestorsOf(c.req.path) : null;
    if (ancestors?.legacy) headers.set('x-frame-options', ancestors.legacy);
    else if (ancestors) headers.delete('x-frame-options');
    headers.set('content-security-policy', isPage ? contentPolicy(settings, nonce, ancestors?.policy) : NO_PAGE);
  });
}
