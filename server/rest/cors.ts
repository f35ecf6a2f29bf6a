const ALLOWED_HEADERS = 'Authorization, Content-Type, Accept-Language, X-Request-Id';
const EXPOSED_HEADERS = 'X-Request-Id, Retry-After, WWW-Authenticate, Allow';
const METHODS = 'GET, POST, PATCH, DELETE, HEAD, OPTIONS';
const DAY_SECONDS = '86400';

/** Whether pages of an origin may call: those of the settings, or all by `*`, since no cookie ever counts here. */
const isAllowed = (origin: string, origins: readonly string[]) => origins.includes('*') || origins.includes(origin);

/** What lets a browser hand an answer to a page of another origin; never its credentials. */
export function corsHeaders(origin: string | null, origins: readonly string[]): Record<string, string> {
  if (origin === null || !isAllowed(origin, origins)) return {};
  return { 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED_HEADERS };
}

/** What a browser asks for before it sends a call of another origin's page. */
export function preflightHeaders(origin: string | null, origins: readonly string[]): Record<string, string> {
  if (origin === null || !isAllowed(origin, origins)) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': METHODS,
    'access-control-allow-headers': ALLOWED_HEADERS,
    'access-control-max-age': DAY_SECONDS,
  };
}
