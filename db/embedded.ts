import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { locateCluster } from './cluster/location';
import { withLock } from './cluster/lock';
import { type Cluster, openCluster, startServer, stopServer, urlOf } from './cluster/server';

export type EmbeddedOptions = {
  /** Absolute path; holds all files of this server. */
  dir: string;
  /** Created if missing. */
  database?: string;
  /** For tests: without fsync, a power failure may corrupt the data. */
  unsafeFast?: boolean;
  /** Cancels a start in progress: no part of it keeps running. */
  stopping?: AbortSignal;
  /** Folders for the cluster if root starts it and the server's user can't access `dir`. */
  fallbackRoots?: string[];
};

export type EmbeddedServer = {
  url: string;
  urlFor: (database: string) => string;
  /** False if a server was already running. */
  started: boolean;
  /** Stops the server unless another process uses it; `force` stops it anyway. @returns whether it stopped */
  stop: (options?: { force?: boolean }) => Promise<boolean>;
};

/**
 * Starts Postgres from the binaries of an npm package, as a server that several processes (web, worker, psql) share.
 * The port is chosen once and saved, so checkouts don't conflict. Works as root and as any user in /etc/passwd, and
 * after a kill -9 of this process, of the server, or of both. @throws the reason of `stopping`
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { stopping, unsafeFast = false } = options;
  const location = await locateCluster(options.dir, options.fallbackRoots);
  const lock = path.join(location.dir, 'starting.lock');
  return withLock(lock, async () => {
    stopping?.throwIfAborted();
    const existing = await openCluster(location, stopping);
    const running = await isRunning(existing);
    stopping?.throwIfAborted();
    const cluster = running ? existing : await startServer(existing, unsafeFast);
    const database = options.database ?? 'altavoz';
    await ensureDatabase(cluster, database);
    return {
      url: urlOf(cluster, database),
      urlFor: (name) => urlOf(cluster, name),
      started: !running,
      stop: ({ force = false } = {}) => withLock(lock, () => stopIfUnused(cluster, force)),
    };
  });
}

/** A busy machine answers late; if no server listens, the connection fails immediately. */
const CONNECT_SECONDS = 30;
/** Number of counts, 50 ms apart: closed connections are counted until Postgres notices. */
const COUNTS = 40;

function connectToCluster(cluster: Cluster) {
  const options = { max: 1, connect_timeout: CONNECT_SECONDS, fetch_types: false, onnotice: () => {} };
  return postgres(urlOf(cluster, 'postgres'), options);
}

/** Also compares the data directory: a copied checkout has the port and password of the original. */
async function isRunning(cluster: Cluster): Promise<boolean> {
  const sql = connectToCluster(cluster);
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
  const sql = connectToCluster(cluster);
  const [found] = await sql`select 1 from pg_database where datname = ${name}`;
  if (!found) await sql`create database ${sql(name)}`;
  await sql.end();
}

/** Counts several times because a pool reports that it is closed slightly before its sockets are. */
async function stopIfUnused(cluster: Cluster, force: boolean): Promise<boolean> {
  const sql = connectToCluster(cluster);
  try {
    for (let i = 0; !force && (await countOtherClients(sql)) > 0; i += 1) {
      if (i === COUNTS) return false;
      await sleep(50);
    }
  } catch {
    // An unresponsive server must be stopped too.
  } finally {
    await sql.end({ timeout: 1 });
  }
  await stopServer(cluster);
  return true;
}

async function countOtherClients(sql: postgres.Sql): Promise<number> {
  const [row] = await sql<{ others: number }[]>`
    select count(*)::int as others from pg_stat_activity
    where backend_type = 'client backend' and pid <> pg_backend_pid()`;
  return row?.others ?? 0;
}
