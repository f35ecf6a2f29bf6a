import { generateKeyPairSync } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parseEnv, SETTING_NAMES } from '~/server/env/read';

const PRODUCTION = {
  APP_ENV: 'production',
  APP_URL: 'https://altavoz.example/',
  DATABASE_URL: 'postgres://db/altavoz',
  SMTP_URL: 'smtps://mail.example',
  APP_SECRET: '8c1f0e6de8c94c0ea2d80b97c06a4d8f',
  TRUST_PROXY: '1',
  OPERATOR_NAME: 'Altavoz Example, S.L.',
  OPERATOR_EMAIL: 'hello@altavoz.example',
};

test('no setting is required locally', () => {
  const env = parseEnv({});

  expect(env).toMatchObject({ port: 3000, database: { url: null }, seedDemo: true, worker: 'inline' });
  expect(env.urls).toEqual({
    appUrl: 'http://altavoz.localhost:3000',
    publicRoot: 'altavoz.localhost:3000',
    creatorHostPrefix: 'staging-',
    creatorUrls: 'host',
    mediaUrl: null,
  });
});

test('default URLs include the port', () => {
  expect(parseEnv({ PORT: '4100' }).urls).toMatchObject({
    appUrl: 'http://altavoz.localhost:4100',
    publicRoot: 'altavoz.localhost:4100',
  });
  expect(parseEnv({ PORT: '4100', PUBLIC_ROOT_DOMAIN: 'pods.localhost' }).urls.publicRoot).toBe('pods.localhost:4100');
});

test('production uses the given URLs and no host prefix', () => {
  expect(parseEnv(PRODUCTION)).toMatchObject({
    production: true,
    seedDemo: false,
    urls: { appUrl: 'https://altavoz.example', publicRoot: 'altavoz.example', creatorHostPrefix: '' },
  });
});

