import { askForUnused, computeUnusedPayments, findUnused } from '~/server/domain/billing/refunds/unused-payments';
import type { FindProduct } from '~/server/domain/products/schema';
import { computeUnused } from '~/server/queue/jobs/billing';
import type { Ctx } from '~/server/runtime/ctx';
import type { Runtime } from '~/server/runtime/runtime';
import { runJobs } from './run-jobs';

/** What a creator sees who asks what the refunds of a show would cost. */
export async function shownRefunds(runtime: Runtime, owner: Ctx, show: FindProduct) {
  await askForUnused(owner, show);
  await runUnused(runtime);
  const shown = await findUnused(owner, show);
  return shown!.found!;
}

/** Runs the jobs that creators have asked for. @returns their number */
export const runUnused = (runtime: Runtime) =>
  runJobs(runtime, computeUnused.name, (payload, ctx) => computeUnusedPayments(ctx, payload));
