import { randomBytes, randomUUID } from 'node:crypto';
import type { Language } from '~/locales/languages';
import type { RequestFacts } from '../trpc/context';
import { decideSite, type HostRules, hostName, type Redirect, type Site, writtenHost } from './host';
import { chooseLanguage } from './language';

export type DoorRules = {
  hosts: HostRules;
  /** How many proxies in front may be believed about the client's address. */
  trustedProxies: number;
};

/** What the doors know of a request before anybody is asked who sent it. */
export type Facts = RequestFacts & {
  site: Site | Redirect;
  /** Of this request's host, as the visitor's browser names it. */
  origin: string;
  /** For the inline scripts and styles of this answer alone. */
  nonce: string;
};

/** @param socketAddress the other end of the connection; unknown in tests without a socket */
export function factsOf(request: Request, rules: DoorRules, socketAddress = ''): Facts {
  const { headers, method } = request;
  const url = new URL(request.url);
  const said = {
    host: headers.get('host') ?? url.host,
    'x-forwarded-host': headers.get('x-forwarded-host') ?? undefined,
  };
  const named = writtenHost(said, rules.trustedProxies > 0);
  const host = hostName(named);
  return {
    headers,
    host,
    origin: `${new URL(rules.hosts.appUrl).protocol}//${named.toLowerCase()}`,
    address: clientAddress(headers.get('x-forwarded-for'), rules.trustedProxies, socketAddress),
    requestId: (rules.trustedProxies > 0 && headers.get('x-request-id')) || randomUUID(),
    language: languageOf(url, headers),
    site: decideSite(rules.hosts, { host, method, url: url.pathname + url.search }),
    nonce: randomBytes(16).toString('base64'),
  };
}

/** Each proxy adds whom it heard from; only the entries of our own can't be made up by the client. */
export function clientAddress(forwarded: string | null, trustedProxies: number, socketAddress: string): string {
  const heard = forwarded ? forwarded.split(',').map((part) => part.trim()) : [];
  const address = (trustedProxies > 0 && heard.at(-trustedProxies)) || socketAddress;
  return address.replace(/^::ffff:(?=\d+\.)/, '');
}

/** A call of a page's script is in the language of that page, whose address the browser sends along. */
function languageOf(url: URL, headers: Headers): Language {
  const { search, pathname } = url.pathname.startsWith('/trpc/') ? (parse(headers.get('referer')) ?? url) : url;
  return chooseLanguage({ search, pathname, cookie: headers.get('cookie') });
}

function parse(address: string | null): URL | null {
  return address !== null && URL.canParse(address) ? new URL(address) : null;
}
