import ipaddr from 'ipaddr.js';
import { addressInvalid, addressPrivate, portForbidden } from './errors';
import type { FetcherSettings } from './port';

type Rules = Pick<FetcherSettings, 'allowLoopback' | 'ports'>;

const WEB_PORTS = [80, 443];
const MAX_URL_LENGTH = 4096;
/** Names of the local machine or network (RFC 6761, 6762, 8375), with or without the trailing dot of the root. */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|home\.arpa|localdomain)\.?$/;
const LOCALHOST = /(?:^|\.)localhost\.?$/;

/**
 * Parses a URL that we may fetch: http or https, without credentials, on a web port, and not on a private IP address.
 * The WHATWG parser first normalizes every spelling of an IP address (0x7f.1, 2130706433, ①.1).
 */
export function parsePublicUrl(text: string, rules: Rules): URL {
  if (text.length > MAX_URL_LENGTH || !URL.canParse(text)) throw addressInvalid();
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol) || url.hostname === '') throw addressInvalid();
  if (url.username || url.password) throw addressInvalid();
  url.hash = '';
  const host = bareHost(url);
  if (!isPublicHost(host, rules)) throw addressPrivate({ host });
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  if (!isAllowedLoopback(host, rules) && !(rules.ports ?? WEB_PORTS).includes(port))
    throw portForbidden({ host, port });
  return url;
}

export function bareHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** Whether this is a loopback host and the test setting allows it. */
export function isAllowedLoopback(host: string, { allowLoopback }: Rules): boolean {
  if (!allowLoopback) return false;
  return ipaddr.isValid(host) ? normalizeIp(host)?.range() === 'loopback' : LOCALHOST.test(host);
}

/** Whether a name or an IP address belongs to neither this machine nor a private network. */
export function isPublicHost(host: string, rules: Rules): boolean {
  if (ipaddr.isValid(host)) return isAllowedIp(host, rules);
  const hasDomain = host.replace(/\.$/, '').includes('.');
  return isAllowedLoopback(host, rules) || (hasDomain && !LOCAL_NAME.test(host));
}

/** Whether we may connect to this IP address. In ipaddr.js, 'unicast' is every range that IANA has not reserved. */
export function isAllowedIp(address: string, { allowLoopback }: Rules): boolean {
  const ip = normalizeIp(address);
  if (ip === null) return false;
  const range = ip.range();
  if (range === 'loopback') return allowLoopback === true;
  if (range !== 'unicast' || ip.toString() === AZURE_HOST) return false;
  return ip.kind() === 'ipv4' || isGlobal(ip as ipaddr.IPv6);
}

/** A public address at which Azure serves data about the virtual machine itself. */
const AZURE_HOST = '168.63.129.16';

/**
 * Converts a mapped address (::ffff:a.b.c.d) to IPv4. Other forms that contain an IPv4 address are in reserved ranges.
 */
function normalizeIp(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const withoutZone = address.replace(/%.*$/, '');
  if (!ipaddr.isValid(withoutZone)) return null;
  const parsed = ipaddr.parse(withoutZone);
  if (parsed.kind() === 'ipv4') return parsed;
  const six = parsed as ipaddr.IPv6;
  return six.isIPv4MappedAddress() ? six.toIPv4Address() : six;
}

const GLOBAL_UNICAST = ipaddr.IPv6.parse('2000::');

/** IANA has assigned only 2000::/3 of IPv6. The rest, NAT64 (64:ff9b::) included, is not on the public internet. */
function isGlobal(address: ipaddr.IPv6): boolean {
  return address.match(GLOBAL_UNICAST, 3);
}
