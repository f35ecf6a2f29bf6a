import { setTimeout as sleep } from 'node:timers/promises';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import type postgres from 'postgres';
import { openPool } from './driver/pool';

/**
 * Arbitrary numbers, the same in every process. The demo has its own lock, because it takes long and other processes
 * need not wait for it.
 */
const LOCKS = { schema: 727_274, demo: 727_275 };
/** Most starts create nothing and hold the lock for less time. */
const SILENT_WAIT_MS = 3000;

/**
 * Applies all pending migrations. Drizzle takes no lock: see `withCreationLock`.
 * @throws if the tables are those of a release before the first migration (docs/decisions/0274)
 */
export async function runMigrations(url: string, folder: string, stopping?: AbortSignal): Promise<void> {
  const { client, close } = openPool(url, { max: 1, patient: true });
  try {
    await assertNotOlder(client, folder);
    await untilStopped(migrate(drizzle(client), { migrationsFolder: folder }), stopping);
  } finally {
    await close();
  }
}

async function assertNotOlder(client: postgres.Sql, folder: string): Promise<void> {
  const [first] = readMigrationFiles({ migrationsFolder: folder });
  const [found] = await client`select to_regclass('drizzle.__drizzle_migrations') is not null as migrated`;
  if (!found?.migrated || !first) return;
  const [row] = await client<{ last: string | null }[]>`
    select max(created_at)::text as last from drizzle.__drizzle_migrations`;
  if (row?.last && Number(row.last) < first.folderMillis)
    throw new Error('The tables are of an older release. Start a release of November 2026 once, and then this one.');
}

/** Stops waiting for `work` when the process stops. @throws the signal's reason */
export async function untilStopped<T>(work: Promise<T>, stopping?: AbortSignal): Promise<T> {
  if (!stopping) return work;
  const listening = new AbortController();
  const stopped = new Promise<never>((_, reject) => {
    const stop = () => reject(stopping.reason);
    if (stopping.aborted) stop();
    stopping.addEventListener('abort', stop, { signal: listening.signal });
  });
  return Promise.race([work, stopped]).finally(() => listening.abort());
}

type Creation<T> = {
  /** @param holder the lock's own connection, which waits as long as necessary */
  create: (holder: postgres.Sql) => Promise<T>;
  /** Called once if another process has held the lock for three seconds. */
  onWait: () => void;
  lock?: keyof typeof LOCKS;
  stopping?: AbortSignal;
};

/**
 * Creates schemas, tables, queues and demo data in one process at a time, because none of the libraries involved
 * expects another process to create the same. The lock belongs to a transaction, so a pooler releases it with the
 * server connection, and Postgres releases it when this process is killed.
 */
export async function withCreationLock<T>(url: string, creation: Creation<T>): Promise<T> {
  const { create, onWait, lock = 'schema', stopping } = creation;
  const { client, close } = openPool(url, { max: 1, patient: true });
  try {
    const creating = client.begin(async (tx) => {
      // the operator's timeouts are meant for queries, not for waiting and deliberate idling
      await tx`select set_config(name, '0', true) from pg_settings
        where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`;
      await waitForLock(tx, LOCKS[lock], onWait);
      return { value: await untilStopped(create(tx as unknown as postgres.Sql), stopping) };
    });
    // a statement that waits for the lock ends only with its connection
    const result = await untilStopped(creating, stopping);
    return result.value as T;
  } finally {
    await close();
  }
}

async function waitForLock(tx: postgres.TransactionSql, lock: number, onWait: () => void): Promise<void> {
  const settled = new AbortController();
  const announce = sleep(SILENT_WAIT_MS, null, { signal: settled.signal }).then(onWait, () => {});
  await tx`select pg_advisory_xact_lock(${lock})`;
  settled.abort();
  await announce;
}
