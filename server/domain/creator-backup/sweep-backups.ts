import { and, asc, eq, inArray, isNotNull, isNull, lt, lte, ne, or, sql } from 'drizzle-orm';
import { creatorBackups } from '~/db/schema/creator-backup';
import { creators } from '~/db/schema/creators';
import { earlier } from '../../base/time';
import { CREATOR_BACKUP_LIMITS } from '../../limits/creator-backup';
import { buildCreatorBackup } from '../../queue/jobs/creator-backup';
import { type Ctx, transact } from '../../runtime/ctx';
import { removeParts } from './backup-parts';

/** Continues backups whose job was lost, cancels backups that take too long, and deletes expired ones. */
export async function sweepCreatorBackups(ctx: Ctx): Promise<void> {
  const now = ctx.now();
  const isRunning = and(isNull(creatorBackups.readyAt), isNull(creatorBackups.failedAt));
  const givenUp = await ctx.db
    .update(creatorBackups)
    .set({ failedAt: now, expiresAt: now, parts: [] })
    .where(and(isRunning, lt(creatorBackups.requestedAt, earlier(now, CREATOR_BACKUP_LIMITS.patience))))
    .returning({ id: creatorBackups.id });
  for (const { id } of givenUp) await removeParts(ctx, id);
  await transact(ctx, async (tx) => {
    const lost = await tx.db
      .select({ archiveId: creatorBackups.id, step: creatorBackups.step })
      .from(creatorBackups)
      .where(and(isRunning, lt(creatorBackups.updatedAt, earlier(now, CREATOR_BACKUP_LIMITS.overdue))))
      .orderBy(asc(creatorBackups.updatedAt))
      .limit(CREATOR_BACKUP_LIMITS.swept)
      .for('update', { skipLocked: true });
    // a second job for a step is harmless: only one of them counts
    await tx.jobs.enqueueAll(buildCreatorBackup, lost);
  });
  await removeExpired(ctx);
  await ctx.db
    .delete(creatorBackups)
    .where(
      and(lte(creatorBackups.expiresAt, earlier(now, CREATOR_BACKUP_LIMITS.kept)), sql`${creatorBackups.parts} = '[]'`),
    );
}

async function removeExpired(ctx: Ctx): Promise<void> {
  const isExpired = and(isNotNull(creatorBackups.expiresAt), lte(creatorBackups.expiresAt, ctx.now()));
  const expired = await ctx.db
    .select({ id: creatorBackups.id })
    .from(creatorBackups)
    .where(and(isExpired, ne(creatorBackups.parts, [])))
    .limit(CREATOR_BACKUP_LIMITS.swept);
  for (const { id } of expired) {
    await removeParts(ctx, id);
    await ctx.db.update(creatorBackups).set({ parts: [] }).where(eq(creatorBackups.id, id));
  }
}

/** Deletes a deleted account's backups, which stops a running one. */
export async function eraseCreatorBackups(ctx: Ctx, { userId }: { userId: number }): Promise<void> {
  const own = ctx.db.select({ id: creators.id }).from(creators).where(eq(creators.userId, userId));
  const found = await ctx.db
    .select({ id: creatorBackups.id })
    .from(creatorBackups)
    .where(or(inArray(creatorBackups.creatorId, own), eq(creatorBackups.requestedBy, userId)));
  for (const { id } of found) await eraseCreatorBackup(ctx, id);
}

export async function eraseCreatorBackup(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.delete(creatorBackups).where(eq(creatorBackups.id, id));
  await removeParts(ctx, id);
}
