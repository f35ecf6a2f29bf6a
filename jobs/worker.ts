import { type Runtime, systemCtx } from '~/server/runtime';
import { accountHandlers } from './handlers/accounts';
import { episodeHandlers } from './handlers/episodes';
import type { Handler } from './handlers/handle';
import { listeningHandlers } from './handlers/listening';
import { mediaHandlers } from './handlers/media';
import { notificationHandlers } from './handlers/notifications';
import { SCHEDULES } from './schedules';

/** Somebody waits for these: half a second is as often as pg-boss looks. */
const WAITED_FOR = { pollingIntervalSeconds: 0.5 };
const BY_CLOCK = { pollingIntervalSeconds: 5 };

const HANDLERS: Handler[] = [
  ...notificationHandlers,
  ...accountHandlers,
  ...mediaHandlers,
  ...episodeHandlers,
  ...listeningHandlers,
];

/** Works on every queue of the catalog and keeps the clock, until `boss.stop()`. The queues exist already. */
export async function startWorker(runtime: Runtime): Promise<void> {
  const { boss } = runtime.queue;
  const byClock = new Set(SCHEDULES.map(({ job }) => job.name));
  for (const handler of HANDLERS) {
    const { name } = handler.job;
    await boss.work(name, byClock.has(name) ? BY_CLOCK : WAITED_FOR, async ([job]) => {
      if (job) await runJob(runtime, handler, job);
    });
  }
  for (const { job, cron } of SCHEDULES) await boss.schedule(job.name, cron, {}, { tz: 'UTC' });
  for (const { name } of await boss.getSchedules()) if (!byClock.has(name)) await boss.unschedule(name);
}

/** A handler that throws leaves its job to the next try; pg-boss itself says nothing of it. */
async function runJob(
  runtime: Runtime,
  handler: Handler,
  { id, name, data }: { id: string; name: string; data: unknown },
) {
  const ctx = systemCtx(runtime, name);
  const began = performance.now();
  try {
    await handler.run(data, ctx);
    ctx.log.info({ jobId: id, ms: Math.round(performance.now() - began) }, 'job done');
  } catch (err) {
    ctx.log.error({ err, jobId: id }, 'job failed');
    throw err;
  }
}