test.each([
  ['PORT', { PORT: 'three' }],
  ['PORT', { PORT: '70000' }],
  ['APP_ENV', { APP_ENV: 'prod' }],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }],
  ['OTEL_EXPORTER_OTLP_HEADERS', { OTEL_EXPORTER_OTLP_HEADERS: 'a=b, secret' }],
  ['OTEL_TRACES_SAMPLER_ARG', { OTEL_TRACES_SAMPLER_ARG: '1.5' }],
  ['DATABASE_URL', { DATABASE_URL: 'mysql://x' }],
  ['DATABASE_DIRECT_URL', { DATABASE_URL: 'postgres://pool/x', DATABASE_DIRECT_URL: 'mysql://x' }],
  ['DATABASE_DIRECT_URL', { DATABASE_DIRECT_URL: 'postgres://db/x' }],
  ['DATABASE_PREPARE', { DATABASE_PREPARE: 'never' }],
  ['DATABASE_URL', { DATABASE_URL: 'postgres://db/x?sslmode=prefer' }],
  ['DATABASE_URL', { DATABASE_URL: 'postgres://db/x?ssl=true' }],
  ['DATABASE_URL', { DATABASE_URL: 'postgres://db/x?sslmode=verify-ca' }],
  ['DATABASE_CA_FILE', { DATABASE_URL: 'postgres://db/x', DATABASE_CA_FILE: '/no/such/ca.pem' }],
  ['APP_URL', { APP_URL: 'altavoz.example' }],
  ['APP_URL', { APP_URL: 'https://altavoz.example/podcasts' }],
  ['APP_URL', { ...PRODUCTION, APP_URL: 'http://altavoz.example' }],
  ['PUBLIC_ROOT_DOMAIN', { ...PRODUCTION, PUBLIC_ROOT_DOMAIN: 'other.example' }],
  ['PUBLIC_ROOT_DOMAIN', { ...PRODUCTION, PUBLIC_ROOT_DOMAIN: 'my-altavoz.example' }],
  ['MAIL_FROM', { MAIL_FROM: 'Altavoz' }],
  ['MAIL_FROM', { MAIL_FROM: 'Altavoz <a@b.example>, <c@d.example>' }],
  ['DKIM_SELECTOR', { DKIM_DOMAIN: 'altavoz.example' }],
  ['DKIM_DOMAIN', { DKIM_DOMAIN: 'altavoz example', DKIM_SELECTOR: 'a', DKIM_KEY: 'x' }],
  ['DKIM_KEY', { DKIM_DOMAIN: 'altavoz.example', DKIM_SELECTOR: 'a', DKIM_KEY: 'x' }],
  ['DKIM_KEY_FILE', { DKIM_DOMAIN: 'altavoz.example', DKIM_SELECTOR: 'a', DKIM_KEY_FILE: 'package.json' }],
  ['DKIM_KEY_FILE', { DKIM_DOMAIN: 'altavoz.example', DKIM_SELECTOR: 'a', DKIM_KEY_FILE: '/no/such/key.pem' }],
  ['STORAGE_DRIVER', { STORAGE_DRIVER: 'ftp' }],
  ['S3_BUCKET', { STORAGE_DRIVER: 's3' }],
  ['S3_SECRET_ACCESS_KEY', { STORAGE_DRIVER: 's3', S3_BUCKET: 'media', S3_ACCESS_KEY_ID: 'key' }],
  ['SMTP_URL', { SMTP_URL: 'mail.example' }],
  ['FFMPEG_PATH', { FFMPEG_PATH: '/no/such/ffmpeg' }],
  ['FFMPEG_PATH', { FFMPEG_PATH: 'package.json' }],
  ['FFMPEG_PATH', { FFMPEG_PATH: 'server' }],
  ['ESPEAK_PATH', { ESPEAK_PATH: '/no/such/espeak-ng' }],
  ['IP_COUNTRY_DATABASE', { IP_COUNTRY_DATABASE: 'server' }],
  ['IP_NETWORK_DATABASE', { IP_NETWORK_DATABASE: '/no/such/file.mmdb' }],
  ['AGENTS_FILE', { AGENTS_FILE: 'server' }],
  ['WORKER', { WORKER: 'yes' }],
  ['SEED_DEMO', { SEED_DEMO: 'maybe' }],
  ['APP_SECRET', { APP_SECRET: 'short' }],
  ['APP_URL', { APP_ENV: 'production' }],
  ['DATABASE_URL', { ...PRODUCTION, DATABASE_URL: '' }],
  ['SMTP_URL', { ...PRODUCTION, SMTP_URL: undefined }],
  ['APP_SECRET', { ...PRODUCTION, APP_SECRET: ' ' }],
  ['APP_SECRET', { ...PRODUCTION, APP_SECRET: 'x'.repeat(32) }],
  ['APP_SECRET', { ...PRODUCTION, APP_SECRET: '0123456789abcdef'.repeat(4) }],
  ['APP_SECRET', { ...PRODUCTION, APP_SECRET: 'please-change-me-before-you-start-it' }],
  ['SEED_DEMO', { ...PRODUCTION, SEED_DEMO: '1' }],
  ['OPERATOR_NAME', { ...PRODUCTION, OPERATOR_NAME: '' }],
  ['OPERATOR_EMAIL', { ...PRODUCTION, OPERATOR_EMAIL: undefined }],
  ['OPERATOR_EMAIL', { OPERATOR_EMAIL: 'a@b\r\nBcc: c@d' }],
  ['OPERATOR_VAT_AT_HOME', { OPERATOR_VAT_AT_HOME: '2027' }],
  ['OPERATOR_VAT_AT_HOME', { OPERATOR_VAT_AT_HOME: '2027-13-01/' }],
  ['OPERATOR_VAT_AT_HOME', { OPERATOR_VAT_AT_HOME: '2027-01-01/2027-13-01' }],
  ['OPERATOR_VAT_AT_HOME', { OPERATOR_VAT_AT_HOME: '2027-09-14/2027-01-01' }],
  ['OPERATOR_TAX_REGISTRATIONS', { OPERATOR_TAX_REGISTRATIONS: 'Norway' }],
  ['SUPPORT_CHAT', { SUPPORT_CHAT: 'crisp:"><script>' }],
  ['HELP_URL', { HELP_URL: 'javascript:alert(1)' }],
  ['GOOGLE_CLIENT_SECRET', { GOOGLE_CLIENT_ID: 'id' }],
  ['FACEBOOK_APP_ID', { FACEBOOK_APP_SECRET: 'secret' }],
  ['GOOGLE_ISSUER', { GOOGLE_ISSUER: 'http://idp.example' }],
  ['FACEBOOK_TOKEN_URL', { ...PRODUCTION, FACEBOOK_TOKEN_URL: 'http://localhost:9000' }],
  ['FETCH_PORTS', { FETCH_PORTS: '80, 70000' }],
  ['FETCH_PORTS', { FETCH_PORTS: ',' }],
  ['FETCH_CONTACT', { FETCH_CONTACT: 'us)\r\nx: y' }],
  ['FETCH_ALLOW_LOOPBACK', { ...PRODUCTION, FETCH_ALLOW_LOOPBACK: '1' }],
  ['FETCH_ALLOW_LOOPBACK', { ...PRODUCTION, FETCH_ALLOW_LOOPBACK: '1', ALLOW_DEV_FALLBACKS: '1' }],
])('a wrong %s stops the start with one line that names the setting (%j)', (name, source) => {
  expect(() => parseEnv(source)).toThrow(new RegExp(`^[^\\n]*\\b${name}\\b[^\\n]*$`));
});

