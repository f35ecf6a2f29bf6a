import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { S3Settings } from './adapters/storage/s3-settings';
import type { LogLevel } from './log';
import type { UrlSettings } from './urls';

const LOCAL_HOST = 'altavoz.localhost';
const SECRET_LENGTH = 32;

/** `0` and `1`, and the words people write instead. */
const flag = z
  .enum(['0', '1', 'false', 'true', 'off', 'on', 'no', 'yes'], 'must be 0 or 1')
  .transform((word) => ['1', 'true', 'on', 'yes'].includes(word));
const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((n) => n >= min && n <= max, `must be a whole number from ${min} to ${max}`);
const oneOf = <const Words extends readonly string[]>(...words: Words) =>
  z.enum(words, `must be ${words.join(' or ')}`);
const address = (...protocols: string[]) =>
  z
    .string()
    .refine(
      (text) => URL.canParse(text) && protocols.includes(new URL(text).protocol),
      `must begin with ${protocols.join('// or ')}//`,
    );
const baseAddress = address('http:', 'https:').transform((text) => text.replace(/\/+$/, ''));
const text = z.string();
const program = z
  .string()
  .refine(isProgram, 'must be the path of a program that this user may run')
  .transform((file) => path.resolve(file));
const list = text.transform((words) => words.split(/[\s,]+/).filter((word) => word !== ''));
/** `https://app.example, https://other.example`, or `*`. */
const origins = list.refine(
  (words) => words.every((word) => word === '*' || (URL.canParse(word) && new URL(word).origin === word)),
  'must list origins such as https://app.example, or be *',
);

/** Every setting; `.env.example` says what each is for. Unset and empty are the same. */
const settings = z.object({
  APP_ENV: oneOf('local', 'production').default('local'),
  PORT: wholeNumber(1, 65_535).default(3000),
  HOST: text.optional(),
  DATA_DIR: text.default('.data'),
  DATABASE_URL: address('postgres:', 'postgresql:').optional(),
  APP_URL: baseAddress.optional(),
  PUBLIC_ROOT_DOMAIN: z
    .string()
    .regex(/^[a-z0-9.-]+(:\d+)?$/, 'must be a host name such as altavoz.example')
    .optional(),
  CREATOR_HOST_PREFIX: z
    .string()
    .regex(/^[a-z0-9-]*$/, 'may hold a-z, 0-9 and -')
    .optional(),
  CREATOR_URLS: oneOf('host', 'path').default('host'),
  MEDIA_URL: baseAddress.optional(),
  STORAGE_DRIVER: oneOf('disk', 's3').default('disk'),
  S3_BUCKET: text.optional(),
  S3_REGION: text.default('us-east-1'),
  S3_ENDPOINT: baseAddress.optional(),
  S3_ACCESS_KEY_ID: text.optional(),
  S3_SECRET_ACCESS_KEY: text.optional(),
  S3_FORCE_PATH_STYLE: flag.default(false),
  API_ORIGINS: origins.default([]),
  SMTP_URL: address('smtp:', 'smtps:').optional(),
  MAIL_FROM: text.optional(),
  APP_SECRET: z.string().min(SECRET_LENGTH, `must have at least ${SECRET_LENGTH} characters`).optional(),
  FFMPEG_PATH: program.optional(),
  WORKER: oneOf('inline', 'off').default('inline'),
  SEED_DEMO: flag.optional(),
  TRUST_PROXY: wholeNumber(0, 10).default(0),
  METRICS_TOKEN: text.optional(),
  STRIPE_PUBLISHABLE_KEY: text.optional(),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(?:sk|rk)_(?:test|live)_/, 'must begin with sk_test_, sk_live_, rk_test_ or rk_live_')
    .optional(),
  STRIPE_WEBHOOK_SECRETS: list.default([]),
  ALLOW_SANDBOX_PAYMENTS: flag.default(false),
  ALLOW_DEV_STANDINS: flag.default(false),
  FETCH_CONTACT: z
    .string()
    .regex(/^[\x21-\x27\x2a-\x7e]+$/, 'must be an address such as https://altavoz.example/contact')
    .optional(),
  FETCH_PORTS: list.pipe(z.array(wholeNumber(1, 65_535)).min(1, 'must list ports such as 80,443')).default([80, 443]),
  FETCH_ALLOW_LOOPBACK: flag.default(false),
  LOG_LEVEL: oneOf('debug', 'info', 'warn', 'error', 'silent').default('info'),
});

