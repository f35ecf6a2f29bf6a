import { and, asc, eq, lt } from 'drizzle-orm';
import { rssImports } from '~/db/schema/rss-import';
import { runImport } from '~/jobs/catalog';
import { type Ctx, transact } from '../../ctx';
import { IMPORT_LIMITS } from '../../limits/rss-import';
import { earlier } from '../../time';
import { startNext } from './confirming';
import { recoverPolls } from './old-feeds';
import { expireImports } from './requesting';

/**
 * Ends imports that nobody has confirmed in time, and continues runs and polls whose job ran out of attempts. A run that waits for
 * its host has a later job, and another one does no harm: the step of only one of them goes on.
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
