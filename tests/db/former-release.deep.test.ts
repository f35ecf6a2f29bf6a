import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { freePort } from '~/db/cluster/port';
import { runMigrations } from '~/db/migrate';
import { emptyDatabase } from '../support/db';
import { sendRaw } from '../support/raw-http';

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();

/** The commit before the last change of the tables; '' in a checkout without history. */
function formerCommit(): string {
  const last = git('log', '-1', '--format=%H', '--', 'db/migrations/meta/_journal.json');
  try {
    return git('rev-parse', '--verify', '--quiet', `${last}^`);
  } catch {
    return '';
  }
}

const former = formerCommit();
const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'altavoz-former-'));
const checkout = path.join(folder, 'code');
afterAll(async () => {
  if (former) git('worktree', 'remove', '--force', checkout);
  await fs.rm(folder, { recursive: true, force: true });
});

const { url, client } = await emptyDatabase();
const READS: [host: string, path: string][] = [
  ['altavoz', '/en/login'],
  ['altavoz', '/'],
  ['altavoz', '/en/discover'],
  ['ada.altavoz', '/'],
  ['lucia.altavoz', '/'],
  ['altavoz', '/api/discover/'],
];

/** Its own packages, if they are not ours: it may need one that we have removed. */
async function givePackages(): Promise<void> {
  const [ours, its] = await Promise.all(['.', checkout].map((dir) => fs.readFile(path.join(dir, 'package-lock.json'))));
  if (ours!.equals(its!)) await fs.symlink(path.resolve('node_modules'), path.join(checkout, 'node_modules'));
  else execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: checkout, stdio: 'ignore' });
}

test.skipIf(!former)('the former release works on the new tables (needs the history of git)', async () => {
  await runMigrations(url, 'db/migrations');
  git('worktree', 'add', '--detach', checkout, former);
  await givePackages();
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: checkout, stdio: 'ignore' });
  const port = await freePort();
  const settings = { PORT: String(port), DATABASE_URL: url, DATA_DIR: path.join(folder, 'data'), SEED_DEMO: '1' };
  const env = { ...process.env, ...settings, NODE_ENV: 'production' as const, LOG_LEVEL: 'error' };
  // the release's own verbs create its demo data: accounts, shows, episodes, sales, payouts
  const server = spawn(process.execPath, ['build/main/main.js'], { cwd: checkout, env });
  let log = '';
  server.stdout.on('data', (chunk) => {
    log += chunk;
  });
  server.stderr.on('data', (chunk) => {
    log += chunk;
  });
  const statusOf = async (host: string, at: string) =>
    (await sendRaw(port, [`GET ${at} HTTP/1.1\r\nhost: ${host}.localhost:${port}\r\n\r\n`])).status;
  // the release serves pages before the demo is complete
  const hasDemo = async () => (await client`select 1 from milestones where name = 'demo'`).length > 0;
  while (!(await hasDemo()) && server.exitCode === null) await sleep(500);
  while ((await statusOf('altavoz', '/readyz')) !== 200 && server.exitCode === null) await sleep(500);

  const statuses = await Promise.all(READS.map(async ([host, at]) => `${host}${at}: ${await statusOf(host, at)}`));
  const [seeded] = await client`select count(*)::int as episodes from episodes where status = 'published'`;
  server.kill('SIGTERM');
  if (server.exitCode === null) await once(server, 'exit');

  expect(statuses).toEqual(READS.map(([host, at]) => `${host}${at}: 200`));
  expect(seeded?.episodes).toBeGreaterThan(10);
  expect(log.split('\n').filter((line) => line.startsWith('{'))).toEqual([]);
});
