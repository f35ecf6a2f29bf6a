import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';

/** An arbitrary number, the same in every process. */
const LOCK = 727_274;

/**
 * Applies all pending migrations. Several processes may start at once and Drizzle takes no lock, so this one does: the
 * first process migrates, the others wait and find nothing to do.
 */
export async function runMigrations(url: string, folder: string): Promise<void> {
  const client = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await client`select pg_advisory_lock(${LOCK})`;
    await migrate(drizzle(client), { migrationsFolder: folder });
  } finally {
    // Ending the session releases the lock.
    await client.end({ timeout: 5 });
  }
}
