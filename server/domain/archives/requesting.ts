import { and, count, desc, eq, gt, isNull } from 'drizzle-orm';
import { creatorArchives } from '~/db/schema/archives';
import { buildArchive } from '~/jobs/catalog';
import { DAYS, earlier } from '../../base/time';
import { ARCHIVE_LIMITS } from '../../limits/archives';
import { currentCreator, requireCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { type Ctx, type TxCtx, transact, violates } from '../../runtime/ctx';
import { creatorNotFound } from '../creators/errors';
import { lookupCreatorByDomain } from '../creators/queries';
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

/**
 * The archive that an operator asks for: the one that is running, or a new one, about which nobody gets an email. Its
 * steps are run by who asks (server/runtime/moving-creators.ts). @throws creator.not_found
 */
export async function requestForOperator(ctx: Ctx, domain: string): Promise<{ id: string; isOperators: boolean }> {
  const creator = await lookupCreatorByDomain(ctx, domain);
  if (!creator) throw creatorNotFound();
  const isRunning = and(isNull(creatorArchives.readyAt), isNull(creatorArchives.failedAt));
  const [running] = await ctx.db
    .select()
    .from(creatorArchives)
    .where(and(eq(creatorArchives.creatorId, creator.id), isRunning));
  const row = running ?? (await transact(ctx, (tx) => insertArchive(tx, { creatorId: creator.id, requestedBy: null })));
  return { id: row.id, isOperators: row.requestedBy === null };
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
