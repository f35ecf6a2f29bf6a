import { once } from 'node:events';
import fs from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { examineInstallation, linesOf } from '~/server/admin/doctor-commands';
import { type Finding, ok, problem, warning } from '~/server/admin/finding';
import { type Outside, realOutside } from '~/server/admin/outside';
import { parseEnv } from '~/server/env/read';
import { cast } from '../support/cast';
import { emptyDatabase } from '../support/db';
import { transactionPooler } from '../support/transaction-pooler';

const { env, url, client } = await cast();
const DAY = 86_400_000;

/** A production site without problems. */
function healthy(change: Partial<Outside> = {}): Outside {
  return {
    addresses: async () => ['192.0.2.1'],
    texts: async (host) => (host.startsWith('_dmarc.') ? ['v=DMARC1; p=none'] : ['other=1', 'v=spf1 mx -all']),
    mailServers: async () => ['mail.altavoz.example'],
    certificate: async () => ({ validTo: new Date(Date.now() + 60 * DAY), fault: null }),
    fetch: async () => ({ status: 200, date: new Date() }),
    logInToSmtp: async () => {},
    payments: () => null,
    spotify: () => null,
    now: () => new Date(),
    ...change,
  };
}

const SETTINGS = {
  APP_ENV: 'production',
  APP_URL: 'https://altavoz.example',
  APP_SECRET: '8c1f0e6de8c94c0ea2d80b97c06a4d8f',
  TRUST_PROXY: '1',
  DATABASE_URL: url,
  DATA_DIR: env.dataDir,
  SMTP_URL: 'smtps://mail.altavoz.example',
  OPERATOR_NAME: 'Altavoz Example, S.L.',
  OPERATOR_EMAIL: 'hello@altavoz.example',
  WORKER: 'off',
};

/** The findings that report a problem. */
async function complaints(outside: Outside, settings: Record<string, string> = {}): Promise<Finding[]> {
  const findings = await examineInstallation(parseEnv({ ...SETTINGS, ...settings }), outside);
  // the age of the rules depends on the day of the test
  return findings.filter(({ state, check }) => state !== 'ok' && check !== 'rules');
}

await client`update pgboss.version set maintained_on = now()`;

test('a healthy site has nothing but good answers, one for each check', async () => {
  const findings = await examineInstallation(parseEnv(SETTINGS), healthy());

  expect(await complaints(healthy())).toEqual([]);
  expect([...new Set(findings.map(({ check }) => check))].sort()).toEqual([
    ...'clock data database dmarc dns espeak migrations mx node rules settings site smtp spf spotify storage'.split(
      ' ',
    ),
    ...'suggestions tls transcriber vat worker'.split(' '),
  ]);
});

test.each<[string, 'problem' | 'warning', Partial<Outside>, string]>([
  [
    'dns',
    'problem',
    { addresses: async (host) => (host === 'altavoz.example' ? ['192.0.2.1'] : []) },
    '*.altavoz.example',
  ],
  ['tls', 'problem', { certificate: async () => ({ validTo: new Date(0), fault: 'CERT_HAS_EXPIRED' }) }, 'EXPIRED'],
  ['tls', 'warning', { certificate: async () => ({ validTo: new Date(Date.now() + DAY), fault: null }) }, 'renewed'],
  ['site', 'problem', { fetch: async () => ({ status: 502, date: null }) }, '502'],
  [
    'site',
    'problem',
    { fetch: () => Promise.reject(new Error('fetch failed', { cause: new Error('no\nway') })) },
    'no way',
  ],
  ['clock', 'problem', { fetch: async () => ({ status: 200, date: new Date(Date.now() - 60_000) }) }, '60 s'],
  ['smtp', 'problem', { logInToSmtp: () => Promise.reject(new Error('Invalid login')) }, 'Invalid login'],
  ['spf', 'problem', { texts: async () => ['v=DMARC1; p=none'] }, 'no SPF'],
  ['spf', 'problem', { texts: async () => ['v=spf1 mx', 'v=spf1 a', 'v=DMARC1; p=none'] }, '2 SPF'],
  ['dmarc', 'warning', { texts: async () => ['v=spf1 mx -all'] }, '_dmarc.altavoz.example'],
  ['mx', 'warning', { mailServers: async () => [] }, 'no MX'],
])('%s is a %s (%j)', async (check, state, change, text) => {
  const found = await complaints(healthy(change));

  expect(new Set(found.map((finding) => finding.check))).toEqual(new Set([check]));
  for (const finding of found) expect(finding).toMatchObject({ state, message: expect.stringContaining(text) });
});

