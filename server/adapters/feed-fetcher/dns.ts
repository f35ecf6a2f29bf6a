import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { isAllowed, isOpenLoopback } from './addresses';
import { addressPrivate, connectionFailed, nameUnknown } from './errors';
import type { Address, FetcherSettings, Resolve } from './port';

type Rules = Pick<FetcherSettings, 'allowLoopback' | 'resolve'>;

const TRY_MS = 3000;
const TRIES = 2;
const LOOPBACK: Address[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];
/** There is no such name, it has no address, or it is none; all else may pass. */
const UNKNOWN = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME', 'EBADQUERY']);

/**
 * Asks name servers (the system's unless given) over sockets of our own: the system's resolver has two threads for the
 * whole process, and a stranger's slow name server would hold up mail and payments on them. The hosts file isn't asked.
 */
export function nameServers(servers?: string[]): Resolve {
  return async (name, signal) => {
    const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
    if (servers) resolver.setServers(servers);
    signal.addEventListener('abort', () => resolver.cancel(), { once: true });
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = [...listed(four, 4), ...listed(six, 6)];
    if (found.length === 0 && four.status === 'rejected') throw four.reason;
    return found;
  };
}

function listed(answer: PromiseSettledResult<string[]>, family: 4 | 6): Address[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];
}

/**
 * The lookup of a connection's socket: whatever it answers is what is connected to, so that a name can't resolve to one
 * address when it is checked and to another when it is used. One private address among several refuses the name.
 */
export function guardedLookup(rules: Rules, signal: AbortSignal): LookupFunction {
  return (name, options, callback) => {
    addressesOf(name, rules, signal).then(
      (found) => (options.all ? callback(null, found) : callback(null, found[0]!.address, found[0]!.family)),
      (error) => callback(error, ''),
    );
  };
}

async function addressesOf(host: string, rules: Rules, signal: AbortSignal): Promise<Address[]> {
  if (isOpenLoopback(host, rules) && !rules.resolve) return LOOPBACK;
  const found = await (rules.resolve ?? nameServers())(host, signal).catch((error: NodeJS.ErrnoException) => {
    throw Object.assign(UNKNOWN.has(error.code ?? '') ? nameUnknown({ host }) : connectionFailed({ host }), {
      cause: error,
    });
  });
  if (found.length === 0) throw nameUnknown({ host });
  if (!found.every(({ address }) => isAllowed(address, rules))) throw addressPrivate({ host });
  return found;
}
