import type postgres from 'postgres';
import type { DnsPort } from '../adapters/dns/port';
import { dnsResolver } from '../adapters/dns/resolver';
import { type Lazy, openOnce } from '../flow/open-once';
import type { Zone } from '../sandbox/dns/zone';

export type SelectedDns = {
  dns: DnsPort;
  /** The records of the local name server. Null in production, and if name servers are set. */
  zone: Lazy<Zone> | null;
};

type Settings = { production: boolean; nameServers: string[] | null };

/** Asks the name servers that are set, or the system's in production; otherwise a local one, which starts when it is asked. */
export function selectDns({ production, nameServers }: Settings, client: postgres.Sql): SelectedDns {
  if (nameServers) return { dns: dnsResolver(async () => nameServers), zone: null };
  if (production) return { dns: dnsResolver(), zone: null };
  const zone = openOnce(async () => (await import('../sandbox/dns/zone')).openZone(client));
  const server = openOnce(async () => {
    const { startNameServer } = await import('../sandbox/dns/name-server');
    const records = await zone.get();
    return startNameServer(records.of);
  });
  const dns = dnsResolver(async () => [(await server.get()).address]);
  return { dns: { ...dns, close: () => server.ifOpened((opened) => opened.close()) }, zone };
}