type Settings = z.infer<typeof settings>;

export const SETTING_NAMES = Object.keys(settings.shape);

export type StorageSettings = { driver: 'disk'; dir: string } | { driver: 's3'; s3: S3Settings };

/** `none`: production without a key, where no stand-in was asked for. */
export type PaymentSettings =
  | { far: 'stripe'; secretKey: string; webhookSecrets: string[] }
  | { far: 'sandbox' }
  | { far: 'none' };

/** What feeds, pictures and audio of strangers are fetched with. */
export type FetchSettings = { contact: string; ports: number[]; allowLoopback: boolean };

export type Env = {
  production: boolean;
  port: number;
  /** Unset: every interface. */
  host: string | undefined;
  /** Absolute. */
  dataDir: string;
  /** Null: the embedded server. */
  databaseUrl: string | null;
  urls: UrlSettings;
  storage: StorageSettings;
  /** Of pages that may call the REST API from their visitors' browsers. */
  apiOrigins: string[];
  /** `smtpUrl` null: the local inbox. */
  mail: { smtpUrl: string | null; from: string };
  /** Null: one is made and kept in the data directory. */
  secret: string | null;
  /** A system FFmpeg with LAME; null: clips are encoded in WebAssembly. */
  ffmpegPath: string | null;
  worker: 'inline' | 'off';
  seedDemo: boolean;
  /** How many proxies in front may be believed about the client's address. */
  trustedProxies: number;
  metricsToken: string | null;
  stripePublishableKey: string | null;
  payments: PaymentSettings;
  /** Production over the sandbox: every page says that no real money moves. */
  simulatesPayments: boolean;
  fetcher: FetchSettings;
  logLevel: LogLevel;
};

/** A setting that stops the start; its message is one line that names the setting. */
export class SettingError extends Error {}