test('ALLOW_DEV_FALLBACKS lets production start without its own services', () => {
  const env = parseEnv({ APP_ENV: 'production', APP_URL: 'https://altavoz.example', ALLOW_DEV_FALLBACKS: '1' });

  expect(env).toMatchObject({ database: { url: null }, secret: null, mail: { smtpUrl: null } });
});

test('a random secret may have a name beside it', () => {
  const secret = 'altavoz-secret-8c1f0e6de8c94c0ea2d80b97';

  expect(parseEnv({ ...PRODUCTION, APP_SECRET: secret })).toMatchObject({ secret });
});

test('a setting under its former name stops the start with a line that names the new one', () => {
  expect(() => parseEnv({ ...PRODUCTION, ALLOW_DEV_STANDINS: '1' })).toThrow(
    /^ALLOW_DEV_STANDINS is now called ALLOW_DEV_FALLBACKS: rename it$/,
  );
  expect(parseEnv({ ...PRODUCTION, ALLOW_DEV_STANDINS: ' ' })).toMatchObject({ production: true });
});

test('the periods of the operator’s own VAT are in UTC, and the last one may be open', () => {
  const { support } = parseEnv({ OPERATOR_VAT_AT_HOME: '2027-01-01/2027-09-14T10:30Z, 2029-01-01/' });

  expect(support.operator.vatAtHome).toEqual([
    { from: new Date('2027-01-01T00:00:00Z'), until: new Date('2027-09-14T10:30:00Z') },
    { from: new Date('2029-01-01T00:00:00Z'), until: null },
  ]);
  expect(parseEnv({}).support.operator).toMatchObject({ vatAtHome: [], taxRegistrations: [] });
});

test('a pooler is an address of its own, and may be without prepared statements', () => {
  const url = 'postgres://pooler/altavoz';
  const directUrl = 'postgres://db/altavoz';

  expect(parseEnv({ DATABASE_URL: url }).database).toEqual({ url, directUrl: url, prepare: true });
  expect(parseEnv({ DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl, DATABASE_PREPARE: '0' }).database).toEqual({
    url,
    directUrl,
    prepare: false,
  });
});

