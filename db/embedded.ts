import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { withLock } from './cluster/lock';
import { findPlace } from './cluster/place';
import { type Cluster, openCluster, startServer, stopServer, urlOf } from './cluster/server';

export type EmbeddedOptions = {
  /** Absolute; holds everything of this server. */
  dir: string;
  /** Created when it is missing. */
  database?: string;
  /** For tests: no fsync, so a power cut may ruin the data. */
  unsafeFast?: boolean;
  /** Where root may move the cluster to when the server's user can't enter `dir`. */
  refuges?: string[];
};

export type EmbeddedServer = {
  url: string;
  urlFor: (database: string) => string;
  /** False when a server of an earlier process was still running. */
  started: boolean;
  /** Stops the server unless another process still uses it (or `force`); tells whether it did. */
  stop: (options?: { force?: boolean }) => Promise<boolean>;
};

/**
 * A real Postgres without any installation: the binaries of an npm package, run as a server of their own that several
 * processes (web, worker, psql) share. The port is chosen once and remembered, so checkouts don't meet. Works as root,
 * as any user with a passwd entry, and after a kill -9 of this process, of the server, or of both.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const place = await findPlace(options.dir, options.refuges);
  const lock = path.join(place.dir, 'starting.lock');
  return withLock(lock, async () => {
    const found = await openCluster(place);
    const running = await answers(found);
    const cluster = running ? found : await startServer(found, options.unsafeFast ?? false);
    const database = options.database ?? 'altavoz';
    await ensureDatabase(cluster, database);
    return {
      url: urlOf(cluster, database),
      urlFor: (name) => urlOf(cluster, name),
      started: !running,
      stop: ({ force = false } = {}) => withLock(lock, () => stopUnlessUsed(cluster, force)),
    };
  });
}

function connect(cluster: Cluster) {
  return postgres(urlOf(cluster, 'postgres'), { max: 1, connect_timeout: 3, onnotice: () => {} });
}

/** Also asks whose data it serves: a copied checkout remembers the port and password of the original. */
async function answers(cluster: Cluster): Promise<boolean> {
  const sql = connect(cluster);
  try {
    const [row] = await sql<{ dir: string }[]>`select current_setting('data_directory') as dir`;
    return (await fs.realpath(row?.dir ?? '')) === (await fs.realpath(cluster.data));
  } catch {
    return false;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function ensureDatabase(cluster: Cluster, name: string): Promise<void> {
  const sql = connect(cluster);
  const [found] = await sql`select 1 from pg_database where datname = ${name}`;
  if (!found) await sql`create database ${sql(name)}`;
  await sql.end();
}

/** Pools say they are closed a moment before their sockets are, so the first count may be too high. */
async function stopUnlessUsed(cluster: Cluster, force: boolean): Promise<boolean> {
  const sql = connect(cluster);
  try {
    for (let i = 0; !force && (await countOthers(sql)) > 0; i += 1) {
      if (i === 10) return false;
      await sleep(50);
    }
  } catch {
    // It doesn't answer: stopping is all the more right.
  } finally {
    await sql.end({ timeout: 1 });
  }
  await stopServer(cluster);
  return true;
}

async function countOthers(sql: postgres.Sql): Promise<number> {
  const [row] = await sql<{ others: number }[]>`
    select count(*)::int as others from pg_stat_activity
    where backend_type = 'client backend' and pid <> pg_backend_pid()`;
  return row?.others ?? 0;
}
