import type { Job } from '~/server/queue/job';
import type { Ctx } from '~/server/runtime/ctx';

export type Handler = { job: Job<object>; run(payload: unknown, ctx: Ctx): Promise<unknown> };

/** Connects a job to its domain function; validates the payload first. */
export function handle<Payload extends object>(
  job: Job<Payload>,
  work: (payload: Payload, ctx: Ctx) => Promise<unknown>,
): Handler {
  return { job: job as Job<object>, run: (payload, ctx) => work(job.payload.parse(payload), ctx) };
}
