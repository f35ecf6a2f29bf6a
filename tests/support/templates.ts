import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type postgres from 'postgres';
import { runMigrations } from '~/db/migrate';
import { createBoss, createQueues } from '~/jobs/queue';
import { reachableModules } from './static-imports';

const MIGRATIONS = path.resolve('db/migrations');
/**
 * Everything that fills the cast's database; the sandbox creates its tables there and is loaded by a dynamic import.
 */
const CAST_CODE = ['tests/support/cast-template.ts', 'server/sandbox/stripe/sandbox.ts'];

type Server = {
  admin: postgres.Sql;
  urlFor: (database: string) => string;
  /** Holds the files of the templates. */
  directory: string;
};
export type CastTemplate = { database: string; directory: string };

/**
 * The migrated database with the job queues, and the one that has the cast in addition. Each is rebuilt when its code
 * changes.
 */
export async function ensureTemplates(server: Server): Promise<{ template: string; cast: CastTemplate }> {
  const { admin } = server;
  const template = `template_${fingerprintOf(migrationFiles())}`;
  const database = `cast_${fingerprintOf([...migrationFiles(), 'package-lock.json', ...castFiles()])}`;
  const directory = path.join(server.directory, database);
  await dropUnused(server, [template, database]);
  if (!(await exists(admin, template))) await buildTemplate(server, template);
  if (!(await exists(admin, database))) await buildCastTemplate(server, template, { database, directory });
  return { template, cast: { database, directory } };
}

const migrationFiles = () => [
  ...fs
    .readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => path.join(MIGRATIONS, name)),
  'jobs/catalog.ts',
  'jobs/queue.ts',
];

const castFiles = () =>
  CAST_CODE.flatMap((file) => [...reachableModules(file)])
    .filter((module) => path.isAbsolute(module))
    .sort();

function fingerprintOf(files: string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(fs.readFileSync(file));
  return hash.digest('hex').slice(0, 12);
}

async function exists(admin: postgres.Sql, database: string): Promise<boolean> {
  const rows = await admin`select 1 from pg_database where datname = ${database}`;
  return rows.length > 0;
}

/** Keeps what another run uses: each run holds a shared lock on its templates until its connection ends. */
async function dropUnused({ admin, directory }: Server, used: string[]): Promise<void> {
  for (const name of used) await admin`select pg_advisory_lock_shared(hashtext(${name}))`;
  const found = await admin<{ name: string }[]>`
    select datname as name from pg_database where datname ~ '^(template|cast)_' and datname <> all (${used})`;
  for (const { name } of found) {
    const [lock] = await admin<{ free: boolean }[]>`select pg_try_advisory_lock(hashtext(${name})) as free`;
    if (!lock?.free) continue;
    await admin`drop database if exists ${admin(name)} with (force)`;
    fs.rmSync(path.join(directory, name), { recursive: true, force: true });
    await admin`select pg_advisory_unlock(hashtext(${name}))`;
  }
}

async function buildTemplate({ admin, urlFor }: Server, template: string): Promise<void> {
  const half = 'template_half';
  await admin`create database ${admin(half)}`;
  await runMigrations(urlFor(half), MIGRATIONS);
  await makeQueues(urlFor(half));
  await allConnectionsClosed(admin, half);
  await admin`alter database ${admin(half)} rename to ${admin(template)}`;
}

/** Its code is loaded only when it is needed, because that takes seconds. */
async function buildCastTemplate({ admin, urlFor }: Server, template: string, cast: CastTemplate): Promise<void> {
  const half = 'cast_half';
  fs.rmSync(cast.directory, { recursive: true, force: true });
  fs.mkdirSync(path.join(cast.directory, 'data'), { recursive: true });
  await admin`create database ${admin(half)} template ${admin(template)}`;
  const { buildCast } = await import('./cast-template');
  const index = await buildCast(urlFor(half), path.join(cast.directory, 'data'));
  fs.writeFileSync(path.join(cast.directory, 'index.json'), JSON.stringify(index));
  await allConnectionsClosed(admin, half);
  await admin`alter database ${admin(half)} rename to ${admin(cast.database)}`;
}

async function makeQueues(url: string): Promise<void> {
  const boss = createBoss(url, { runsJobs: false, onError: (error) => console.error(error) });
  await boss.start();
  await createQueues(boss);
  await boss.stop({ graceful: false });
}

/** A template must have no connections, and pg-boss reports that it is closed shortly before its sockets are. */
async function allConnectionsClosed(admin: postgres.Sql, database: string): Promise<void> {
  for (let i = 0; i < 100; i += 1) {
    const busy = await admin`select 1 from pg_stat_activity where datname = ${database}`;
    if (busy.length === 0) return;
    await sleep(20);
  }
  throw new Error(`connections to ${database} stay open`);
}
