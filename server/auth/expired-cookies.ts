import { parse, serialize } from 'hono/utils/cookie';
import { SESSION_COOKIE } from './sessions';

type Sent = { header: string; host: string; pathname: string };

/** Only the cookies of the first segments of a longer path are deleted. */
const MAX_SEGMENTS = 10;
/** Proxies and browsers reject more headers, and a request with thousands of cookies must not cost megabytes. */
const MAX_HEADERS = 150;
/** These cookies are always deleted, even if others exceed the limit. */
const OWN = ['podcaster', SESSION_COOKIE];

/**
 * Set-Cookie headers that delete the cookies of a request, whatever domain and path they have: browsers don't send
 * domain and path, but need both to delete a cookie. `Clear-Site-Data` does this in one header, but not in every
 * browser, and not without encryption.
 */
export function expiredCookies({ header, host, pathname }: Sent, secure: boolean): string[] {
  const domains = [undefined, ...domainsOf(host)];
  const places = pathsTo(pathname).flatMap((path) => domains.map((domain) => ({ path, domain })));
  const sent = Object.keys(parse(header));
  const names = [...new Set([...OWN.filter((name) => sent.includes(name)), ...sent])];
  const deletable = Math.max(OWN.length, Math.floor(MAX_HEADERS / places.length));
  return names
    .slice(0, deletable)
    .flatMap((name) => places.map((place) => serialize(name, '', { ...place, secure, maxAge: 0 })));
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
