import fs from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import type { TlsMode } from '~/server/env/database';

export type Connection = { url: string; ssl: false | ConnectionOptions };

/**
 * The address and TLS options of a connection, for every driver, because drivers read `sslmode` differently, and
 * postgres.js can't read a CA file. Both are parameters of the URL, as in libpq (server/env/database.ts).
 */
export function connectionTo(address: string): Connection {
  if (!/[?&]ssl(?:mode|rootcert)=/.test(address)) return { url: address, ssl: false };
  const url = new URL(address);
  const mode = (url.searchParams.get('sslmode') ?? 'disable') as TlsMode;
  const caFile = url.searchParams.get('sslrootcert');
  url.searchParams.delete('sslmode');
  url.searchParams.delete('sslrootcert');
  if (mode === 'disable') return { url: url.href, ssl: false };
  return { url: url.href, ssl: tlsOptions(mode, caFile, url.hostname.replace(/^\[|\]$/g, '')) };
}

/**
 * With a CA, `require` means `verify-ca`, as in libpq. `host`: without it, IP addresses would be compared with
 * `localhost`.
 */
function tlsOptions(mode: TlsMode, caFile: string | null, host: string): ConnectionOptions {
  const ca = caFile ? readCaFile(caFile) : undefined;
  if (mode === 'require' && !ca) return { rejectUnauthorized: false };
  return { host, ca, ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }) };
}

const files = new Map<string, string>();

/** Reads the file only once: connections are opened many times, and it may be unreadable by then. */
function readCaFile(file: string): string {
  const text = files.get(file) ?? fs.readFileSync(file, 'utf8');
  files.set(file, text);
  return text;
}
