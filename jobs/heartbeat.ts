import { sql } from 'drizzle-orm';
import type { Database } from '~/db/client';
import { SECONDS } from '~/server/base/time';
import { ALL_JOBS } from '~/server/queue/all-jobs';
import type { Runtime } from '~/server/runtime/runtime';

/** In milliseconds. `window`: a job without a heartbeat for this long has lost its worker. */
type Pace = { interval: number; window: number };
const PACE: Pace = { interval: SECONDS(1), window: SECONDS(4) };
/** One beat may fail without consequences: a process must miss more to look lost. */
const LONGEST_GAP = 2.5;

/**
 * Since when this process has sent beats without an interruption, and its last beat, in milliseconds of the database's
 * clock.
 */
type Rhythm = { steadySince: number; lastBeat: number };

/** As text, because a parameter for each would be built and sent with every beat. */
const QUEUES = sql.raw(ALL_JOBS.map(({ name }) => `'${name}'`).join());

export type Heartbeat = {
  /** Runs a job and keeps its heartbeat up to date until it ends. */
  during<T>(jobId: string, work: () => Promise<T>): Promise<T>;
  stop(): void;
};

/**
 * Renews `started_on` of this process's running jobs, and queues the jobs of killed workers again: pg-boss alone
 * notices only when a job's whole time has expired. A lost job without a further attempt waits for that expiry.
 *
 * After an outage all running jobs look lost, until each process has sent a beat again. So a process judges others only
 * after it has itself sent regular beats for a whole window.
 */
export function startHeartbeat({ db, log }: Pick<Runtime, 'db' | 'log'>, pace = PACE): Heartbeat {
  const running = new Set<string>();
  let rhythm: Rhythm | null = null;

  async function beat(): Promise<void> {
    // our own jobs first: after a long pause of this process they would look lost
    await renewJobs(db, running);
    const { at, lost } = await requeueLost(db, rhythm, pace);
    const isSteady = rhythm !== null && at - rhythm.lastBeat <= LONGEST_GAP * pace.interval;
    rhythm = { steadySince: isSteady && rhythm ? rhythm.steadySince : at, lastBeat: at };
    for (const job of lost) log.warn({ job }, 'job of a lost worker queued again');
  }

  let current = Promise.resolve();
  const timer = setInterval(() => {
    current = current.then(beat).catch((err) => log.warn({ err }, 'heartbeat of jobs failed'));
  }, pace.interval);
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

async function renewJobs(db: Database, running: ReadonlySet<string>): Promise<void> {
  if (running.size === 0) return;
  const ids = [...running].map((id) => sql`${id}::uuid`);
  await db.execute(
    sql`update pgboss.job set started_on = now() where state = 'active' and id in (${sql.join(ids, sql`, `)})`,
  );
}

type Beat = { at: number; lost: { id: string; name: string }[] };

/** Queues lost jobs again if the rhythm up to this moment allows it. Compares times of the database's clock only. */
async function requeueLost(db: Database, rhythm: Rhythm | null, { interval, window }: Pace): Promise<Beat> {
  const now = sql`extract(epoch from now()) * 1000`;
  const [beat] = await db.execute<Beat>(sql`
    with lost as (
      update pgboss.job set state = 'retry', start_after = now()
      where name in (${QUEUES}) and state = 'active' and retry_count < retry_limit
        and started_on < now() - make_interval(secs => ${window / 1000})
        and ${now} - ${rhythm?.lastBeat ?? null}::float8 <= ${LONGEST_GAP * interval}
        and ${now} - ${rhythm?.steadySince ?? null}::float8 >= ${window}
      returning id, name)
    select (${now})::float8 as at, (select coalesce(json_agg(lost), '[]') from lost) as lost`);
  if (!beat) throw new Error('no answer to a heartbeat');
  return beat;
}
