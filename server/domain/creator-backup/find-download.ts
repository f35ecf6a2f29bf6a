import { and, eq, gt, isNotNull } from 'drizzle-orm';
import { type BackupPart, creatorBackups } from '~/db/schema/creator-backup';
import { creators } from '~/db/schema/creators';
import { requireUser } from '../../policy/actor';
import type { Ctx } from '../../runtime/ctx';
import { backupExpired } from './errors';

export type Download = { fileName: string; bytes: number; parts: BackupPart[] };

/**
 * A finished backup, only for the owner of the creator page, even while the owner works for another creator.
 * @throws common.unauthenticated, archive.expired also for another creator's backup
 */
export async function findDownload(ctx: Pick<Ctx, 'db' | 'actor' | 'now'>, backupId: string): Promise<Download> {
  const { userId } = requireUser(ctx);
  const { parts, bytes, requestedAt } = creatorBackups;
  const isValid = and(isNotNull(creatorBackups.readyAt), gt(creatorBackups.expiresAt, ctx.now()));
  const [row] = await ctx.db
    .select({ parts, bytes, requestedAt, domain: creators.domain })
    .from(creatorBackups)
    .innerJoin(creators, eq(creators.id, creatorBackups.creatorId))
    .where(and(eq(creatorBackups.id, backupId), eq(creators.userId, userId), isValid));
  if (!row) throw backupExpired();
  const day = row.requestedAt.toISOString().slice(0, 10);
  return { fileName: `altavoz-${row.domain}-${day}.zip`, bytes: row.bytes, parts: row.parts };
}
