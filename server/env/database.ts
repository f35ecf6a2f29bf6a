import type { z } from 'zod';
import { needsOwnServices, type processShape, requireService } from './process';
import { SettingError } from './setting-error';
import { address, flag, readableFile } from './setting-types';

/**
 * Unencrypted, encrypted with any certificate, or with one that the CA has signed; `verify-full` also compares the
 * host.
 */
const TLS_MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const;
export type TlsMode = (typeof TLS_MODES)[number];

const postgresAddress = address('postgres:', 'postgresql:');

export const databaseShape = {
  DATABASE_URL: postgresAddress.optional(),
  DATABASE_DIRECT_URL: postgresAddress.optional(),
  DATABASE_PREPARE: flag.default(true),
  DATABASE_CA_FILE: readableFile.optional(),
};
type DatabaseValues = z.infer<z.ZodObject<typeof databaseShape & typeof processShape>>;

export type DatabaseSettings = {
  /** Null for the embedded server. */
  url: string | null;
  /** The same database without a pooler in between; equal to `url` if there is no pooler. */
  directUrl: string | null;
  /** Whether statements may be prepared through `url`. */
  prepare: boolean;
};

/** @throws SettingError without a database in production, if only the direct address is set, or for an unknown TLS mode. */
export function databaseSettings(values: DatabaseValues): DatabaseSettings {
  const url = withTls('DATABASE_URL', values);
  const directUrl = withTls('DATABASE_DIRECT_URL', values);
  if (needsOwnServices(values)) requireService('DATABASE_URL', values.DATABASE_URL);
  if (directUrl && !url) throw new SettingError('DATABASE_DIRECT_URL needs DATABASE_URL, the address of the pooler');
  return { url, directUrl: directUrl ?? url, prepare: values.DATABASE_PREPARE };
}

/**
 * The address with the CA in it (db/tls.ts). With DATABASE_CA_FILE, connections are encrypted and verified unless the
 * address says otherwise.
 */
function withTls(name: 'DATABASE_URL' | 'DATABASE_DIRECT_URL', values: DatabaseValues): string | null {
  const { [name]: address, DATABASE_CA_FILE: caFile } = values;
  if (!address) return null;
  const url = new URL(address);
  const mode = url.searchParams.get('sslmode') ?? (caFile ? 'verify-full' : null);
  if (url.searchParams.has('ssl'))
    throw new SettingError(`${name}: write sslmode=verify-full or sslmode=require, not ssl`);
  if (!mode) return address;
  if (!TLS_MODES.includes(mode as TlsMode)) throw new SettingError(`${name}: sslmode must be ${TLS_MODES.join(', ')}`);
  if (mode === 'verify-ca' && !caFile) throw new SettingError(`${name}: sslmode=verify-ca needs DATABASE_CA_FILE`);
  url.searchParams.set('sslmode', mode);
  if (caFile) url.searchParams.set('sslrootcert', caFile);
  else url.searchParams.delete('sslrootcert');
  return url.href;
}