test('.env.example lists every setting and no other', () => {
  const listed = fs.readFileSync('.env.example', 'utf8').matchAll(/^#?([A-Z0-9_]+)=/gm);

  expect([...listed].map(([, name]) => name).sort()).toEqual([...SETTING_NAMES].sort());
});

test('without a Stripe key, payments are a sandbox locally, and off in production unless the sandbox is allowed', () => {
  const production = { APP_ENV: 'production', APP_URL: 'https://altavoz.example', ALLOW_DEV_FALLBACKS: '1' };

  expect(parseEnv({}).payments).toEqual({ provider: 'sandbox' });
  expect(parseEnv(production).payments).toEqual({ provider: 'none' });
  expect(parseEnv({ ...production, ALLOW_SANDBOX_PAYMENTS: '1' }).payments).toEqual({ provider: 'sandbox' });
});

test('only production with sandbox payments must state that payments are simulated', () => {
  const production = { APP_ENV: 'production', APP_URL: 'https://altavoz.example', ALLOW_DEV_FALLBACKS: '1' };
  const stripe = { STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_WEBHOOK_SECRETS: 'whsec_1' };
  const sandbox = { ...production, ALLOW_SANDBOX_PAYMENTS: '1' };

  expect(parseEnv(sandbox).simulatesPayments).toBe(true);
  for (const settings of [{}, production, { ...production, ...stripe }, { ...sandbox, ...stripe }])
    expect(parseEnv(settings).simulatesPayments).toBe(false);
});

test('with a key, payments go to Stripe, and both webhook secrets are valid', () => {
  const { payments } = parseEnv({ STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRETS: 'whsec_new, whsec_old' });

  expect(payments).toEqual({
    ...{ provider: 'stripe', secretKey: 'sk_test_1', webhookSecrets: ['whsec_new', 'whsec_old'] },
    callsPerSecond: 24,
  });
});

test.each([
  ['a live key outside production', { STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_WEBHOOK_SECRETS: 'whsec_1' }],
  ['a key without a webhook secret', { STRIPE_SECRET_KEY: 'sk_test_1' }],
  ['a publishable key in its place', { STRIPE_SECRET_KEY: 'pk_test_1', STRIPE_WEBHOOK_SECRETS: 'whsec_1' }],
])('%s stops the start', (_, settings) => {
  expect(() => parseEnv(settings)).toThrow(/STRIPE_/);
});

test('a command of operators starts without a webhook secret, because one of them creates it', () => {
  const { payments } = parseEnv({ STRIPE_SECRET_KEY: 'sk_test_1' }, { isAdmin: true });

  expect(payments).toMatchObject({ provider: 'stripe', webhookSecrets: [] });
});

test('feeds are fetched on web ports with the app URL as contact, unless set otherwise', () => {
  const custom = { FETCH_CONTACT: 'feeds@altavoz.example', FETCH_PORTS: '443 8443', FETCH_ALLOW_LOOPBACK: '1' };

  expect(parseEnv(PRODUCTION).fetcher).toEqual({
    contact: 'https://altavoz.example',
    ports: [80, 443],
    allowLoopback: false,
  });
  expect(parseEnv(custom).fetcher).toEqual({
    contact: 'feeds@altavoz.example',
    ports: [443, 8443],
    allowLoopback: true,
  });
});

test('the local Google and Facebook replace missing client ids, but never in production', () => {
  const ids = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' };
  const real = { clientId: 'id', clientSecret: 'secret', issuer: 'https://accounts.google.com' };

  expect(parseEnv({}).identity).toEqual({ google: 'sandbox', facebook: 'sandbox' });
  expect(parseEnv(ids).identity).toEqual({ google: real, facebook: 'sandbox' });
  expect(parseEnv(PRODUCTION).identity).toEqual({ google: null, facebook: null });
  expect(parseEnv({ ...PRODUCTION, ALLOW_DEV_FALLBACKS: '1', ...ids }).identity).toEqual({
    google: real,
    facebook: null,
  });
});

test.each(['altavoz.example', 'Altavoz <no-reply@altavoz.example>', '"Altavoz: podcasts" <no-reply@altavoz.example>'])(
  '%s may be the sender of emails',
  (from) => {
    expect(parseEnv({ MAIL_FROM: from.includes('@') ? from : `no-reply@${from}` }).mail.from).toContain(
      '@altavoz.example',
    );
  },
);

test('the DKIM key is read from one line or a file, and short keys are rejected', () => {
  const pem = (bits: number) =>
    String(generateKeyPairSync('rsa', { modulusLength: bits }).privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const ed25519 = String(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'dkim-')), 'key.pem');
  fs.writeFileSync(file, ed25519);
  const names = { DKIM_DOMAIN: 'Altavoz.example', DKIM_SELECTOR: 'a1' };
  const long = pem(2048);

  expect(parseEnv({}).mail.dkim).toBeNull();
  expect(parseEnv({ ...names, DKIM_KEY: long.replaceAll('\n', '\\n') }).mail.dkim).toEqual({
    domain: 'altavoz.example',
    selector: 'a1',
    algorithm: 'rsa-sha256',
    privateKey: long,
  });
  expect(parseEnv({ ...names, DKIM_KEY_FILE: file }).mail.dkim).toMatchObject({ algorithm: 'ed25519-sha256' });
  expect(() => parseEnv({ ...names, DKIM_KEY: pem(1024) })).toThrow('at least 2048 bits');
});

