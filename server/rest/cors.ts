const ALLOWED_HEADERS = 'Authorization, Content-Type, Accept-Language, X-Request-Id';
const EXPOSED_HEADERS = 'X-Request-Id, Retry-After, WWW-Authenticate, Allow';
const METHODS = 'GET, POST, PATCH, DELETE, HEAD, OPTIONS';
const DAY_SECONDS = '86400';

/** Whether pages of this origin may call the API. `*` is safe because cookies give no access here. */
const isAllowed = (origin: string, origins: readonly string[]) => origins.includes('*') || origins.includes(origin);

/** Headers that let a page of another origin read the response; never with credentials. */
export function corsHeaders(origin: string | null, origins: readonly string[]): Record<string, string> {
  if (origin === null || !isAllowed(origin, origins)) return {};
  return { 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED_HEADERS };
}

/** Headers of the response to a preflight request. */
export function preflightHeaders(origin: string | null, origins: readonly string[]): Record<string, string> {
  if (origin === null || !isAllowed(origin, origins)) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': METHODS,
    'access-control-allow-headers': ALLOWED_HEADERS,
    'access-control-max-age': DAY_SECONDS,
  };
}
