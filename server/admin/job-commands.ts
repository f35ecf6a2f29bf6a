import { cancelJob, listFailedJobs, listQueues, retryJob, retryQueue } from '../domain/console/jobs';
import { JOB_LIMITS } from '../limits/operators';
import { type Command, type CommandGroup, requireIds, UsageError } from './command';

const queues: Command = {
  usage: 'queues',
  async run({ ctx }) {
    return listQueues(ctx);
  },
};

const failed: Command = {
  usage: 'failed [--queue NAME]',
  options: ['queue'],
  async run({ ctx }, _, { queue }) {
    return (await listFailedJobs(ctx, queue)).map(({ failedAt, ...job }) => ({
      ...job,
      failed: failedAt.toISOString(),
    }));
  },
};

const retry: Command = {
  usage: 'retry ID… | retry --queue NAME',
  options: ['queue'],
  async run({ ctx, operator }, args, { queue }) {
    if (queue && args.length > 0) throw new UsageError('either IDs or --queue');
    if (queue)
      return [{ queue: queue.slice(0, JOB_LIMITS.queueLength), retried: await retryQueue(ctx, { operator, queue }) }];
    const ids = requireIds(args);
    // one after the other: the jobs before a failure stay retried
    for (const id of ids) await retryJob(ctx, { operator, id });
    return ids.map((id) => ({ id, state: 'waits to run' }));
  },
};

const cancel: Command = {
  usage: 'cancel ID…',
  async run({ ctx, operator }, args) {
    const ids = requireIds(args);
    for (const id of ids) await cancelJob(ctx, { operator, id });
    return ids.map((id) => ({ id, state: 'cancelled' }));
  },
};

export const jobCommands: CommandGroup = { queues, failed, retry, cancel };
