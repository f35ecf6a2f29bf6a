import { type SQL, sql } from 'drizzle-orm';
import PgBoss from 'pg-boss';
import type { Transaction } from '~/db/client';
import { deadlineFor } from '~/db/driver/deadline';
import { connectionTo } from '~/db/tls';
import { SECONDS, wholeSeconds } from '../base/time';
import { JOB_LIMITS } from '../limits/operators';
import type { PoolUse } from '../watching/meters';
import { ALL_JOBS } from './all-jobs';
import { endJobsPatiently } from './end-jobs';
import type { Job } from './job';

export type EnqueueOptions = {
  /** Earliest time to run the job. */
  at?: Date;
};

/** Enqueues a job in the caller's transaction: if the transaction rolls back, the job doesn't exist either. */
export type Enqueue = <Payload extends object>(
  job: Job<Payload>,
  payload: Payload,
  options?: EnqueueOptions,
) => Promise<void>;
/** Enqueues a job for each of many payloads, in one statement; `at` has a time for each of them. */
export type EnqueueAll = <Payload extends object>(
  job: Job<Payload>,
  payloads: readonly Payload[],
  options?: { at: readonly Date[] },
) => Promise<void>;
type ChangeJobs = (queue: string, ids: string[]) => Promise<number>;
export type JobQueue = {
  boss: PgBoss;
  joining(tx: Transaction): Enqueue;
  joiningAll(tx: Transaction): EnqueueAll;
  /** Changes the jobs of one queue: failed jobs run again, waiting ones never run. @returns the number of jobs */
  changing(tx: Transaction): { retry: ChangeJobs; cancel: ChangeJobs };
  /** The same queue for jobs without a waiting user: in each queue, they run after all others. */
  inBackground(): JobQueue;
};

/** Less than the 0 of all other jobs. Jobs that a job enqueues inherit its priority (jobs/worker.ts). */
export const BACKGROUND = -1;

/** postgres.js rejects undefined, and Drizzle disables its JSON serializer. */
function encodeValue(value: unknown): unknown {
  if (value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) return JSON.stringify(value);
  return value;
}

/** pg-boss writes `$1`, but Drizzle owns the connection, so each placeholder becomes a Drizzle parameter. */
function toDrizzleSql(text: string, values: unknown[]): SQL {
  const chunks = text.split(/\$(\d+)/);
  return sql.join(
    chunks.map((chunk, i) =>
      i % 2 === 0 ? sql.raw(chunk) : sql`${sql.param(encodeValue(values[Number(chunk) - 1]))}`,
    ),
  );
}

function bossConnection(tx: Transaction): PgBoss.Db {
  return {
    async executeSql(text: string, values: unknown[] = []) {
      const rows = await tx.execute(toDrizzleSql(text, values));
      return { rows: [...rows] as never[] };
    },
  };
}

/** The queue of this process. Call `boss.start()` first. Web processes only enqueue; jobs/worker.ts runs the jobs. */
export function createQueue(boss: PgBoss, priority = 0): JobQueue {
  return {
    boss,
    joining: (tx) => async (job, payload, options) => {
      const id = await boss.send(job.name, job.payload.parse(payload) as object, {
        db: bossConnection(tx),
        priority,
        ...(options?.at && { startAfter: options.at }),
      });
      // pg-boss returns null if the queue doesn't exist
      if (id === null) throw new Error(`the queue ${job.name} does not exist`);
    },
    joiningAll: (tx) => async (job, payloads, options) => {
      if (payloads.length === 0) return;
      const jobs = payloads.map((payload, i) => ({
        name: job.name,
        priority,
        data: job.payload.parse(payload) as object,
        ...(options && { startAfter: options.at[i] }),
      }));
      await boss.insert(jobs, { db: bossConnection(tx) });
    },
    changing: (tx) => ({
      retry: async (queue, ids) => affectedJobs(await boss.retry(queue, ids, { db: bossConnection(tx) })),
      cancel: async (queue, ids) => affectedJobs(await boss.cancel(queue, ids, { db: bossConnection(tx) })),
    }),
    inBackground: () => createQueue(boss, BACKGROUND),
  };
}

/** The result is missing in pg-boss's types. */
const affectedJobs = (answer: unknown): number => (answer as { affected: number }).affected;

type BossOptions = { runsJobs: boolean; onError: (error: Error) => void; answerSeconds?: number };

const CONNECT_TIMEOUT = SECONDS(10);

/** Seconds until jobs that have expired are queued again; those of killed workers are found by their heartbeat. */
const MAINTENANCE = 20;

/** pg-boss with its own small pool. */
export function createBoss(url: string, options: BossOptions): PgBoss {
  const { answerSeconds = deadlineFor('altavoz-jobs').answerSeconds } = options;
  // missing in the types: pg-boss passes them on to its pool
  const timeouts = { connectionTimeoutMillis: CONNECT_TIMEOUT, query_timeout: SECONDS(answerSeconds) };
  const server = connectionTo(url);
  const boss = new PgBoss({
    connectionString: server.url,
    ssl: server.ssl,
    max: options.runsJobs ? 6 : 2,
    supervise: options.runsJobs,
    schedule: options.runsJobs,
    maintenanceIntervalSeconds: MAINTENANCE,
    // until then operators can retry them
    archiveFailedAfterSeconds: wholeSeconds(JOB_LIMITS.failedKept),
    application_name: 'altavoz-jobs',
    ...timeouts,
  });
  // an 'error' event without a listener would end the process
  boss.on('error', options.onError);
  endJobsPatiently(boss, options.onError);
  return boss;
}

/** The use of pg-boss' own pool, which is missing in its types. */
export function queuePool(boss: PgBoss): PoolUse {
  const { pool } = boss.getDb() as {
    pool?: { totalCount: number; idleCount: number; waitingCount: number; options: { max: number } };
  };
  if (!pool) return { max: 0, used: 0, waiting: 0 };
  return { max: pool.options.max, used: pool.totalCount - pool.idleCount, waiting: pool.waitingCount };
}

/**
 * Creates every queue of `ALL_JOBS`, or updates an existing one to its current policy. A start that finds them all
 * sends one statement instead of two for each queue, for which the first page would wait.
 */
export async function createQueues(boss: PgBoss): Promise<void> {
  const found = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  for (const { name, policy } of ALL_JOBS) {
    const options = {
      name,
      retryLimit: policy.retries,
      retryDelay: policy.retryDelay,
      retryBackoff: policy.retries > 0,
      expireInSeconds: policy.expires,
    };
    const queue = found.get(name);
    if (!queue) await boss.createQueue(name, options);
    else if (!hasPolicy(queue, options)) await boss.updateQueue(name, options);
  }
  await indexRunningJobs(boss.getDb());
}

const hasPolicy = (queue: PgBoss.QueueResult, options: PgBoss.Queue): boolean =>
  Object.entries(options).every(([name, value]) => queue[name as keyof PgBoss.Queue] === value);

/**
 * For the heartbeat, which searches for running jobs every second among those that have ended. The index does not
 * contain `started_on`, so renewing that does not change it. Postgres adds the index to queues that are created later.
 */
async function indexRunningJobs(db: PgBoss.Db): Promise<void> {
  // even with `if not exists`, creating it waits for running transactions
  const { rows } = await db.executeSql("select to_regclass('pgboss.job_running') is null as missing", []);
  if (rows[0]?.missing) await db.executeSql("create index job_running on pgboss.job (id) where state = 'active'", []);
}
