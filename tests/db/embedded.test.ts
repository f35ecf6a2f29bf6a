import { execFile, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { type EmbeddedOptions, startEmbedded } from '~/db/embedded';
import { isDeep } from '../support/deep';
import { SCRATCH } from '../support/scratch';

const isRoot = process.getuid?.() === 0;
const NOBODY = 65534;
const KILL_CYCLES = isDeep ? 10 : 1;

/** A directory that the server's user may enter, deleted after the test. */
async function emptyDir(mode = 0o755): Promise<string> {
  const dir = await fs.mkdtemp(path.join(SCRATCH, 'altavoz-embedded-'));
  await fs.chmod(dir, mode);
  onTestFinished(() => fs.rm(dir, { recursive: true, force: true, maxRetries: 5 }));
  return dir;
}

let shared: Promise<string> | undefined;
afterAll(async () => {
  if (shared) await fs.rm(await shared, { recursive: true, force: true, maxRetries: 5 });
});

/** A directory with an empty cluster that is not running: a copy, since initdb takes most of a start. */
async function initializedDir(): Promise<string> {
  shared ??= createCluster();
  const dir = await emptyDir();
  await copyCluster(await shared, dir);
  return dir;
}

async function createCluster(): Promise<string> {
  const dir = await fs.mkdtemp(path.join(SCRATCH, 'altavoz-embedded-'));
  await fs.chmod(dir, 0o755);
  const server = await startEmbedded({ dir, unsafeFast: true });
  await server.stop({ force: true });
  return dir;
}

/** Keeps the owner, since Postgres only starts on files that its user owns. */
async function copyCluster(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', `${from}/.`, to]);
}

async function start(dir: string, options: Partial<EmbeddedOptions> = {}) {
  const server = await startEmbedded({ dir, unsafeFast: true, ...options });
  onTestFinished(async () => {
    await server.stop({ force: true }).catch(() => {});
  });
  return server;
}

async function query<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  return work(sql).finally(() => sql.end());
}

/** Starts the server from another process; returns that process and the server's URL. */
async function startInChild(dir: string, options: SpawnOptions = {}) {
  const child = spawn(process.execPath, ['--import', 'tsx', 'tests/support/embedded-child.ts', dir], options);
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`the child ended with ${code}`)));
  const [line] = (await Promise.race([once(child.stdout!, 'data'), ended])) as [Buffer];
  ended.catch(() => {});
  return { child, url: line.toString().trim() };
}

async function postmasterOf(dir: string): Promise<number> {
  return Number((await fs.readFile(path.join(dir, 'data/postmaster.pid'), 'utf8')).split('\n')[0]);
}

test('data and port survive a restart', async () => {
  const dir = await initializedDir();
  const first = await start(dir);
  await query(first.url, (sql) => sql`create table kept as select lower('É') as letter`);
  await first.stop();

  const second = await start(dir);

  expect(second.url).toBe(first.url);
  expect(second.started).toBe(true);
  expect(await query(second.url, (sql) => sql`select letter from kept order by 1`)).toEqual([{ letter: 'é' }]);
});

test('a second start finds the running server', async () => {
  const dir = await emptyDir();
  const [one, two] = await Promise.all([start(dir), start(dir)]);

  expect(one.url).toBe(two.url);
  expect([one.started, two.started].sort()).toEqual([false, true]);
});

test('every acknowledged row survives kill -9 of a server with connected clients', { timeout: 120_000 }, async () => {
  const dir = await initializedDir();
  let server = await start(dir, { unsafeFast: false });
  await query(server.url, (sql) => sql`create table kept (n int)`);

  for (let cycle = 1; cycle <= KILL_CYCLES; cycle += 1) {
    // the driver asks each new connection for its types, and leaves the failure of that query unhandled
    const client = postgres(server.url, { max: 2, fetch_types: false });
    const asleep = client`select pg_sleep(20)`.catch(() => 'broken');
    await client`insert into kept values (${cycle})`;
    process.kill(await postmasterOf(dir), 'SIGKILL');
    server = await start(dir, { unsafeFast: false });

    expect(server.started).toBe(true);
    expect(await asleep).toBe('broken');
    await client.end({ timeout: 1 });
    const rows = await query(server.url, (sql) => sql`select n from kept order by n`);
    expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: cycle }, (_, i) => i + 1));
  }
});

