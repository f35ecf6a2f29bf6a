import path from 'node:path';
import { z } from 'zod';
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
type ProcessValues = z.infer<z.ZodObject<typeof processShape>>;

export type LogLevel = ProcessValues['LOG_LEVEL'];
export type ProcessSettings = {
  production: boolean;
  /** Absolute path. */
  dataDir: string;
  /** Null if it is generated at the first start and kept in the data directory. */
  secret: string | null;
  worker: 'inline' | 'off';
  seedDemo: boolean;
  logLevel: LogLevel;
};

export const isProduction = (values: ProcessValues): boolean => values.APP_ENV === 'production';

/** Whether production must have its own database, email server and secret. */
export const needsOwnServices = (values: ProcessValues): boolean => isProduction(values) && !values.ALLOW_DEV_FALLBACKS;

/** @throws SettingError for a setting that production needs. */
export function requireService(name: string, value: string | undefined): void {
  if (!value) throw new SettingError(`${name} must be set in production (ALLOW_DEV_FALLBACKS=1 starts without)`);
}

/** Values that operators put there until they have a secret. Beside random digits, such a word does no harm. */
const PLACEHOLDERS =
  /secret|password|passwd|change.?me|replace|example|placeholder|altavoz|your.?key|12345678|abcdefgh/gi;
const RANDOM_DIGITS = 6;
/** Thirty-two random digits have nearly all ten. */
const DISTINCT_CHARACTERS = 8;
const REPEATED = /^(.{1,64}?)\1+$/;

/** Sessions are safe with a weak secret, but second factors and addresses could be read from a copy of the database. */
function assertStrong(secret = ''): void {
  const own = secret.replace(PLACEHOLDERS, '');
  const isRandom = own === secret || (own.match(/\d/g) ?? []).length >= RANDOM_DIGITS;
  if (new Set(own).size >= DISTINCT_CHARACTERS && isRandom && !REPEATED.test(secret)) return;
  throw new SettingError(
    'APP_SECRET can be guessed: set it to the output of `openssl rand -hex 32` (ALLOW_DEV_FALLBACKS=1 starts anyway)',
  );
}

export function processSettings(values: ProcessValues): ProcessSettings {
  const production = isProduction(values);
  if (needsOwnServices(values)) {
    requireService('APP_SECRET', values.APP_SECRET);
    assertStrong(values.APP_SECRET);
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
