import { type SQL, sql } from 'drizzle-orm';
import PgBoss from 'pg-boss';
import type { Transaction } from '~/db/client';
import { CATALOG, type Job } from './catalog';

export type EnqueueOptions = {
  /** Not before this moment. */
  at?: Date;
  /** At most one waiting job of this name and key. */
  key?: string;
};

/** Puts a job into the caller's transaction: it exists exactly when what it is about exists. */
export type Enqueue = <Payload extends object>(
  job: Job<Payload>,
  payload: Payload,
  options?: EnqueueOptions,
) => Promise<void>;
export type JobQueue = { boss: PgBoss; joining(tx: Transaction): Enqueue };

/** postgres.js takes no undefined, and Drizzle has switched off its JSON serializer. */
function encode(value: unknown): unknown {
  if (value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) return JSON.stringify(value);
  return value;
}

/** pg-boss speaks `$1`, Drizzle owns the connection: each hole becomes a bound parameter of the transaction. */
function bind(text: string, values: unknown[]): SQL {
  const chunks = text.split(/\$(\d+)/);
  return sql.join(
    chunks.map((chunk, i) => (i % 2 === 0 ? sql.raw(chunk) : sql`${sql.param(encode(values[Number(chunk) - 1]))}`)),
  );
}

function bridge(tx: Transaction): PgBoss.Db {
  return {
    async executeSql(text: string, values: unknown[] = []) {
      const rows = await tx.execute(bind(text, values));
      return { rows: [...rows] as never[] };
    },
  };
}

/** The queue of this process. `boss.start()` must have run (jobs/worker.ts works on it; a web process only enqueues). */
export function createQueue(boss: PgBoss): JobQueue {
  return {
    boss,
    joining: (tx) => async (job, payload, options) => {
      const id = await boss.send(job.name, job.payload.parse(payload) as object, {
        db: bridge(tx),
        ...(options?.at && { startAfter: options.at }),
        ...(options?.key && { singletonKey: options.key }),
      });
      // pg-boss answers null for a queue that does not exist, and for a singleton that waits already
      if (id === null && !options?.key) throw new Error(`the queue ${job.name} does not exist`);
    },
  };
}

/** pg-boss on its own small pool. `maintenanceIntervalSeconds` frees a killed worker's jobs soon after they expire. */
export function createBoss(url: string, options: { works: boolean; onError: (error: Error) => void }): PgBoss {
  const boss = new PgBoss({
    connectionString: url,
    max: options.works ? 6 : 2,
    supervise: options.works,
    schedule: options.works,
    maintenanceIntervalSeconds: 5,
    application_name: 'altavoz-jobs',
  });
  // without a listener an 'error' event ends the process
  boss.on('error', options.onError);
  return boss;
}

/** Makes every queue of the catalog, or brings an existing one to its present policy. */
export async function createQueues(boss: PgBoss): Promise<void> {
  for (const { name, policy } of CATALOG) {
    const options = {
      name,
      retryLimit: policy.retries,
      retryDelay: policy.retryDelay,
      retryBackoff: policy.retries > 0,
      expireInSeconds: policy.expires,
    };
    await boss.createQueue(name, options);
    await boss.updateQueue(name, options);
  }
}