test('settings, database, storage and a missing worker are problems with a reason', async () => {
  const wrong = new URL(url);
  wrong.pathname = '/nowhere';

  expect(await complaints(healthy(), { TRUST_PROXY: '0', WORKER: 'inline' })).toMatchObject([
    { check: 'settings', state: 'warning', message: expect.stringContaining('TRUST_PROXY') },
    { check: 'settings', state: 'warning', message: expect.stringContaining('WORKER') },
  ]);
  expect(await complaints(healthy(), { DATABASE_URL: wrong.href })).toMatchObject([
    { check: 'database', state: 'problem', message: expect.stringContaining('no database nowhere') },
  ]);
  const s3 = { STORAGE_DRIVER: 's3', S3_BUCKET: 'x', S3_ENDPOINT: 'http://127.0.0.1:9', S3_ACCESS_KEY_ID: 'a' };
  expect(await complaints(healthy(), { ...s3, S3_SECRET_ACCESS_KEY: 'b' })).toMatchObject([{ check: 'storage' }]);
  await client`update pgboss.version set maintained_on = now() - interval '5 minutes'`;
  expect(await complaints(healthy())).toMatchObject([{ check: 'worker', message: expect.stringContaining('300 s') }]);
  await client`update pgboss.version set maintained_on = now()`;
});

test('a broken table of agents is a problem that names its fault, and a good one is counted', async () => {
  const file = path.join(env.dataDir, 'agents.json');
  const agent = { id: 'radio_luna', name: 'Radio Luna', kind: 'app', match: ['radio luna'] };
  await fs.writeFile(file, JSON.stringify({ agents: [{ ...agent, kind: 'robot' }] }));

  expect(await complaints(healthy(), { AGENTS_FILE: file })).toMatchObject([
    { check: 'agents', state: 'problem', message: expect.stringContaining('agents.0.kind') },
  ]);
  await fs.writeFile(file, JSON.stringify({ version: '2026-11', agents: [agent] }));
  expect(await examineInstallation(parseEnv({ ...SETTINGS, AGENTS_FILE: file }), healthy())).toContainEqual(
    ok('agents', `1 in ${file}, version 2026-11`),
  );
});

test('a pooler in transaction mode is noticed, with the setting that it needs', async () => {
  const pooler = await transactionPooler(url);
  onTestFinished(() => pooler.close());

  expect(await complaints(healthy(), { DATABASE_URL: pooler.url })).toMatchObject([
    { check: 'database', state: 'problem', message: expect.stringContaining('DATABASE_DIRECT_URL') },
    { check: 'database', state: 'warning', message: expect.stringContaining('DATABASE_PREPARE=0') },
  ]);
  const right = { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: url, DATABASE_PREPARE: '0' };
  expect(await complaints(healthy(), right)).toEqual([]);
  const { url: otherUrl } = await emptyDatabase();
  expect(await complaints(healthy(), { ...right, DATABASE_DIRECT_URL: url, DATABASE_URL: otherUrl })).toMatchObject([
    { check: 'database', state: 'problem', message: expect.stringContaining('is another database than') },
  ]);
});

test('pending migrations are named, and not applied', async () => {
  const [last] = await client`select * from drizzle.__drizzle_migrations order by created_at desc limit 1`;
  await client`delete from drizzle.__drizzle_migrations where id = ${last!.id}`;

  expect(await complaints(healthy())).toMatchObject([
    { check: 'migrations', message: expect.stringContaining('1 are') },
  ]);
  const findings = await examineInstallation(parseEnv(SETTINGS), healthy());
  // a pending migration may bring the columns of sales that this reads
  expect(findings.map(({ check }) => check)).not.toContain('vat');

  expect(await client`select 1 from drizzle.__drizzle_migrations where id = ${last!.id}`).toHaveLength(0);
  await client`insert into drizzle.__drizzle_migrations ${client(last!)}`;
});

test('on a developer’s machine, no names, certificates or mail records are looked up', async () => {
  const findings = await examineInstallation(parseEnv({ DATABASE_URL: url, DATA_DIR: env.dataDir }), healthy());

  expect(findings.filter(({ check }) => ['dns', 'tls', 'smtp', 'spf'].includes(check))).toEqual([]);
});

test('a site below localhost is asked on this machine, whatever its resolver knows', async () => {
  const server = createServer((_, response) => response.end()).listen(0, 'localhost');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  expect(await realOutside.fetch(`http://doctor.localhost:${port}/healthz`)).toMatchObject({ status: 200 });
});

test('the last line counts in the singular and the plural', () => {
  expect(linesOf([problem('dns', 'none'), ok('node', 'new'), warning('mx', 'no')])).toContain(
    '\n1 problem, 1 warning, 0',
  );
  expect(linesOf([])).toContain('\n0 problems, 0 warnings, 0');
});
