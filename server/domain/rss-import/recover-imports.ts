import { and, asc, eq, lt, sql } from 'drizzle-orm';
import { rssImportItems, rssImports } from '~/db/schema/rss-import';
import { earlier } from '../../base/time';
import { IMPORT_LIMITS } from '../../limits/rss-import';
import { runImport } from '../../queue/jobs/rss-import';
import { type Ctx, type TxCtx, transact, violates } from '../../runtime/ctx';
import { alreadyImporting } from './errors';
import { recoverPolls } from './old-feeds';
import { expireImports } from './request-feed-import';
import { startNext } from './start-imports';

/**
 * Ends imports that were not confirmed in time, and continues runs and polls whose job ran out of attempts. A run that
 * waits for its host has a later job; a second job is harmless, because only one of them continues the step.
 */
export async function recoverImports(ctx: Ctx): Promise<void> {
  await expireImports(ctx);
  await transact(ctx, async (tx) => {
    await startNext(tx);
    await recoverPolls(tx);
    const lost = await tx.db
      .select({ id: rssImports.id, step: rssImports.step })
      .from(rssImports)
      .where(
        and(eq(rssImports.status, 'in_progress'), lt(rssImports.updatedAt, earlier(tx.now(), IMPORT_LIMITS.overdue))),
      )
      .orderBy(asc(rssImports.updatedAt))
      .limit(IMPORT_LIMITS.recoveredAtOnce)
      .for('update', { skipLocked: true });
    await tx.jobs.enqueueAll(
      runImport,
      lost.map(({ id, step }) => ({ importId: id, step })),
    );
  });
}

/**
 * Call it after an operator has repaired the cause: a failed import waits for a place again and continues where it
 * stopped; a stuck run gets another job. @returns false if there was nothing to do
 * @throws import.already_importing if the creator has begun another import
 */
export async function retryImport(tx: TxCtx, id: number): Promise<boolean> {
  const stuck = and(eq(rssImports.id, id), eq(rssImports.status, 'in_progress'));
  const [running] = await tx.db
    .select({ importId: rssImports.id, step: rssImports.step })
    .from(rssImports)
    .where(stuck)
    .for('update');
  if (running) {
    await tx.jobs.enqueue(runImport, running);
    return true;
  }
  const fresh = { startedAt: null, waitsUntil: null, endedAt: null, seenAt: null, failureReason: null };
  const again = { ...fresh, status: 'confirmed', attempts: 0 } as const;
  const failed = await tx.db
    .update(rssImports)
    .set({ ...again, failureParams: {}, step: sql`${rssImports.step} + 1`, updatedAt: tx.now() })
    .where(and(eq(rssImports.id, id), eq(rssImports.status, 'failed')))
    .returning({ id: rssImports.id })
    .catch((error) => {
      throw violates(error, 'rss_imports_one_at_a_time') ? alreadyImporting() : error;
    });
  if (failed.length === 0) return false;
  await tx.db
    .update(rssImportItems)
    .set({ state: 'waiting', attempts: 0, retryAt: null, reason: null, reasonParams: {} })
    .where(and(eq(rssImportItems.importId, id), eq(rssImportItems.state, 'failed')));
  await startNext(tx);
  return true;
}
