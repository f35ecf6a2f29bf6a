import { and, asc, eq, isNull, lte, or, sql } from 'drizzle-orm';
import { rssImportItems, rssImports } from '~/db/schema/rss-import';
import { AppError } from '../../base/errors';
import { HOURS, later } from '../../base/time';
import { IMPORT_LIMITS } from '../../limits/rss-import';
import { runImport as runImportJob } from '../../queue/jobs/rss-import';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { announceEnd } from './announce-import-end';
import { copyItem } from './copy-item';
import { nothingImported, outOfTime } from './errors';
import { keepOldFeed } from './old-feeds';
import { planImport } from './plan-import';
import { countItems } from './queries';
import { hasHadTurn, isOutOfTime, nextAttempt } from './rules';
import { startNext } from './start-imports';
import type { ImportRow, ItemRow } from './views';

type Step = { importId: number; step: number };

/**
 * One step of a run: reads the feed, then copies episodes for some seconds, and enqueues the next step in the
 * transaction that ends this one. A killed step runs again and finds its results; of two jobs for one step, only one
 * continues. So runs of several creators take turns, and no job takes longer than one file. A run that has waited asks
 * for a place again before it copies (docs/decisions/0281).
 */
export async function runImport(ctx: Ctx, { importId, step }: Step): Promise<void> {
  const row = await lookupRunning(ctx, importId);
  if (row?.step !== step) return;
  const isOver = isOutOfTime(row, row.waitsUntil && row.waitsUntil < ctx.now() ? row.waitsUntil : ctx.now());
  const hasWork = !isOver && (row.plannedAt === null || (await nextItem(ctx, importId)) !== null);
  if (hasWork && row.waitsUntil && !row.isFollowUp) return transact(ctx, startNext);
  if (row.plannedAt === null) return planRun(ctx, row);
  if (isOver) await leaveRest(ctx, importId);
  else await copyItems(ctx, row);
  await continueOrEnd(ctx, row);
}

async function copyItems(ctx: Ctx, row: ImportRow): Promise<void> {
  const began = performance.now();
  while (performance.now() - began < IMPORT_LIMITS.stepMs) {
    const item = await nextItem(ctx, row.id);
    if (!item || isOutOfTime(row, ctx.now())) return;
    // the creator may have cancelled the import
    if (!(await lookupRunning(ctx, row.id))) return;
    await copyItem(ctx, row, item);
  }
}

/**
 * An episode that waits for its cover, chapters or transcript has been imported without them; what was never requested
 * is reported as left out, too. Others keep the reason of an earlier fault.
 */
async function leaveRest(ctx: Ctx, importId: number): Promise<void> {
  const { code, params } = outOfTime({ count: IMPORT_LIMITS.longest / HOURS(1) });
  const { episodeId, reason, reasonParams, leftOut, data } = rssImportItems;
  const late = JSON.stringify(params);
  await ctx.db
    .update(rssImportItems)
    .set({
      retryAt: null,
      state: sql`case when ${episodeId} is null then 'failed' else 'imported' end`,
      reason: sql`case when ${episodeId} is null then coalesce(${reason}, ${code}) end`,
      reasonParams: sql`case when ${reason} is null then ${late}::jsonb else ${reasonParams} end`,
      leftOut: sql`case when ${episodeId} is null or ${leftOut} <> '[]' then ${leftOut} else (
        select coalesce(jsonb_agg(jsonb_build_object('part', part, 'code', ${code}::text, 'params', ${late}::jsonb)), '[]')
        from (values ('cover', ${data} ->> 'cover' is not null), ('chapters', ${data} ?| array['chapters', 'marks']),
          ('transcript', jsonb_array_length(coalesce(${data} -> 'transcripts', '[]')) > 0)) as named (part, is_named)
        where is_named) end`,
    })
    .where(and(eq(rssImportItems.importId, importId), eq(rssImportItems.state, 'waiting')));
}

async function lookupRunning(ctx: Ctx, id: number): Promise<ImportRow | null> {
  const [row] = await ctx.db
    .select()
    .from(rssImports)
    .where(and(eq(rssImports.id, id), eq(rssImports.status, 'in_progress')));
  return row ?? null;
}

/** The first waiting episode of the feed, except episodes whose host asked us to wait. Retries come after the others. */
async function nextItem(ctx: Ctx, importId: number): Promise<ItemRow | null> {
  const isDue = or(isNull(rssImportItems.retryAt), lte(rssImportItems.retryAt, ctx.now()));
  const [item] = await ctx.db
    .select()
    .from(rssImportItems)
    .where(and(eq(rssImportItems.importId, importId), eq(rssImportItems.state, 'waiting'), isDue))
    .orderBy(asc(rssImportItems.attempts), asc(rssImportItems.position))
    .limit(1);
  return item ?? null;
}