test.each([
  ['https://altavoz.example', 'altavoz.example'],
  ['https://altavoz.example', 'shows.altavoz.example'],
  ['https://app.altavoz.example', 'altavoz.example'],
])('with APP_URL %s, creators may have their pages below %s', (APP_URL, PUBLIC_ROOT_DOMAIN) => {
  expect(parseEnv({ ...PRODUCTION, APP_URL, PUBLIC_ROOT_DOMAIN }).urls.publicRoot).toBe(PUBLIC_ROOT_DOMAIN);
});

test('the CA file is part of both addresses, for every driver and program, and encrypts them unless they say otherwise', () => {
  const ca = { DATABASE_CA_FILE: 'package.json', DATABASE_URL: 'postgres://pool/x?sslmode=disable' };
  const { url, directUrl } = parseEnv({ ...ca, DATABASE_DIRECT_URL: 'postgres://db/x' }).database;

  expect(new URL(url!).searchParams.get('sslmode')).toBe('disable');
  expect(new URL(directUrl!).searchParams.get('sslmode')).toBe('verify-full');
  expect(new URL(directUrl!).searchParams.get('sslrootcert')).toBe(`${process.cwd()}/package.json`);
});

test('a name that resembles a setting is named beside a missing one, and otherwise is a warning', () => {
  const { DATABASE_URL, ...others } = PRODUCTION;

  expect(() => parseEnv({ ...others, DATABSE_URL: DATABASE_URL })).toThrow(
    /DATABASE_URL must be set .*DATABSE_URL is no setting: did you mean DATABASE_URL\?$/,
  );
  expect(parseEnv({ ...PRODUCTION, S3_BUKCET: 'x', TRUST_PROXI: '1', npm_config_log_level: '1' }).warnings).toEqual([
    'S3_BUKCET is no setting: did you mean S3_BUCKET?',
    // also if the right name is set, after one mistake
    'TRUST_PROXI is no setting: did you mean TRUST_PROXY?',
  ]);
  expect(parseEnv({ ...PRODUCTION, PATH: '/bin', HOSTNAME: 'web', LANGUAGE: 'en', SMTP_HOST: 'x' }).warnings).toEqual(
    [],
  );
});

test.each([
  ['TRUST_PROXY', { TRUST_PROXY: '0' }],
  ['METRICS_TOKEN', { METRICS_TOKEN: 'short' }],
  ['DATABASE_URL', { DATABASE_URL: 'postgres://altavoz:password@db/altavoz' }],
  ['SMTP_URL', { SMTP_URL: 'smtp://user:password@mail.altavoz.example' }],
])('production warns of %s (%j)', (name, settings) => {
  expect(parseEnv(PRODUCTION).warnings).toEqual([]);
  expect(parseEnv({ ...PRODUCTION, ...settings }).warnings).toEqual([expect.stringContaining(name)]);
});
