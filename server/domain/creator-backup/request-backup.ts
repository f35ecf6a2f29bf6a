import { and, count, desc, eq, gt, isNull } from 'drizzle-orm';
import { creatorBackups } from '~/db/schema/creator-backup';
import { DAYS, earlier, wholeSeconds } from '../../base/time';
import { CREATOR_BACKUP_LIMITS } from '../../limits/creator-backup';
import { currentCreator, requireCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { buildCreatorBackup } from '../../queue/jobs/creator-backup';
import { type Ctx, type TxCtx, transact, violates } from '../../runtime/ctx';
import { creatorNotFound } from '../creators/errors';
import { lookupCreatorByDomain } from '../creators/queries';
import { recordActivity } from '../team/activity';
import { backupRunning, tooManyBackups } from './errors';
import { type BackupView, toBackupView } from './views';

/**
 * Requests a backup of all data of the current creator. A creator has one running backup: of two concurrent requests,
 * the unique index lets one through. @throws common.role_not_allowed, archive.running, archive.day_limit
 */
export async function requestCreatorBackup(ctx: Ctx): Promise<BackupView> {
  const creator = authorize(ctx, 'creator.export', currentCreator(ctx));
  const { userId } = requireCreator(ctx);
  return transact(ctx, async (tx) => {
    const since = earlier(tx.now(), DAYS(1));
    const recent = and(eq(creatorBackups.creatorId, creator.id), gt(creatorBackups.requestedAt, since));
    const [found] = await tx.db.select({ backups: count() }).from(creatorBackups).where(recent);
    if ((found?.backups ?? 0) >= CREATOR_BACKUP_LIMITS.perDay)
      throw tooManyBackups({ limit: CREATOR_BACKUP_LIMITS.perDay, seconds: wholeSeconds(DAYS(1)) });
    const row = await insertBackup(tx, { creatorId: creator.id, requestedBy: userId });
    await tx.jobs.enqueue(buildCreatorBackup, { archiveId: row.id, step: row.step });
    await recordActivity(tx, { creatorId: creator.id, action: 'archive.requested' });
    return toBackupView(tx, row);
  }).catch((error) => {
    throw violates(error, 'creator_archives_one_at_a_time') ? backupRunning() : error;
  });
}

async function insertBackup(tx: TxCtx, facts: { creatorId: number; requestedBy: number | null }) {
  const now = tx.now();
  const [row] = await tx.db
    .insert(creatorBackups)
    .values({ ...facts, requestedAt: now, updatedAt: now })
    .returning();
  return row!;
}

/**
 * The backup that an operator requests: the running one, or a new one, which sends no email. The caller runs its steps
 * (server/runtime/moving-creators.ts). @throws creator.not_found
 */
export async function requestForOperator(ctx: Ctx, domain: string): Promise<{ id: string; isOperators: boolean }> {
  const creator = await lookupCreatorByDomain(ctx, domain);
  if (!creator) throw creatorNotFound();
  const isRunning = and(isNull(creatorBackups.readyAt), isNull(creatorBackups.failedAt));
  const [running] = await ctx.db
    .select()
    .from(creatorBackups)
    .where(and(eq(creatorBackups.creatorId, creator.id), isRunning));
  const row = running ?? (await transact(ctx, (tx) => insertBackup(tx, { creatorId: creator.id, requestedBy: null })));
  return { id: row.id, isOperators: row.requestedBy === null };
}

/** The current creator's last backup; null if there was no recent one. @throws common.role_not_allowed */
export async function latestCreatorBackup(ctx: Ctx): Promise<BackupView | null> {
  const creator = authorize(ctx, 'creator.export', currentCreator(ctx));
  const [row] = await ctx.db
    .select()
    .from(creatorBackups)
    .where(eq(creatorBackups.creatorId, creator.id))
    .orderBy(desc(creatorBackups.requestedAt))
    .limit(1);
  return row ? toBackupView(ctx, row) : null;
}
