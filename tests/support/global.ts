import fs from 'node:fs';
import path from 'node:path';
import postgres from 'postgres';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '~/db/embedded';
import { clusterFolder } from './cluster-folder';
import { SCRATCH } from './scratch';
import { type CastTemplate, ensureTemplates } from './templates';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server's `postgres` database, as its owner. */
    adminUrl: string;
    /** The path of the server's Unix socket; null if it has none. */
    socket: string | null;
    /** The migrated database that test files copy. */
    template: string;
    /** The migrated database with the cast, and the directory of its files. */
    cast: CastTemplate;
    /** The cast's database with buyers, which the first test file that needs it builds. */
    shop: CastTemplate;
    /** Prefix of the names of this run's databases and folders. */
    copyPrefix: string;
  }
}

/** One server for every run in this checkout, without fsync. Its templates are rebuilt when their code changes. */
export default async function setup(project: TestProject) {
  const dir = clusterFolder();
  const server = await startEmbedded({ dir, database: 'postgres', unsafeFast: true });
  const admin = postgres(server.url, { max: 1, onnotice: () => {} });
  await admin`select pg_advisory_lock(1)`;
  await dropCopiesOfDeadRuns(admin);
  dropFilesOfDeadRuns();
  const { template, cast, shop } = await ensureTemplates({
    admin,
    urlFor: server.urlFor,
    directory: path.join(dir, 'casts'),
  });
  await admin`select pg_advisory_unlock(1)`;
  project.provide('adminUrl', server.url);
  project.provide('socket', await socketOf(admin));
  project.provide('template', template);
  project.provide('cast', cast);
  project.provide('shop', shop);
  project.provide('copyPrefix', `copy_${process.pid}_`);
  return async () => {
    await admin.end();
    await server.stop();
  };
}

async function socketOf(admin: postgres.Sql): Promise<string | null> {
  const [row] = await admin<{ folder: string; port: string }[]>`
    select current_setting('unix_socket_directories') as folder, current_setting('port') as port`;
  return row?.folder ? `${row.folder}/.s.PGSQL.${row.port}` : null;
}

/** Other runs may be in progress. */
async function dropCopiesOfDeadRuns(admin: postgres.Sql): Promise<void> {
  for (const { name } of await admin<
    { name: string }[]
  >`select datname as name from pg_database where datname like 'copy\\_%' order by 1`) {
    if (!isAlive(Number(name.split('_')[1]))) await admin`drop database if exists ${admin(name)} with (force)`;
  }
}

function dropFilesOfDeadRuns(): void {
  for (const name of fs.readdirSync(SCRATCH)) {
    const [, pid] = /^altavoz-copy_(\d+)_/.exec(name) ?? [];
    if (pid && !isAlive(Number(pid))) fs.rmSync(path.join(SCRATCH, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
