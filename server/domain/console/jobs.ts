import { sql } from 'drizzle-orm';
import { JOB_LIMITS, OPERATOR_LIMITS } from '../../limits/operators';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { type Operator, recordOperation } from '../operators/record-operation';
import { jobUnknown, nothingToDo } from './errors';

type Db = Pick<Ctx, 'db'>;

/**
 * `waiting`: due by now, or about to be retried. `later`: scheduled for the future. `oldestSeconds`: age of the oldest
 * waiting job.
 */
export type QueueState = {
  queue: string;
  waiting: number;
  later: number;
  retrying: number;
  running: number;
  failed: number;
  oldestSeconds: number | null;
};

const IS_WAITING = sql`state in ('created', 'retry') and start_after <= now()`;

/** Queues that contain jobs, those with failures first. The queue uses the clock of the database. */
export async function listQueues({ db }: Db): Promise<QueueState[]> {
  const rows = await db.execute<QueueState>(sql`
    select name as queue,
      count(*) filter (where ${IS_WAITING})::int as waiting,
      count(*) filter (where state in ('created', 'retry') and start_after > now())::int as later,
      count(*) filter (where state = 'retry')::int as retrying,
      count(*) filter (where state = 'active')::int as running,
      count(*) filter (where state = 'failed')::int as failed,
      extract(epoch from now() - min(start_after) filter (where ${IS_WAITING}))::int as "oldestSeconds"
    from pgboss.job
    where state in ('created', 'retry', 'active', 'failed') and name not like '\\_\\_%'
    group by name order by failed desc, waiting desc, name limit ${OPERATOR_LIMITS.listed}`);
  return [...rows];
}

export type FailedJob = {
  id: string;
  queue: string;
  /** The job's input, as JSON. */
  data: string;
  error: string | null;
  attempts: number;
  failedAt: Date;
};

/** Jobs that ran out of attempts, the latest first; of one queue, or of all queues. They are kept for a week. */
export async function listFailedJobs({ db }: Db, queue = ''): Promise<FailedJob[]> {
  const rows = await db.execute<Omit<FailedJob, 'failedAt'> & { failedAt: string }>(sql`
    select id, name as queue, left(data::text, ${OPERATOR_LIMITS.errorLength}) as data,
      left(coalesce(output->>'message', output::text), ${OPERATOR_LIMITS.errorLength}) as error,
      retry_count + 1 as attempts, completed_on as "failedAt"
    from pgboss.job
    where state = 'failed' and (${queue} = '' or name = ${queue})
    order by completed_on desc limit ${OPERATOR_LIMITS.listed}`);
  return [...rows].map((row) => ({ ...row, failedAt: new Date(row.failedAt) }));
}

export async function countFailedJobs({ db }: Db): Promise<number> {
  const [row] = await db.execute<{ failed: number }>(
    sql`select count(*)::int as failed from pgboss.job where state = 'failed'`,
  );
  return row?.failed ?? 0;
}

type OneJob = { operator: Operator; id: string };

/** Runs a failed job once more. @throws console.job_unknown, console.nothing_to_do */
export function retryJob(ctx: Ctx, { operator, id }: OneJob): Promise<void> {
  return transact(ctx, async (tx) => {
    const queue = await queueOf(tx, id);
    if ((await tx.queue.changing(tx.db).retry(queue, [id])) === 0) throw nothingToDo();
    await recordOperation(tx, operator, { action: 'jobs.retried', target: `job/${id}`, details: { queue } });
  });
}

/** A waiting job never runs. A running job ends by itself. @throws console.job_unknown, console.nothing_to_do */
export function cancelJob(ctx: Ctx, { operator, id }: OneJob): Promise<void> {
  return transact(ctx, async (tx) => {
    const queue = await queueOf(tx, id, sql`state in ('created', 'retry')`);
    if ((await tx.queue.changing(tx.db).cancel(queue, [id])) === 0) throw nothingToDo();
    await recordOperation(tx, operator, { action: 'jobs.cancelled', target: `job/${id}`, details: { queue } });
  });
}

/** @throws console.job_unknown; console.nothing_to_do in another state */
async function queueOf(tx: TxCtx, id: string, isRight = sql`true`): Promise<string> {
  const [row] = await tx.db.execute<{ name: string; isRight: boolean }>(
    sql`select name, ${isRight} as "isRight" from pgboss.job where id = ${id} for update`,
  );
  if (!row) throw jobUnknown();
  if (!row.isRight) throw nothingToDo();
  return row.name;
}

/** Runs the failed jobs of a queue once more, the oldest first. @returns the number of jobs; more may be left */
export function retryQueue(ctx: Ctx, { operator, queue }: { operator: Operator; queue: string }): Promise<number> {
  return transact(ctx, async (tx) => {
    const found = await tx.db.execute<{ id: string }>(sql`
      select id from pgboss.job where name = ${queue} and state = 'failed'
      order by completed_on limit ${JOB_LIMITS.changedAtOnce} for update skip locked`);
    const ids = [...found].map(({ id }) => id);
    if (ids.length === 0) throw nothingToDo();
    const jobs = await tx.queue.changing(tx.db).retry(queue, ids);
    await recordOperation(tx, operator, { action: 'jobs.queue_retried', target: `queue/${queue}`, details: { jobs } });
    return jobs;
  });
}
