import { sql } from 'drizzle-orm';
import type { Handler } from '~/jobs/handlers/handle';
import { type Runtime, systemCtx } from '~/server/runtime/runtime';

/**
 * Runs the waiting jobs of some handlers that are due by the test's clock, and those that they enqueue, like a worker.
 * Jobs with an earliest time have it in the time of the test's clock, all others in that of the database.
 * @returns their number
 */
export async function runDueJobs(runtime: Runtime, handlers: readonly Handler[]): Promise<number> {
  let done = 0;
  for (let before = -1; before < done; ) {
    before = done;
    for (const { id, name, data } of await listDue(runtime, handlers)) {
      const handler = handlers.find(({ job }) => job.name === name)!;
      // as fetched, so that a failing job of the test does not run twice
      await runtime.queue.boss.deleteJob(name, id);
      await handler.run(data, systemCtx(runtime, name));
      done += 1;
    }
  }
  return done;
}

async function listDue({ db, now }: Runtime, handlers: readonly Handler[]) {
  const names = sql.join(
    handlers.map(({ job }) => sql`${job.name}`),
    sql`, `,
  );
  return [
    ...(await db.execute<{ id: string; name: string; data: unknown }>(sql`
      select id, name, data from pgboss.job
      where state = 'created' and name in (${names})
        and (abs(extract(epoch from start_after - created_on)) < 1 or start_after <= ${now().toISOString()}::timestamptz)
      order by start_after, created_on, id
      limit 1000`)),
  ];
}
