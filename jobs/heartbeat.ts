import { sql } from 'drizzle-orm';
import type { Runtime } from '~/server/runtime';
import { SECONDS } from '~/server/time';
import { CATALOG } from './catalog';

const INTERVAL = SECONDS(1);
/** A job without a heartbeat for this long has lost its worker. */
const LOST_AFTER_SECONDS = 4;

export type Heartbeat = {
  /** Runs a job and keeps its heartbeat up to date until it ends. */
  during<T>(jobId: string, work: () => Promise<T>): Promise<T>;
  stop(): void;
};

/**
 * Renews `started_on` of this process's running jobs, and queues the jobs of killed workers again: pg-boss alone notices
 * only when a job's whole time has expired. Without a further attempt left, a lost job is left to that expiry.
 */
export function startHeartbeat({ db, log }: Pick<Runtime, 'db' | 'log'>): Heartbeat {
  const running = new Set<string>();
  const names = sql.join(
    CATALOG.map(({ name }) => sql`${name}`),
    sql`, `,
  );

  async function beat(): Promise<void> {
    // our own first: after a long pause of this process they would look lost
    const ids = [...running].map((id) => sql`${id}::uuid`);
    if (ids.length > 0)
      await db.execute(
        sql`update pgboss.job set started_on = now() where state = 'active' and id in (${sql.join(ids, sql`, `)})`,
      );
    const lost = await db.execute(sql`
      update pgboss.job set state = 'retry', start_after = now()
      where name in (${names}) and state = 'active' and retry_count < retry_limit
        and started_on < now() - make_interval(secs => ${LOST_AFTER_SECONDS})
      returning id, name`);
    for (const job of lost) log.warn({ job }, 'job of a lost worker queued again');
  }

  let current = Promise.resolve();
  const timer = setInterval(() => {
    current = current.then(beat).catch((err) => log.warn({ err }, 'heartbeat of jobs failed'));
  }, INTERVAL);
  return {
    async during(jobId, work) {
      running.add(jobId);
      try {
        return await work();
      } finally {
        running.delete(jobId);
      }
    },
    stop: () => clearInterval(timer),
  };
}
