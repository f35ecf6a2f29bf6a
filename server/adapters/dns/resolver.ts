import { Resolver } from 'node:dns/promises';
import { SECONDS } from '../../base/time';
import type { DnsPort } from './port';

/** The name does not exist, or has no record of this type. */
const NOTHING = new Set(['ENOTFOUND', 'ENODATA']);
const TIMEOUT_MS = SECONDS(2);
const TRIES = 2;
/** Of one lookup, with all tries at all servers: a form waits for it. */
const DEADLINE_MS = SECONDS(8);

/** @param getServers addresses of name servers; by default those of the system */
export function dnsResolver(getServers?: () => Promise<string[]>): DnsPort {
  async function lookUp<T>(ask: (resolver: Resolver) => Promise<T[]>): Promise<T[] | null> {
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
    if (getServers) resolver.setServers(await getServers());
    const timer = setTimeout(() => resolver.cancel(), DEADLINE_MS);
    try {
      return await ask(resolver);
    } catch (error) {
      return NOTHING.has((error as NodeJS.ErrnoException).code ?? '') ? [] : null;
    } finally {
      clearTimeout(timer);
    }
  }
  return {
    async texts(name) {
      const records = await lookUp((resolver) => resolver.resolveTxt(name));
      return records?.map((parts) => parts.join('')) ?? null;
    },
    aliases: (name) => lookUp((resolver) => resolver.resolveCname(name)),
    async close() {},
  };
}
