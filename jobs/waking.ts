import { setTimeout } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { SECONDS } from '~/server/base/time';
import { SELECT_DUE } from '~/server/domain/webhooks/lease-deliveries';
import { deliverWebhooks } from '~/server/queue/jobs/webhooks';
import { transact } from '~/server/runtime/ctx';
import { type Runtime, systemCtx } from '~/server/runtime/runtime';

const PAUSE = SECONDS(0.5);

/**
 * Looks for queues with jobs that are due, with one query for all of them, and wakes their workers. If each worker
 * queried its own queue, an idle server would use a fifth of a core (docs/decisions/0273). One job of each queue is
 * enough: reading a whole backlog twice a second would delay the jobs in it.
 * Triggers write the deliveries of webhooks, and can't enqueue their job: it is enqueued here.
 * @param workers ids by queue
 * @param onReturn called when the database answers at the start and after each outage, until it succeeds
 * @returns a function that stops it
 */
export function wakeWorkers(
  runtime: Runtime,
  workers: ReadonlyMap<string, string[]>,
  onReturn: () => Promise<unknown>,
): () => void {
  const { db, log, queue } = runtime;
  const stopping = new AbortController();
  const dueQueues = dueQueuesOf([...workers.keys()]);
  async function wakeDue(): Promise<void> {
    const due = await db.execute<{ name: string; is_missing: boolean }>(dueQueues);
    if (due.some(({ is_missing }) => is_missing)) await enqueueDeliveries(runtime);
    for (const { name } of due) for (const id of workers.get(name) ?? []) queue.boss.notifyWorker(id);
  }
  async function keepWaking(signal: AbortSignal): Promise<void> {
    // this process may have been started again because of an outage
    let state: 'starting' | 'working' | 'failing' = 'starting';
    while (!signal.aborted) {
      const waking = wakeDue().then(() => (state === 'working' ? null : onReturn()));
      const failure = await waking.then(
        () => null,
        (err) => ({ err }),
      );
      // once for each outage, not twice a second; a query that the end of the process cut off is no outage
      if (failure && state !== 'failing' && !signal.aborted) log.warn(failure, 'looking for jobs failed');
      state = failure ? 'failing' : 'working';
      await setTimeout(PAUSE, null, { signal }).catch(() => {});
    }
  }
  void keepWaking(stopping.signal);
  return () => stopping.abort();
}

const enqueueDeliveries = (runtime: Runtime) =>
  transact(systemCtx(runtime, 'webhooks.due'), (tx) => tx.jobs.enqueue(deliverWebhooks, {}));

/** The names are written into the text: sixty parameters would be built, sent and described twice a second. */
function dueQueuesOf(names: string[]) {
  const rows = names.map((name) => `('${name}')`).join();
  return sql.raw(`
    select queue.name, false as is_missing from (values ${rows}) as queue (name)
    cross join lateral (
      select from pgboss.job where job.name = queue.name and state < 'active' and start_after < now() limit 1
    ) as due
    union all
    -- a job that runs looks again by itself
    select '${deliverWebhooks.name}', true where exists (${SELECT_DUE}) and not exists (
      select from pgboss.job where job.name = '${deliverWebhooks.name}' and state <= 'active' and start_after <= now()
    )`);
}