/** Parses the environment. Throws a SettingError that names every wrong setting. */
export function loadEnv(source: Record<string, string | undefined>): Env {
  const given = Object.fromEntries(SETTING_NAMES.map((name) => [name, source[name]?.trim() || undefined]));
  const parsed = settings.safeParse(given);
  if (!parsed.success)
    throw new SettingError(parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; '));
  refuseUnfinished(parsed.data);
  return assemble(parsed.data);
}

/** What would be unsafe or lost in production, unless it is asked for. */
function refuseUnfinished(set: Settings): void {
  if (set.STORAGE_DRIVER === 's3' && !set.S3_BUCKET)
    throw new SettingError('S3_BUCKET must be set when STORAGE_DRIVER is s3');
  if (!set.S3_ACCESS_KEY_ID !== !set.S3_SECRET_ACCESS_KEY)
    throw new SettingError('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together');
  if (set.STRIPE_SECRET_KEY && set.STRIPE_WEBHOOK_SECRETS.length === 0)
    throw new SettingError('STRIPE_WEBHOOK_SECRETS must be set when STRIPE_SECRET_KEY is');
  if (set.APP_ENV !== 'production') {
    if (/_live_/.test(set.STRIPE_SECRET_KEY ?? ''))
      throw new SettingError('STRIPE_SECRET_KEY must be a test key unless APP_ENV is production');
    return;
  }
  if (!set.APP_URL) throw new SettingError('APP_URL must be set in production');
  // whoever gives us the address of a feed would reach what only this machine may
  if (set.FETCH_ALLOW_LOOPBACK) throw new SettingError('FETCH_ALLOW_LOOPBACK is for tests: not in production');
  if (set.ALLOW_DEV_STANDINS) return;
  const otherwise = 'in production (ALLOW_DEV_STANDINS=1 starts without)';
  for (const name of ['DATABASE_URL', 'SMTP_URL', 'APP_SECRET'] as const)
    if (!set[name]) throw new SettingError(`${name} must be set ${otherwise}`);
  if (set.SEED_DEMO)
    throw new SettingError(
      'SEED_DEMO makes accounts with known passwords: not in production (ALLOW_DEV_STANDINS=1 allows it)',
    );
}

function assemble(set: Settings): Env {
  const production = set.APP_ENV === 'production';
  const dataDir = path.resolve(set.DATA_DIR);
  const urls = urlSettings(set, production);
  const payments = paymentSettings(set, production);
  return {
    production,
    port: set.PORT,
    host: set.HOST,
    dataDir,
    databaseUrl: set.DATABASE_URL ?? null,
    urls,
    storage: storageSettings(set, dataDir),
    mail: {
      smtpUrl: set.SMTP_URL ?? null,
      from: set.MAIL_FROM ?? `Altavoz <no-reply@${urls.publicRoot.replace(/:\d+$/, '')}>`,
    },
    apiOrigins: set.API_ORIGINS,
    secret: set.APP_SECRET ?? null,
    ffmpegPath: set.FFMPEG_PATH ?? null,
    worker: set.WORKER,
    seedDemo: set.SEED_DEMO ?? !production,
    trustedProxies: set.TRUST_PROXY,
    metricsToken: set.METRICS_TOKEN ?? null,
    stripePublishableKey: set.STRIPE_PUBLISHABLE_KEY ?? null,
    payments,
    simulatesPayments: production && payments.far === 'sandbox',
    fetcher: fetchSettings(set, urls),
    logLevel: set.LOG_LEVEL,
  };
}

/** Creators' hosts stand below the app's own host, on its port, unless told otherwise. */
function urlSettings(set: Settings, production: boolean): UrlSettings {
  const appUrl = set.APP_URL ?? `http://${LOCAL_HOST}:${set.PORT}`;
  const { host, port } = new URL(appUrl);
  const root = set.PUBLIC_ROOT_DOMAIN;
  return {
    appUrl,
    publicRoot: root ? (root.includes(':') || !port ? root : `${root}:${port}`) : host,
    creatorHostPrefix: set.CREATOR_HOST_PREFIX ?? (production ? '' : 'staging-'),
    creatorUrls: set.CREATOR_URLS,
    mediaUrl: set.MEDIA_URL ?? null,
  };
}

function paymentSettings(set: Settings, production: boolean): PaymentSettings {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRETS: webhookSecrets } = set;
  if (secretKey) return { far: 'stripe', secretKey, webhookSecrets };
  return { far: production && !set.ALLOW_SANDBOX_PAYMENTS ? 'none' : 'sandbox' };
}

function fetchSettings(set: Settings, { appUrl }: UrlSettings): FetchSettings {
  return { contact: set.FETCH_CONTACT ?? appUrl, ports: set.FETCH_PORTS, allowLoopback: set.FETCH_ALLOW_LOOPBACK };
}

function storageSettings(set: Settings, dataDir: string): StorageSettings {
  if (set.STORAGE_DRIVER === 'disk') return { driver: 'disk', dir: path.join(dataDir, 'media') };
  return {
    driver: 's3',
    s3: {
      bucket: set.S3_BUCKET ?? '',
      region: set.S3_REGION,
      endpoint: set.S3_ENDPOINT ?? null,
      credentials:
        set.S3_ACCESS_KEY_ID && set.S3_SECRET_ACCESS_KEY
          ? { accessKeyId: set.S3_ACCESS_KEY_ID, secretAccessKey: set.S3_SECRET_ACCESS_KEY }
          : null,
      forcePathStyle: set.S3_FORCE_PATH_STYLE,
    },
  };
}

function isProgram(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

/** The settings of this process: its environment, over a `.env` file where there is one. */
export function readEnv(): Env {
  if (fs.existsSync('.env')) process.loadEnvFile('.env');
  return loadEnv(process.env);
}
