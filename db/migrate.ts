import { setTimeout as sleep } from 'node:timers/promises';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import type postgres from 'postgres';
import { openPool } from './pool';

/** An arbitrary number, the same in every process. */
const LOCK = 727_274;
/** Most starts find nothing to create and hold the lock for less time. */
const SILENT_WAIT_MS = 3000;

/** Applies all pending migrations. Drizzle takes no lock: see `withCreationLock`. */
export async function runMigrations(url: string, folder: string): Promise<void> {
  const { client, close } = openPool(url, { max: 1, patient: true });
  try {
    await migrate(drizzle(client), { migrationsFolder: folder });
  } finally {
    await close();
  }
}

/**
 * Runs what creates schemas, tables, queues and demo data: one process at a time, because none of the libraries
 * involved expects another process to create the same. The lock belongs to a transaction, so that a pooler releases it
 * with the server connection, and so does Postgres when this process is killed.
 * @param onWait called once if another process has held the lock for three seconds
 */
export async function withCreationLock<T>(
  url: string,
  { create, onWait }: { create: () => Promise<T>; onWait: () => void },
): Promise<T> {
  const { client, close } = openPool(url, { max: 1, patient: true });
  try {
    const result = await client.begin(async (tx) => {
      // the operator's timeouts are meant for queries, not for waiting and for being idle on purpose
      await tx`select set_config(name, '0', true) from pg_settings
        where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`;
      await waitForLock(tx, onWait);
      return { value: await create() };
    });
    return result.value as T;
  } finally {
    await close();
  }
}

async function waitForLock(tx: postgres.TransactionSql, onWait: () => void): Promise<void> {
  const settled = new AbortController();
  const announce = sleep(SILENT_WAIT_MS, null, { signal: settled.signal }).then(onWait, () => {});
  await tx`select pg_advisory_xact_lock(${LOCK})`;
  settled.abort();
  await announce;
}
