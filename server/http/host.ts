import { LANGUAGES, type Language } from '~/locales/languages';
import { creatorUrl, type UrlSettings } from '../base/urls';
import { CACHE_LIMITS } from '../limits/http';
import { APP_ONLY } from './app-paths';

/** The settings by which a host is assigned to a site. */
export type HostRules = UrlSettings & {
  /** False in production: a creator's host then needs its prefix. */
  allowsUnprefixedHosts: boolean;
  /** Whether X-Forwarded-Host comes from our own proxy. */
  trustProxy: boolean;
};

export type CreatorSite = {
  kind: 'creator';
  domain: string;
  form: 'host' | 'path';
  /** Taken from the first path segment, which precedes `/@domain` in the path form. */
  language: Language | null;
  /** Path below the creator's page, query excluded: `/`, `/p/{slug}`, `/p/{slug}/feed.xml`. */
  path: string;
};
export type Site = { kind: 'app' } | CreatorSite | { kind: 'unknown' };
export type Redirect = { kind: 'redirect'; to: string; status: 301 | 302 | 307 | 308 };

const CODES = LANGUAGES.join('|');
const LANGUAGE = new RegExp(`^/(${CODES})(?=/|$)`);
const PATH_FORM = new RegExp(`^(?:/(${CODES}))?/(?:@|%40)([a-z0-9-]+)(/[^?]*)?(?:\\?|$)`, 'i');
/** Paths that no creator's host serves. Every other path on such a host is the creator's, even if it is a 404. */
const ON_APP_ONLY = new RegExp(`^/(?:(?:${APP_ONLY.join('|').replaceAll('.', '\\.')})(?:[/?]|$)|@|%40)`, 'i');
const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;
const NUMERIC = /^[\d.]+$/;

type HostHeaders = { host?: string; 'x-forwarded-host'?: string | string[] };

/** The requested host: lower case, without port and trailing dot. */
export function requestHost(headers: HostHeaders, trustProxy: boolean): string {
  return hostName(writtenHost(headers, trustProxy));
}

/**
 * The host as the client wrote it, with port. The first of several forwarded hosts is the one that the visitor
 * requested.
 */
export function writtenHost(headers: HostHeaders, trustProxy: boolean): string {
  const forwarded = trustProxy ? headers['x-forwarded-host'] : undefined;
  const first = (Array.isArray(forwarded) ? forwarded[0] : forwarded)?.split(',')[0]?.trim();
  return first || headers.host || '';
}

/** `Lucia.Altavoz.localhost.:3000` → `lucia.altavoz.localhost`; `[::1]:3000` → `[::1]`. */
export function hostName(host: string): string {
  const known = hostNames.get(host);
  if (known !== undefined) return known;
  const name = host.trim().toLowerCase().replace(/:\d*$/, '').replace(/\.+$/, '');
  if (hostNames.size >= MAX_HOST_NAMES) hostNames.clear();
  if (host.length <= CACHE_LIMITS.addressLength) hostNames.set(host, name);
  return name;
}

/** Whether a URL can have this host, port included. Everything after this check builds URLs from it. */
export function isValidHost(host: string): boolean {
  if (validHosts.has(host)) return true;
  if (!/^(?!\.)(?:[a-z\d._-]+|\[[a-f\d:.]+\])(?::\d{1,5})?$/i.test(host) || !URL.canParse(`http://${host}`))
    return false;
  if (validHosts.size >= MAX_HOST_NAMES) validHosts.clear();
  if (host.length <= CACHE_LIMITS.addressLength) validHosts.add(host);
  return true;
}

/** Most requests use few host names, but clients can invent any number; hence the bound. */
const hostNames = new Map<string, string>();
/** Hosts that passed `isValidHost`. Separate from `hostNames`, which the log fills with unchecked names. */
const validHosts = new Set<string>();
const MAX_HOST_NAMES = 2000;

/**
 * The site of a request, or the address to which it is redirected. Pure: the pages look up later whether the domain
 * exists or has moved.
 * @param request host from `requestHost`, url as on the request line
 */
export function decideSite(rules: HostRules, request: { host: string; method: string; url: string }): Site | Redirect {
  const url = request.url.startsWith('/') ? request.url : '/';
  const owner = ownerOf(rules, request.host);
  if (owner === 'unknown') return { kind: 'unknown' };
  if (owner === 'root') return redirectTo(`${rules.appUrl}${url}`, request.method, 301);
  if (owner === 'app' || owner === 'bare') return onApp(rules, owner, url, request.method);
  return onCreatorHost(rules, owner.domain, url, request.method);
}

