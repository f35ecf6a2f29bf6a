import postgres from 'postgres';
import { connectionTo } from './tls';

export type ServerFacts = {
  /** The server's version, for example `17.5`. */
  version: string;
  major: number;
  encoding: string;
  /** Whether the user may create schemas, which migrations and the queue do. */
  maySetUp: boolean;
  /** A replica, or a database that its owner has made read-only. */
  isReadOnly: boolean;
  /** The same for each address of one database, through a pooler too. */
  identity: string;
  isEncrypted: boolean;
  now: Date;
};

const CONNECT_SECONDS = 10;

/** Queries a server once, on a connection of its own. @throws errors that `describeFault` explains */
export async function inspectServer(address: string): Promise<ServerFacts> {
  const { url, ssl } = connectionTo(address);
  const client = postgres(url, {
    ssl,
    max: 1,
    prepare: false,
    connect_timeout: CONNECT_SECONDS,
    fetch_types: false,
    onnotice: () => {},
  });
  try {
    const [row] = await client<ServerFacts[]>`
      select current_setting('server_version') as version, current_setting('server_version_num')::int / 10000 as major,
        current_setting('server_encoding') as encoding,
        has_database_privilege(current_user, current_database(), 'create') as "maySetUp",
        current_setting('transaction_read_only')::boolean as "isReadOnly",
        (select oid from pg_database where datname = current_database()) || ' ' || extract(epoch from pg_postmaster_start_time()) as identity,
        coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as "isEncrypted",
        clock_timestamp() as now`;
    return row!;
  } finally {
    await client.end({ timeout: 1 });
  }
}

const UNTRUSTED = /^(?:DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CERT_|ERR_TLS_CERT)/;

/** One line about a database that cannot be used, without its password; null for other errors. */
export function describeFault(error: unknown, address: string): string | null {
  const { code = '', message } = error as Error & { code?: string };
  const { hostname, port, username, pathname } = new URL(address);
  const place = `${hostname || 'localhost'}:${port || 5432}`;
  const user = decodeURIComponent(username);
  const database = decodeURIComponent(pathname.slice(1));
  if (code === '28000' && message.includes('no encryption'))
    return `the database at ${place} accepts encrypted connections only: add ?sslmode=verify-full`;
  // poolers have codes of their own
  if (code === '28P01' || code === '28000' || /authentication failed/i.test(message))
    return `the database at ${place} rejects the user ${user} or its password`;
  if (code === '3D000') return `there is no database ${database} at ${place}: create it for the user ${user}`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `the host ${hostname} of the database is unknown`;
  if (UNTRUSTED.test(code)) return `the certificate of the database at ${place} is not trusted (${message})`;
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'EPROTO')
    return `the database at ${place} does not offer TLS: add ?sslmode=disable`;
  if (code === '53300') return `the database at ${place} has no free connection`;
  if (code === '57P03') return `the database at ${place} is starting or stopping: try again`;
  if (code === 'ECONNRESET' && connectionTo(address).ssl)
    return `what answers at ${place} ends the connection instead of offering TLS: without TLS there, add ?sslmode=disable`;
  if (/^(?:ECONN|ETIMEDOUT|EHOST|ENET|CONNECT|CONNECTION_|EPIPE)/.test(code))
    return `no database answers at ${place} (${code})`;
  return null;
}
