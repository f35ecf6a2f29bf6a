import { lookup as systemLookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type FetcherSettings, FetchRefused } from './port';

type Rules = Pick<FetcherSettings, 'allowLoopback' | 'ports' | 'resolve'>;

const WEB_PORTS = [80, 443];
const LONGEST_URL = 4096;

/**
 * An address that may be asked: http or https, no credentials, a port of the web, and if its host is an address, a public
 * one. WHATWG parsing turns every spelling (0x7f.1, 2130706433, ①.1) into one before it is looked at.
 */
export function checkedUrl(text: string, rules: Rules): URL {
  if (text.length > LONGEST_URL || !URL.canParse(text)) throw new FetchRefused('address_invalid', text.slice(0, 200));
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol) || url.hostname === '') throw new FetchRefused('address_invalid', text);
  if (url.username || url.password) throw new FetchRefused('address_invalid', url.origin);
  url.hash = '';
  const literal = literalHost(url);
  const local = literal !== null && isLoopback(literal);
  if (literal !== null && !isAllowed(literal, rules)) throw new FetchRefused('address_private', url.href);
  if (literal === null && isLocalName(url.hostname) && !rules.allowLoopback)
    throw new FetchRefused('address_private', url.href);
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const free = rules.allowLoopback && (local || isLocalName(url.hostname));
  if (!free && !(rules.ports ?? WEB_PORTS).includes(port)) throw new FetchRefused('port_forbidden', url.href);
  return url;
}

/** Names that never leave the machine or the house (RFC 6761, 6762, 8375), with or without the root's full stop. */
function isLocalName(host: string): boolean {
  return (
    /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|home\.arpa|localdomain)\.?$/.test(host) ||
    !host.includes('.')
  );
}

function literalHost({ hostname }: URL): string | null {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(bare) ? bare : null;
}

/**
 * The lookup of a connection's socket: whatever it answers is what is connected to, so that a name can't resolve to one
 * address when it is checked and to another when it is used. One private address among several refuses the name.
 */
export function guardedLookup(rules: Rules): LookupFunction {
  const resolve = rules.resolve ?? ((name: string) => systemLookup(name, { all: true }));
  return (name, options, callback) => {
    resolve(name)
      .then((found) => {
        if (found.length === 0) throw new FetchRefused('name_unknown', name);
        if (!found.every(({ address }) => isAllowed(address, rules))) throw new FetchRefused('address_private', name);
        return found;
      })
      .then(
        (found) => (options.all ? callback(null, found) : callback(null, found[0]!.address, found[0]!.family)),
        (error) => callback(error instanceof FetchRefused ? error : new FetchRefused('name_unknown', name), ''),
      );
  };
}

function isLoopback(address: string): boolean {
  return publicForm(address)?.range() === 'loopback';
}

/** Whether a connection to it may be made. ipaddr.js calls 'unicast' what is none of IANA's special ranges. */
export function isAllowed(address: string, { allowLoopback }: Rules): boolean {
  const form = publicForm(address);
  if (form === null) return false;
  const range = form.range();
  if (range === 'loopback') return allowLoopback === true;
  if (range !== 'unicast') return false;
  return form.kind() === 'ipv4' || isGlobal(form as ipaddr.IPv6);
}

/** Of a mapped address (::ffff:a.b.c.d) the IPv4 one counts; other IPv6 ones that carry one are refused by their range. */
function publicForm(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const plain = address.replace(/%.*$/, '');
  if (!ipaddr.isValid(plain)) return null;
  const parsed = ipaddr.parse(plain);
  if (parsed.kind() === 'ipv4') return parsed;
  const six = parsed as ipaddr.IPv6;
  return six.isIPv4MappedAddress() ? six.toIPv4Address() : six;
}

const GLOBAL = ipaddr.IPv6.parse('2000::');

/** Of IPv6 only 2000::/3 is given out; the rest of the space, NAT64 (64:ff9b::) among it, is no place of the web. */
function isGlobal(address: ipaddr.IPv6): boolean {
  return address.match(GLOBAL, 3);
}
