import { and, asc, eq, inArray, isNotNull, isNull, lt, lte, ne, or, sql } from 'drizzle-orm';
import { creatorArchives } from '~/db/schema/archives';
import { creators } from '~/db/schema/creators';
import { buildArchive } from '~/jobs/catalog';
import { earlier } from '../../base/time';
import { ARCHIVE_LIMITS } from '../../limits/archives';
import { type Ctx, transact } from '../../runtime/ctx';
import { removeParts } from './parts';

/** Continues archives whose job was lost, gives up those that take too long, and deletes expired ones. */
export async function sweepArchives(ctx: Ctx): Promise<void> {
  const now = ctx.now();
  const isRunning = and(isNull(creatorArchives.readyAt), isNull(creatorArchives.failedAt));
  const givenUp = await ctx.db
    .update(creatorArchives)
    .set({ failedAt: now, expiresAt: now, parts: [] })
    .where(and(isRunning, lt(creatorArchives.requestedAt, earlier(now, ARCHIVE_LIMITS.patience))))
    .returning({ id: creatorArchives.id });
  for (const { id } of givenUp) await removeParts(ctx, id);
  await transact(ctx, async (tx) => {
    const lost = await tx.db
      .select({ archiveId: creatorArchives.id, step: creatorArchives.step })
      .from(creatorArchives)
      .where(and(isRunning, lt(creatorArchives.updatedAt, earlier(now, ARCHIVE_LIMITS.overdue))))
      .orderBy(asc(creatorArchives.updatedAt))
      .limit(ARCHIVE_LIMITS.swept)
      .for('update', { skipLocked: true });
    // another job for a step does no harm: only one of them counts
    await tx.jobs.enqueueAll(buildArchive, lost);
  });
  await removeExpired(ctx);
  await ctx.db
    .delete(creatorArchives)
    .where(
      and(lte(creatorArchives.expiresAt, earlier(now, ARCHIVE_LIMITS.kept)), sql`${creatorArchives.parts} = '[]'`),
    );
}

async function removeExpired(ctx: Ctx): Promise<void> {
  const isExpired = and(isNotNull(creatorArchives.expiresAt), lte(creatorArchives.expiresAt, ctx.now()));
  const expired = await ctx.db
    .select({ id: creatorArchives.id })
    .from(creatorArchives)
    .where(and(isExpired, ne(creatorArchives.parts, [])))
    .limit(ARCHIVE_LIMITS.swept);
  for (const { id } of expired) {
    await removeParts(ctx, id);
    await ctx.db.update(creatorArchives).set({ parts: [] }).where(eq(creatorArchives.id, id));
  }
}

/** Deletes a deleted account's archives, which stops one that runs. */
export async function eraseArchives(ctx: Ctx, { userId }: { userId: number }): Promise<void> {
  const own = ctx.db.select({ id: creators.id }).from(creators).where(eq(creators.userId, userId));
  const found = await ctx.db
    .select({ id: creatorArchives.id })
    .from(creatorArchives)
    .where(or(inArray(creatorArchives.creatorId, own), eq(creatorArchives.requestedBy, userId)));
  for (const { id } of found) await eraseArchive(ctx, id);
}

export async function eraseArchive(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.delete(creatorArchives).where(eq(creatorArchives.id, id));
  await removeParts(ctx, id);
}
