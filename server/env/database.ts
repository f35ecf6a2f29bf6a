import type { z } from 'zod';
import { needsOwnServices, type processShape, requireService } from './process';
import { SettingError } from './setting-error';
import { address, flag } from './setting-types';

const postgresAddress = address('postgres:', 'postgresql:');

export const databaseShape = {
  DATABASE_URL: postgresAddress.optional(),
  DATABASE_DIRECT_URL: postgresAddress.optional(),
  DATABASE_PREPARE: flag.default(true),
};
type Values = z.infer<z.ZodObject<typeof databaseShape & typeof processShape>>;

export type DatabaseSettings = {
  /** Null: the embedded server. */
  url: string | null;
  /** The same database without a pooler in between; `url` if there is none. */
  directUrl: string | null;
  /** Whether statements may be prepared through `url`. */
  prepare: boolean;
};

/** @throws SettingError without a database in production, or if only the direct address is set. */
export function databaseSettings(values: Values): DatabaseSettings {
  const { DATABASE_URL: url = null, DATABASE_DIRECT_URL: directUrl = null } = values;
  if (needsOwnServices(values)) requireService('DATABASE_URL', values.DATABASE_URL);
  if (directUrl && !url) throw new SettingError('DATABASE_DIRECT_URL needs DATABASE_URL, the address of the pooler');
  return { url, directUrl: directUrl ?? url, prepare: values.DATABASE_PREPARE };
}
