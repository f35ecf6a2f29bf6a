import { parse, serialize } from 'hono/utils/cookie';

type Sent = { header: string; host: string; pathname: string };

/** A longer path has cookies of its shorter ones only. */
const MAX_SEGMENTS = 10;

/**
 * Set-Cookie headers that delete every cookie which a request sent, whatever domain and path it was set for: browsers
 * don't say, and delete only a cookie with the same ones. `Clear-Site-Data` does this in one header, but not in every
 * browser, and not without encryption.
 */
export function expiredCookies({ header, host, pathname }: Sent, secure: boolean): string[] {
  const domains = [undefined, ...domainsOf(host)];
  const places = pathsTo(pathname).flatMap((path) => domains.map((domain) => ({ path, domain })));
  return Object.keys(parse(header)).flatMap((name) =>
    places.map((place) => serialize(name, '', { ...place, secure, maxAge: 0 })),
  );
}

/** `staging-ada.altavoz.example` → itself and `altavoz.example`. No browser accepts a cookie for `example`. */
function domainsOf(host: string): string[] {
  if (/^[\d.]+$/.test(host) || host.includes(':')) return [];
  const labels = host.split('.');
  return labels.slice(0, -1).map((_, i) => labels.slice(i).join('.'));
}

/** `/es/login` → `/`, `/es`, `/es/`, `/es/login`, `/es/login/`. */
function pathsTo(pathname: string): string[] {
  const segments = pathname.split('/').filter(Boolean).slice(0, MAX_SEGMENTS);
  const below = segments.map((_, i) => `/${segments.slice(0, i + 1).join('/')}`);
  return ['/', ...below.flatMap((path) => [path, `${path}/`])];
}
