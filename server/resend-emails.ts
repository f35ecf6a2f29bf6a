import { resendFailedEmails } from './domain/notifications/delivering';
import type { Env } from './env/read';
import type { Log } from './log';
import { openRuntime } from './open-runtime';
import { systemCtx } from './runtime';

/** Queues failed emails again. The processes that run jobs anyway send them. @returns how many */
export async function resendEmails(env: Env, log: Log): Promise<number> {
  const { runtime, close } = await openRuntime(env, log, { runsJobs: false });
  return resendFailedEmails(systemCtx(runtime, 'operator')).finally(() => close());
}
