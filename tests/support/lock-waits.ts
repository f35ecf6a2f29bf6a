import { sql } from 'drizzle-orm';
import type { Database } from '~/db/client';

/** Resolves when `count` connections of this database wait for a lock. Fails after five seconds. */
export async function lockWaits(db: Database, count = 1): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    const [row] = await db.execute<{ waiting: number }>(sql`
      select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    if (row!.waiting >= count) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`fewer than ${count} connections wait for a lock`);
}
