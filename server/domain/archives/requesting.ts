import { and, count, desc, eq, gt } from 'drizzle-orm';
import { creatorArchives } from '~/db/schema/archives';
import { buildArchive } from '~/jobs/catalog';
import { type Ctx, type TxCtx, transact, violates } from '../../ctx';
import { ARCHIVE_LIMITS } from '../../limits/archives';
import { currentCreator, requireCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { DAYS, earlier } from '../../time';
import { recordActivity } from '../team/activity';
import { archiveRunning, tooManyArchives } from './errors';
import { type ArchiveView, toArchiveView } from './views';

/**
 * Asks for an archive of everything that belongs to the current creator. One at a time: of two requests at once, the
 * unique index lets one through. @throws common.role_not_allowed, archive.running, archive.day_limit
 */
export async function requestArchive(ctx: Ctx): Promise<ArchiveView> {
  const creator = authorize(ctx, 'creator.export', currentCreator(ctx));
  const { userId } = requireCreator(ctx);
  return transact(ctx, async (tx) => {
    const since = earlier(tx.now(), DAYS(1));
    const recent = and(eq(creatorArchives.creatorId, creator.id), gt(creatorArchives.requestedAt, since));
    const [found] = await tx.db.select({ archives: count() }).from(creatorArchives).where(recent);
    if ((found?.archives ?? 0) >= ARCHIVE_LIMITS.perDay) throw tooManyArchives({ limit: ARCHIVE_LIMITS.perDay });
    const row = await insertArchive(tx, { creatorId: creator.id, requestedBy: userId });
    await tx.jobs.enqueue(buildArchive, { archiveId: row.id, step: row.step });
    await recordActivity(tx, { creatorId: creator.id, action: 'archive.requested' });
    return toArchiveView(tx, row);
  }).catch((error) => {
    throw violates(error, 'creator_archives_one_at_a_time') ? archiveRunning() : error;
  });
}

async function insertArchive(tx: TxCtx, facts: { creatorId: number; requestedBy: number | null }) {
  const now = tx.now();
  const [row] = await tx.db
    .insert(creatorArchives)
    .values({ ...facts, requestedAt: now, updatedAt: now })
    .returning();
  return row!;
}

/** The current creator's last archive; null if there was none lately. @throws common.role_not_allowed */
export async function latestArchive(ctx: Ctx): Promise<ArchiveView | null> {
  const creator = authorize(ctx, 'creator.export', currentCreator(ctx));
  const [row] = await ctx.db
    .select()
    .from(creatorArchives)
    .where(eq(creatorArchives.creatorId, creator.id))
    .orderBy(desc(creatorArchives.requestedAt))
    .limit(1);
  return row ? toArchiveView(ctx, row) : null;
}
