import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { isAllowedIp, isAllowedLoopback } from './addresses';
import { addressPrivate, connectionFailed, nameUnknown } from './errors';
import type { Address, FetcherSettings, Resolve } from './port';

type Rules = Pick<FetcherSettings, 'allowLoopback' | 'resolve'>;

const TIMEOUT_MS = 3000;
const TRIES = 2;
const LOOPBACK: Address[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];
/** The name does not exist, has no address or is invalid. Other errors may be temporary. */
const PERMANENT_ERRORS = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME', 'EBADQUERY']);

/**
 * Queries name servers (by default the system's) over our own sockets. The system's resolver has two threads for the
 * whole process, so one slow name server would delay email and payments. The hosts file is not used.
 */
export function resolveWith(servers?: string[]): Resolve {
  return async (name, signal) => {
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
    if (servers) resolver.setServers(servers);
    signal.addEventListener('abort', () => resolver.cancel(), { once: true });
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = [...addressesIn(ipv4, 4), ...addressesIn(ipv6, 6)];
    if (found.length === 0 && ipv4.status === 'rejected') throw ipv4.reason;
    return found;
  };
}

function addressesIn(result: PromiseSettledResult<string[]>, family: 4 | 6): Address[] {
  return result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : [];
}

/**
 * The lookup function of a socket. The socket connects to the addresses that were checked, so a name cannot resolve to
 * one address for the check and to another for the connection. One private address among several rejects the name.
 */
export function guardedLookup(rules: Rules, signal: AbortSignal): LookupFunction {
  return (name, options, callback) => {
    resolvePublic(name, rules, signal).then(
      (found) => (options.all ? callback(null, found) : callback(null, found[0]!.address, found[0]!.family)),
      (error) => callback(error, ''),
    );
  };
}

async function resolvePublic(host: string, rules: Rules, signal: AbortSignal): Promise<Address[]> {
  if (isAllowedLoopback(host, rules) && !rules.resolve) return LOOPBACK;
  const found = await (rules.resolve ?? resolveWith())(host, signal).catch((error: NodeJS.ErrnoException) => {
    throw Object.assign(PERMANENT_ERRORS.has(error.code ?? '') ? nameUnknown({ host }) : connectionFailed({ host }), {
      cause: error,
    });
  });
  if (found.length === 0) throw nameUnknown({ host });
  if (!found.every(({ address }) => isAllowedIp(address, rules))) throw addressPrivate({ host });
  return found;
}