async function planRun(ctx: Ctx, row: ImportRow): Promise<void> {
  try {
    await planImport(ctx, row);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const at = nextAttempt(row, error, ctx.now());
    if (!at) return transact(ctx, (tx) => endRun(tx, row.id, { status: 'failed', error }));
    return transact(ctx, (tx) => continueAt(tx, row, { at, attempts: row.attempts + 1 }));
  }
  await transact(ctx, (tx) => continueAt(tx, row, {}));
}

/**
 * Enqueues the next step for the time when episodes are due or checks may have ended; if none are left, the import
 * ends.
 */
async function continueOrEnd(ctx: Ctx, row: ImportRow): Promise<void> {
  const [waiting] = await ctx.db
    .select({ at: rssImportItems.retryAt })
    .from(rssImportItems)
    .where(and(eq(rssImportItems.importId, row.id), eq(rssImportItems.state, 'waiting')))
    .orderBy(sql`${rssImportItems.retryAt} asc nulls first`)
    .limit(1);
  await transact(ctx, async (tx) => {
    if (waiting) return continueAt(tx, row, { at: waiting.at ?? undefined });
    const counts = await countItems(tx, row.id);
    const checking = counts.reduce((sum, count) => sum + count.checking, 0);
    if (checking > 0 && !(await isCheckOverdue(tx, row)))
      return continueAt(tx, row, { at: later(tx.now(), IMPORT_LIMITS.checkPauseMs), isWaiting: true });
    const isKept = ({ state, items, rejected }: (typeof counts)[number]) =>
      (state === 'imported' && items > rejected) || (state === 'updated' && items > 0);
    const hasResult = counts.some(isKept);
    await endRun(tx, row.id, hasResult ? { status: 'imported' } : { status: 'failed', error: nothingImported() });
  });
}

/** Counts from the last copy. A conversion may take long, and one that never ends must not delay the result. */
async function isCheckOverdue(tx: TxCtx, { id }: ImportRow): Promise<boolean> {
  const [row] = await tx.db.select({ updatedAt: rssImports.updatedAt }).from(rssImports).where(eq(rssImports.id, id));
  return !row || later(row.updatedAt, IMPORT_LIMITS.checksMs) <= tx.now();
}

type Continuation = { at?: Date; attempts?: number; isWaiting?: boolean };

/**
 * Does nothing if another job has done this step, or if the import has ended. A run that has to wait, or has had its turn,
 * gives its place to the next import. If none waits for it, the run gets it again.
 */
async function continueAt(tx: TxCtx, row: ImportRow, { at, attempts, isWaiting }: Continuation): Promise<void> {
  const { id, step } = row;
  const givesPlace = !isWaiting && hasHadTurn(row, tx.now());
  const waitsUntil = at && at > tx.now() ? at : givesPlace ? tx.now() : row.waitsUntil;
  const isCurrent = and(eq(rssImports.id, id), eq(rssImports.step, step), eq(rssImports.status, 'in_progress'));
  const raised = await tx.db
    .update(rssImports)
    .set({ step: step + 1, attempts, waitsUntil, ...(isWaiting ? {} : { updatedAt: tx.now() }) })
    .where(isCurrent)
    .returning({ id: rssImports.id });
  if (raised.length === 0) return;
  await tx.jobs.enqueue(runImportJob, { importId: id, step: step + 1 }, at && { at });
  if (waitsUntil) await startNext(tx);
}

type Ending = { status: 'imported' } | { status: 'failed'; error: AppError };

async function endRun(tx: TxCtx, id: number, ending: Ending): Promise<void> {
  const failure =
    ending.status === 'failed' ? { failureReason: ending.error.code, failureParams: ending.error.params } : {};
  const [ended] = await tx.db
    .update(rssImports)
    .set({ status: ending.status, ...failure, endedAt: tx.now(), updatedAt: tx.now() })
    .where(and(eq(rssImports.id, id), eq(rssImports.status, 'in_progress')))
    .returning();
  // the creator has cancelled the import, or another job has ended it
  if (!ended) return;
  if (!ended.isFollowUp) await announceEnd(tx, ended, ending.status === 'failed' ? ending.error : null);
  if (ending.status === 'imported' && !ended.isFollowUp) await keepOldFeed(tx, ended);
  await startNext(tx);
}
