import ipaddr from 'ipaddr.js';
import { addressInvalid, addressPrivate, portForbidden } from './errors';
import type { FetcherSettings } from './port';

type Rules = Pick<FetcherSettings, 'allowLoopback' | 'ports'>;

const WEB_PORTS = [80, 443];
const LONGEST_URL = 4096;
/** Names that never leave the machine or the house (RFC 6761, 6762, 8375), with or without the root's full stop. */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|home\.arpa|localdomain)\.?$/;
const LOCALHOST = /(?:^|\.)localhost\.?$/;

/**
 * An address that may be asked: http or https, no credentials, a port of the web, and if its host is an address, a
 * public one. WHATWG parsing turns every spelling (0x7f.1, 2130706433, ①.1) into one before it is looked at.
 */
export function checkedUrl(text: string, rules: Rules): URL {
  if (text.length > LONGEST_URL || !URL.canParse(text)) throw addressInvalid();
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol) || url.hostname === '') throw addressInvalid();
  if (url.username || url.password) throw addressInvalid();
  url.hash = '';
  const host = bareHost(url);
  if (!isPublicHost(host, rules)) throw addressPrivate({ host });
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  if (!isOpenLoopback(host, rules) && !(rules.ports ?? WEB_PORTS).includes(port)) throw portForbidden({ host, port });
  return url;
}

export function bareHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** Whether a name is the machine's own, and the switch for tests lets it through. */
export function isOpenLoopback(host: string, { allowLoopback }: Rules): boolean {
  if (!allowLoopback) return false;
  return ipaddr.isValid(host) ? publicForm(host)?.range() === 'loopback' : LOCALHOST.test(host);
}

function isPublicHost(host: string, rules: Rules): boolean {
  if (ipaddr.isValid(host)) return isAllowed(host, rules);
  const hasDomain = host.replace(/\.$/, '').includes('.');
  return isOpenLoopback(host, rules) || (hasDomain && !LOCAL_NAME.test(host));
}

/** Whether a connection to it may be made. ipaddr.js calls 'unicast' what is none of IANA's special ranges. */
export function isAllowed(address: string, { allowLoopback }: Rules): boolean {
  const form = publicForm(address);
  if (form === null) return false;
  const range = form.range();
  if (range === 'loopback') return allowLoopback === true;
  if (range !== 'unicast' || form.toString() === CLOUD_HOST) return false;
  return form.kind() === 'ipv4' || isGlobal(form as ipaddr.IPv6);
}

/** Numbered as if it were public, but Azure answers it inside, with what is meant for the machine alone. */
const CLOUD_HOST = '168.63.129.16';

/** Of a mapped address (::ffff:a.b.c.d) the IPv4 one counts; others that carry one are refused by their range. */
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
