import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { runMigrations } from '~/db/migrate';
import { createBoss, createQueues } from '~/server/queue/queue';
import { reachableModules } from './static-imports';

const MIGRATIONS = path.resolve('db/migrations');
/**
 * Everything that fills the cast's database; the sandbox creates its tables there and is loaded by a dynamic import.
 */
const CAST_CODE = ['tests/support/cast-template.ts', 'packages/stripe-sandbox/src/sandbox.ts'];
const SHOP_CODE = [...CAST_CODE, 'tests/support/shop-template.ts'];

type Server = {
  admin: postgres.Sql;
  urlFor: (database: string) => string;
  /** Holds the files of the templates. */
  directory: string;
};
export type CastTemplate = { database: string; directory: string };

type Templates = { template: string; cast: CastTemplate; shop: CastTemplate };

/**
 * The migrated database with the job queues, the name of the one that also has the cast, and the name of the one that
 * also has buyers. Each is rebuilt when its code changes.
 */
export async function ensureTemplates(server: Server): Promise<Templates> {
  const { admin, directory } = server;
  const template = `template_${fingerprintOf(migrationFiles())}`;
  const [cast, shop] = [named('cast', directory), named('shop', directory)];
  await dropUnused(server, [template, cast.database, shop.database]);
  if (!(await exists(admin, template))) await buildTemplate(server, template);
  if (!(await exists(admin, cast.database))) await buildCastTemplate(server, template, cast);
  return { template, cast, shop };
}

function named(name: 'cast' | 'shop', directory: string): CastTemplate {
  const code = [...migrationFiles(), 'package-lock.json', ...filesOf(name === 'cast' ? CAST_CODE : SHOP_CODE)];
  const database = `${name}_${fingerprintOf(code)}`;
  return { database, directory: path.join(directory, database) };
}

const migrationFiles = () => [
  ...fs
    .readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => path.join(MIGRATIONS, name)),
  ...fs.readdirSync('server/queue/jobs').map((name) => `server/queue/jobs/${name}`),
  'server/queue/queue.ts',
];

const filesOf = (code: string[]) =>
  code
    .flatMap((file) => [...reachableModules(file)])
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

/**
 * Protects templates that another run uses: each run holds a shared lock on its templates until its connection ends.
 */
async function dropUnused({ admin, directory }: Server, used: string[]): Promise<void> {
  for (const name of used) await admin`select pg_advisory_lock_shared(hashtext(${name}))`;
  const found = await admin<{ name: string }[]>`
    select datname as name from pg_database where datname ~ '^(template|cast|shop)_' and datname <> all (${used}) order by 1`;
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

/** Loads its code on demand, because that takes seconds. */
async function buildCastTemplate(server: Server, template: string, cast: CastTemplate): Promise<void> {
  const { buildCast } = await import('./cast-template');
  await buildStaged(server, cast, { from: template, build: buildCast });
}

/** Builds the template with the buyers if it is missing: most runs of a few files don't need it. */
export async function ensureShop(adminUrl: string, { cast, shop }: Pick<Templates, 'cast' | 'shop'>): Promise<void> {
  const admin = postgres(adminUrl, { max: 1, onnotice: () => {} });
  const urlFor = (database: string) => Object.assign(new URL(adminUrl), { pathname: `/${database}` }).href;
  try {
    // the lock of a starting run, which drops unused templates
    await admin`select pg_advisory_lock(1)`;
    if (await exists(admin, shop.database)) return;
    const { buildShop } = await import('./shop-template');
    await buildStaged({ admin, urlFor }, shop, { from: cast.database, files: cast.directory, build: buildShop });
  } finally {
    await admin.end();
  }
}

type Build = { from: string; files?: string; build(url: string, dataDir: string): Promise<object> };

/** Rebuilds a template that a killed run left incomplete. */
async function buildStaged(server: Omit<Server, 'directory'>, staged: CastTemplate, { from, files, build }: Build) {
  const { admin, urlFor } = server;
  const half = `${staged.database}_half`;
  const dataDir = path.join(staged.directory, 'data');
  fs.rmSync(staged.directory, { recursive: true, force: true });
  fs.mkdirSync(dataDir, { recursive: true });
  if (files) fs.cpSync(files, staged.directory, { recursive: true });
  await admin`drop database if exists ${admin(half)} with (force)`;
  await admin`create database ${admin(half)} template ${admin(from)}`;
  const index = await build(urlFor(half), dataDir);
  fs.writeFileSync(path.join(staged.directory, 'index.json'), JSON.stringify(index));
  await allConnectionsClosed(admin, half);
  await admin`alter database ${admin(half)} rename to ${admin(staged.database)}`;
}

async function makeQueues(url: string): Promise<void> {
  const boss = createBoss(url, { runsJobs: false, onError: (error) => console.error(error) });
  await boss.start();
  await createQueues(boss);
  await boss.stop({ graceful: false });
}

/** Waits until the template has no connections: pg-boss reports that it has closed shortly before its sockets close. */
async function allConnectionsClosed(admin: postgres.Sql, database: string): Promise<void> {
  for (let i = 0; i < 100; i += 1) {
    const busy = await admin`select 1 from pg_stat_activity where datname = ${database}`;
    if (busy.length === 0) return;
    await sleep(20);
  }
  throw new Error(`connections to ${database} stay open`);
}
