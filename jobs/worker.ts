import { JOB_LIMITS } from '~/server/limits/operators';
import { catchUpPayments } from '~/server/queue/jobs/billing';
import { BACKGROUND } from '~/server/queue/queue';
import { transact } from '~/server/runtime/ctx';
import { type Runtime, systemCtx } from '~/server/runtime/runtime';
import { accountHandlers } from './handlers/accounts';
import { affiliateHandlers } from './handlers/affiliates';
import { appHandlers } from './handlers/apps';
import { audienceHandlers } from './handlers/audience';
import { billingHandlers } from './handlers/billing';
import { creatorBackupHandlers } from './handlers/creator-backup';
import { developerHandlers } from './handlers/developers';
import { donationHandlers } from './handlers/donations';
import { episodeHandlers } from './handlers/episodes';
import type { Handler } from './handlers/handle';
import { insertionHandlers } from './handlers/insertions';
import { listeningHandlers } from './handlers/listening';
import { mediaHandlers } from './handlers/media';
import { movingHandlers } from './handlers/moving';
import { newsletterHandlers } from './handlers/newsletter';
import { notificationHandlers } from './handlers/notifications';
import { productHandlers } from './handlers/products';
import { recommendationHandlers } from './handlers/recommendations';
import { rssImportHandlers } from './handlers/rss-import';
import { spotifyHandlers } from './handlers/spotify';
import { statisticsHandlers } from './handlers/statistics';
import { statusHandlers } from './handlers/status';
import { suggestionHandlers } from './handlers/suggestions';
import { supportHandlers } from './handlers/support';
import { teamHandlers } from './handlers/team';
import { transcriptionHandlers } from './handlers/transcription';
import { vatHandlers } from './handlers/vat';
import { webhookHandlers } from './handlers/webhooks';
import { startHeartbeat } from './heartbeat';
import { SCHEDULES } from './schedules';
import { wakeWorkers } from './waking';

/**
 * `wakeWorkers` notifies workers of new jobs, and logs when it can't. They also look on their own, but rarely: together
 * they would send more statements than an idle server otherwise does.
 */
const UNWOKEN = { pollingIntervalSeconds: 600 };

const HANDLERS: Handler[] = [
  ...notificationHandlers,
  ...accountHandlers,
  ...affiliateHandlers,
  ...developerHandlers,
  ...appHandlers,
  ...mediaHandlers,
  ...episodeHandlers,
  ...productHandlers,
  ...recommendationHandlers,
  ...insertionHandlers,
  ...listeningHandlers,
  ...spotifyHandlers,
  ...statisticsHandlers,
  ...statusHandlers,
  ...supportHandlers,
  ...teamHandlers,
  ...transcriptionHandlers,
  ...suggestionHandlers,
  ...audienceHandlers,
  ...newsletterHandlers,
  ...billingHandlers,
  ...donationHandlers,
  ...vatHandlers,
  ...webhookHandlers,
  ...rssImportHandlers,
  ...movingHandlers,
  ...creatorBackupHandlers,
];

/** Runs the jobs of every queue and the schedules until `boss.stop()`. The queues must exist. */
export async function startWorker(runtime: Runtime): Promise<void> {
  const { boss } = runtime.queue;
  const heartbeat = startHeartbeat(runtime);
  boss.once('stopped', heartbeat.stop);
  const workers = new Map<string, string[]>();
  for (const handler of HANDLERS) {
    const { name } = handler.job;
    // its second workers would never be woken
    if (workers.has(name)) throw new Error(`two handlers of ${name}`);
    const ids: string[] = [];
    workers.set(name, ids);
    while (ids.length < (handler.job.policy.workers ?? 1)) {
      const id = await boss.work(name, { ...UNWOKEN, includeMetadata: true }, async ([job]) => {
        // more jobs may be queued: the worker looks for them at once, without waiting to be woken
        boss.notifyWorker(id);
        if (job) await heartbeat.during(job.id, () => runJob(runtime, handler, job));
      });
      ids.push(id);
    }
  }
  boss.once(
    'stopped',
    wakeWorkers(runtime, workers, () => fetchLateEvents(runtime)),
  );
  const scheduled = new Set(SCHEDULES.map(({ job }) => job.name));
  for (const { job, cron, isBackfill } of SCHEDULES)
    await boss.schedule(job.name, cron, {}, { tz: 'UTC', priority: isBackfill ? BACKGROUND : 0 });
  for (const { name } of await boss.getSchedules()) if (!scheduled.has(name)) await boss.unschedule(name);
}

/**
 * The payment provider repeats webhooks that failed after up to an hour, and buyers wait for access until then.
 */
function fetchLateEvents(runtime: Runtime): Promise<void> {
  return transact(systemCtx(runtime, 'database.returned'), (tx) => tx.jobs.enqueue(catchUpPayments, {}));
}

type Taken = { id: string; name: string; data: unknown; priority: number };

/** Logs and rethrows a failure: pg-boss retries the job but logs nothing itself. */
async function runJob(runtime: Runtime, handler: Handler, { id, name, data, priority }: Taken) {
  const queue = priority === BACKGROUND ? runtime.queue.inBackground() : runtime.queue;
  const ctx = systemCtx({ ...runtime, queue }, name);
  const began = performance.now();
  let outcome: 'done' | 'failed' = 'failed';
  try {
    const run = () => handler.run(data, ctx);
    await (runtime.tracing ? runtime.tracing.job({ name, id }, async () => run()) : run());
    outcome = 'done';
    const ms = Math.round(performance.now() - began);
    ctx.log[ms > JOB_LIMITS.slow ? 'info' : 'debug']({ jobId: id, ms }, 'job done');
  } catch (err) {
    ctx.log.error({ err, jobId: id }, 'job failed');
    throw err;
  } finally {
    runtime.meters.jobEnded(name, outcome, (performance.now() - began) / 1000);
  }
}