/** Whether this host serves neither the app, nor a creator, nor the stored pictures. */
export function isForeignHost(rules: HostRules, host: string): boolean {
  return ownerOf(rules, host) === 'unknown' && host !== namesOf(rules).media;
}

type Owner = 'app' | 'bare' | 'root' | 'unknown' | { domain: string };

type Names = { app: string; root: string; media: string | null; owners: Map<string, Owner> };
/** Derived once per set of rules. */
const namesByRules = new WeakMap<HostRules, Names>();

function namesOf(rules: HostRules): Names {
  const found = namesByRules.get(rules);
  if (found) return found;
  const derived: Names = {
    app: hostName(new URL(rules.appUrl).host),
    root: hostName(rules.publicRoot),
    media: rules.mediaUrl ? hostName(new URL(rules.mediaUrl).host) : null,
    owners: new Map(),
  };
  namesByRules.set(rules, derived);
  return derived;
}

function ownerOf(rules: HostRules, host: string): Owner {
  const { owners } = namesOf(rules);
  const known = owners.get(host);
  if (known !== undefined) return known;
  const owner = decideOwner(rules, host);
  if (owners.size >= MAX_HOST_NAMES) owners.clear();
  if (host.length <= CACHE_LIMITS.addressLength) owners.set(host, owner);
  return owner;
}

function decideOwner(rules: HostRules, host: string): Owner {
  const { app, root } = namesOf(rules);
  if (host === app) return isBare(host) ? 'bare' : 'app';
  if (isBare(host)) return 'bare';
  if (host === root || host === `www.${root}`) return 'root';
  if (!host.endsWith(`.${root}`)) return 'unknown';
  const label = host.slice(0, -root.length - 1);
  if (!LABEL.test(label)) return 'unknown';
  const { creatorHostPrefix: prefix } = rules;
  if (prefix && label.startsWith(prefix)) return { domain: label.slice(prefix.length) };
  // domains cannot start with a prefix, so staging and production can share one root domain
  const answers = !prefix || rules.allowsUnprefixedHosts;
  return answers && !label.startsWith('staging-') ? { domain: label } : 'unknown';
}

/** `localhost`, a container name or an IP address, which have no subdomains for creators. */
function isBare(host: string): boolean {
  return !host.includes('.') || NUMERIC.test(host) || host.startsWith('[');
}

function onApp(rules: HostRules, owner: 'app' | 'bare', url: string, method: string): Site | Redirect {
  const match = PATH_FORM.exec(url);
  if (!match) return { kind: 'app' };
  const domain = (match[2] as string).toLowerCase();
  const language = (match[1]?.toLowerCase() ?? null) as CreatorSite['language'];
  const path = match[3] ?? '/';
  if (rules.creatorUrls === 'host' && owner === 'app') {
    const to = creatorUrl({ ...rules, creatorUrls: 'host' }, { domain, language, path });
    return redirectTo(to + queryOf(url), method, 301);
  }
  return { kind: 'creator', domain, form: 'path', language, path };
}

function onCreatorHost(rules: HostRules, domain: string, url: string, method: string): Site | Redirect {
  const language = (LANGUAGE.exec(url)?.[1] ?? null) as CreatorSite['language'];
  const rest = language ? url.slice(language.length + 1) || '/' : url;
  const below = rest.startsWith('/') ? rest : `/${rest}`;
  if (ON_APP_ONLY.test(below)) return redirectTo(`${rules.appUrl}${url}`, method, 302);
  const path = below.split('?', 1)[0] as string;
  if (rules.creatorUrls === 'path' && (path === '/' || path.startsWith('/p/'))) {
    return redirectTo(creatorUrl(rules, { domain, language, path }) + queryOf(url), method, 301);
  }
  return { kind: 'creator', domain, form: 'host', language, path };
}

function queryOf(url: string): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at);
}

/** 307 and 308 keep the method, so that a redirected POST does not become a GET. */
function redirectTo(to: string, method: string, status: 301 | 302): Redirect {
  if (method === 'GET' || method === 'HEAD') return { kind: 'redirect', to, status };
  return { kind: 'redirect', to, status: status === 301 ? 308 : 307 };
}