test('a pid file with the pid of an unrelated process does not prevent a start', async () => {
  const dir = await initializedDir();
  const first = await start(dir);
  const pidFile = path.join(dir, 'data/postmaster.pid');
  const text = await fs.readFile(pidFile, 'utf8');
  await first.stop();
  await fs.writeFile(pidFile, text.replace(/^\d+/, String(process.pid)));

  const second = await start(dir);

  expect(second.started).toBe(true);
});

test('a server is found again after kill -9 of the process that started it', async () => {
  const dir = await initializedDir();
  const { child, url } = await startInChild(dir);
  child.kill('SIGKILL');
  await once(child, 'exit');

  const again = await start(dir);

  expect(again.started).toBe(false);
  expect(again.url).toBe(url);
});

test('the lock of a dead process is taken over', async () => {
  const dir = await initializedDir();
  await fs.writeFile(path.join(dir, 'starting.lock'), `${process.pid} 1`);

  const server = await start(dir);

  expect(server.started).toBe(true);
});

test('stop() keeps a server running that others use', async () => {
  const server = await start(await initializedDir());
  const other = postgres(server.url, { max: 1 });
  await other`select 1`;

  expect(await server.stop()).toBe(false);
  await other.end();
  expect(await server.stop()).toBe(true);
});

test('two checkouts run side by side, even if one is a copy', async () => {
  const [here, there] = [await initializedDir(), await emptyDir()];
  const original = await start(here);
  await original.stop();
  await copyCluster(here, there);
  await start(here);

  const copy = await start(there);

  expect(copy.url).not.toBe(original.url);
  const where = await query(copy.url, (sql) => sql`select current_setting('data_directory') as dir`);
  expect(where).toEqual([{ dir: path.join(there, 'data') }]);
});

test.runIf(isRoot)(
  'below a directory that only root may enter, the cluster is kept in a fallback directory',
  async () => {
    const preferred = path.join(await emptyDir(0o700), 'postgres');
    const fallbackRoots = [path.join(await emptyDir(), 'fallback')];
    const first = await start(preferred, { fallbackRoots });
    await query(first.url, (sql) => sql`create table kept (n int)`);
    await first.stop();

    const second = await start(preferred, { fallbackRoots });
    await query(second.url, (sql) => sql`select n from kept order by 1`);

    expect(await fs.readdir(preferred)).toEqual(['elsewhere']);
    await second.stop();
    await fs.rm(preferred, { recursive: true });
    const recreated = await start(preferred, { fallbackRoots });
    await expect(query(recreated.url, (sql) => sql`select n from kept order by 1`)).rejects.toThrow('does not exist');
  },
);

test.runIf(isRoot)('an unprivileged user runs the server, and root finds it afterwards', async ({ skip }) => {
  const dir = await emptyDir();
  await fs.chown(dir, NOBODY, NOBODY);
  // an absolute path, since the child starts in this directory even if it may not enter it
  const test = ['-c', 'test -r "$0"', path.resolve('package.json')];
  const reader = spawn('/bin/sh', test, { uid: NOBODY, gid: NOBODY });
  const [code] = await once(reader, 'exit');
  if (code !== 0) skip('unprivileged users may not read the checkout');
  const { url } = await startInChild(dir, {
    uid: NOBODY,
    gid: NOBODY,
    env: { NODE_ENV: 'test', PATH: process.env.PATH, HOME: dir, TMPDIR: dir },
  });

  const found = await start(dir);

  expect(found.url).toBe(url);
  expect((await fs.stat(path.join(dir, 'data'))).uid).toBe(NOBODY);
});
