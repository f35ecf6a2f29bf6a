import { sql } from 'drizzle-orm';
import type { Database, Transaction } from '~/db/client';

/** `waiting`: for how many seconds the oldest job that is due has waited; `waitingUrgent`: without jobs in the background. */
export type JobCount = { name: string; state: string; count: number; waiting: number; waitingUrgent: number };

const secondsSince = (condition = sql`true`) =>
  sql`greatest(0, coalesce(extract(epoch from now() - min(start_after) filter (where state < 'active' and ${condition})), 0))::float8`;

/** The jobs of each name and state that are not completed, by the clock of the database. */
export async function countJobs(db: Database | Transaction): Promise<JobCount[]> {
  const rows = await db.execute<JobCount>(
    sql`select name, state::text, count(*)::int, ${secondsSince()} as waiting,
          ${secondsSince(sql`priority >= 0`)} as "waitingUrgent"
        from pgboss.job where state < 'completed' or state = 'failed' group by 1, 2`,
  );
  return [...rows];
}
