import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';

/** Any number, the same in every process. */
const LOCK = 727_274;

/**
 * Brings the database to the newest migration. Several processes may boot at once and Drizzle takes no lock of its own:
 * the first migrates, the others wait and find nothing left to do.
 */
export async function runMigrations(url: string, folder: string): Promise<void> {
  const client = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await client`select pg_advisory_lock(${LOCK})`;
    await migrate(drizzle(client), { migrationsFolder: folder });
  } finally {
    // The end of the session frees the lock.
    await client.end({ timeout: 5 });
  }
}
