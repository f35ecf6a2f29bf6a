import { and, asc, inArray, lt } from 'drizzle-orm';
import { subscriberImports } from '~/db/schema/moving';
import { WORKING_STATUSES } from '~/db/values/subscriber-imports';
import { AppError } from '../../../base/errors';
import { earlier, later } from '../../../base/time';
import { SUBSCRIBER_IMPORT_LIMITS } from '../../../limits/moving';
import { importSubscribers } from '../../../queue/jobs/moving';
import { type Ctx, transact } from '../../../runtime/ctx';
import { checkLines } from './check-lines';
import { accountGone } from './errors';
import { runLines } from './import-lines';
import { dropFile, readLines } from './read-list';
import { continueImport, endImport, hasAccount, type ImportRow, isProviderAway, lookupWorking } from './steps';

type Step = { importId: number; step: number };

/**
 * One step of an import: reads the list, or checks or imports some lines, and enqueues the next step in the transaction
 * that ends this one. A killed step runs again and finds its results; of two jobs for one step, only one continues.
 */
export async function runSubscriberImport(ctx: Ctx, { importId, step }: Step): Promise<void> {
  const row = await lookupWorking(ctx, importId);
  if (row?.step !== step) return;
  const work = { reading: readLines, checking: checkLines, running: runLines }[row.status as 'reading'];
  try {
    if (row.status !== 'running' && !(await hasAccount(ctx, row))) throw accountGone();
    await work(ctx, row);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (isProviderAway(error)) await waitForProvider(ctx, row);
    else await failImport(ctx, row, error);
  }
}

/** Repeats the step after a pause that grows to an hour: nothing is lost while the provider is unavailable. */
async function waitForProvider(ctx: Ctx, row: ImportRow): Promise<void> {
  const { retries } = SUBSCRIBER_IMPORT_LIMITS;
  const pause = retries[Math.min(row.attempts, retries.length - 1)]!;
  const next = { attempts: row.attempts + 1, at: later(ctx.now(), pause) };
  await transact(ctx, (tx) => continueImport(tx, row, next));
}

async function failImport(ctx: Ctx, row: ImportRow, error: AppError): Promise<void> {
  await transact(ctx, async (tx) => {
    if (await endImport(tx, row, { status: 'failed', error })) await dropFile(tx, row);
  });
}

/** Continues imports whose job ran out of attempts. A second job is harmless: only one of them continues its step. */
export async function recoverSubscriberImports(ctx: Ctx): Promise<void> {
  const since = earlier(ctx.now(), SUBSCRIBER_IMPORT_LIMITS.overdue);
  const lost = await ctx.db
    .select({ importId: subscriberImports.id, step: subscriberImports.step })
    .from(subscriberImports)
    .where(and(inArray(subscriberImports.status, WORKING_STATUSES), lt(subscriberImports.updatedAt, since)))
    .orderBy(asc(subscriberImports.updatedAt))
    .limit(SUBSCRIBER_IMPORT_LIMITS.recoveredAtOnce);
  await transact(ctx, (tx) => tx.jobs.enqueueAll(importSubscribers, lost));
}
