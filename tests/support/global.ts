import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '~/db/embedded';
import { runMigrations } from '~/db/migrate';
import { createBoss, createQueues } from '~/jobs/queue';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server's `postgres` database, as its owner. */
    adminUrl: string;
    /** The migrated database that each test file copies. */
    template: string;
    /** What the names of this run's copies begin with. */
    copyPrefix: string;
  }
}

const MIGRATIONS = path.resolve('db/migrations');

/** One server for every run in this checkout, without fsync; the template is built anew when what it is made of changed. */
export default async function setup(project: TestProject) {
  const server = await startEmbedded({
    dir: path.resolve('.data/tests/postgres'),
    database: 'postgres',
    unsafeFast: true,
  });
  const admin = postgres(server.url, { max: 1, onnotice: () => {} });
  await admin`select pg_advisory_lock(1)`;
  await dropCopiesOfDeadRuns(admin);
  const template = await ensureTemplate(admin, server.urlFor);
  await admin`select pg_advisory_unlock(1)`;
  project.provide('adminUrl', server.url);
  project.provide('template', template);
  project.provide('copyPrefix', `copy_${process.pid}_`);
  return async () => {
    await admin.end();
    await server.stop();
  };
}

/** Another run may be going on beside this one. */
async function dropCopiesOfDeadRuns(admin: postgres.Sql): Promise<void> {
  for (const { name } of await admin<
    { name: string }[]
  >`select datname as name from pg_database where datname like 'copy\\_%'`) {
    if (!isAlive(Number(name.split('_')[1]))) await admin`drop database if exists ${admin(name)} with (force)`;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function ensureTemplate(admin: postgres.Sql, urlFor: (name: string) => string): Promise<string> {
  const template = `template_${fingerprint()}`;
  const [found] = await admin`select 1 from pg_database where datname = ${template}`;
  if (found) return template;
  for (const { name } of await admin<
    { name: string }[]
  >`select datname as name from pg_database where datname like 'template\\_%'`)
    await admin`drop database ${admin(name)} with (force)`;
  const half = `template_half`;
  await admin`create database ${admin(half)}`;
  await runMigrations(urlFor(half), MIGRATIONS);
  await makeQueues(urlFor(half));
  await nobodyOn(admin, half);
  await admin`alter database ${admin(half)} rename to ${admin(template)}`;
  return template;
}

/** Of the migrations and the job queues, which live in the database too. */
function fingerprint(): string {
  const files = fs.readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql'));
  const hash = createHash('sha256');
  for (const file of [...files.sort().map((name) => path.join(MIGRATIONS, name)), 'jobs/catalog.ts', 'jobs/queue.ts'])
    hash.update(fs.readFileSync(file));
  return hash.digest('hex').slice(0, 12);
}

async function makeQueues(url: string): Promise<void> {
  const boss = createBoss(url, { runsJobs: false, onError: (error) => console.error(error) });
  await boss.start();
  await createQueues(boss);
  await boss.stop({ graceful: false });
}

/** A template takes no connections while it is copied, and pg-boss says it is closed a moment before its sockets are. */
async function nobodyOn(admin: postgres.Sql, database: string): Promise<void> {
  for (let i = 0; i < 100; i += 1) {
    const busy = await admin`select 1 from pg_stat_activity where datname = ${database}`;
    if (busy.length === 0) return;
    await sleep(20);
  }
  throw new Error(`connections to ${database} stay open`);
}
