import path from 'node:path';
import { z } from 'zod';
import type { LogLevel } from '../log';
import { SettingError } from './setting-error';
import { flag, oneOf, text } from './setting-types';

const SECRET_LENGTH = 32;

export const processShape = {
  APP_ENV: oneOf('local', 'production').default('local'),
  DATA_DIR: text.default('.data'),
  APP_SECRET: z.string().min(SECRET_LENGTH, `must have at least ${SECRET_LENGTH} characters`).optional(),
  WORKER: oneOf('inline', 'off').default('inline'),
  SEED_DEMO: flag.optional(),
  ALLOW_DEV_FALLBACKS: flag.default(false),
  LOG_LEVEL: oneOf('debug', 'info', 'warn', 'error', 'silent').default('info'),
};
type Values = z.infer<z.ZodObject<typeof processShape>>;

export type ProcessSettings = {
  production: boolean;
  /** Absolute path. */
  dataDir: string;
  /** Null: generated at the first start and kept in the data directory. */
  secret: string | null;
  worker: 'inline' | 'off';
  seedDemo: boolean;
  logLevel: LogLevel;
};

export const isProduction = (values: Values): boolean => values.APP_ENV === 'production';

/** Whether production must have its own database, email server and secret. */
export const needsOwnServices = (values: Values): boolean => isProduction(values) && !values.ALLOW_DEV_FALLBACKS;

/** @throws SettingError for a setting that production needs. */
export function requireService(name: string, value: string | undefined): void {
  if (!value) throw new SettingError(`${name} must be set in production (ALLOW_DEV_FALLBACKS=1 starts without)`);
}

export function processSettings(values: Values): ProcessSettings {
  const production = isProduction(values);
  if (needsOwnServices(values)) {
    requireService('APP_SECRET', values.APP_SECRET);
    if (values.SEED_DEMO)
      throw new SettingError(
        'SEED_DEMO creates accounts with known passwords: not in production (ALLOW_DEV_FALLBACKS=1 allows it)',
      );
  }
  return {
    production,
    dataDir: path.resolve(values.DATA_DIR),
    secret: values.APP_SECRET ?? null,
    worker: values.WORKER,
    seedDemo: values.SEED_DEMO ?? !production,
    logLevel: values.LOG_LEVEL,
  };
}
