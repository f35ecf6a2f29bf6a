import { and, eq, gt, isNotNull } from 'drizzle-orm';
import { type ArchivePart, creatorArchives } from '~/db/schema/archives';
import { creators } from '~/db/schema/creators';
import { requireUser } from '../../policy/actor';
import type { Ctx } from '../../runtime/ctx';
import { archiveExpired } from './errors';

export type Download = { fileName: string; bytes: number; parts: ArchivePart[] };

/**
 * A finished archive, for the owner of the creator page alone, whomever they work for now.
 * @throws common.unauthenticated, archive.expired also if it is somebody else's
 */
export async function findDownload(ctx: Pick<Ctx, 'db' | 'actor' | 'now'>, archiveId: string): Promise<Download> {
  const { userId } = requireUser(ctx);
  const { parts, bytes, requestedAt } = creatorArchives;
  const isValid = and(isNotNull(creatorArchives.readyAt), gt(creatorArchives.expiresAt, ctx.now()));
  const [row] = await ctx.db
    .select({ parts, bytes, requestedAt, domain: creators.domain })
    .from(creatorArchives)
    .innerJoin(creators, eq(creators.id, creatorArchives.creatorId))
    .where(and(eq(creatorArchives.id, archiveId), eq(creators.userId, userId), isValid));
  if (!row) throw archiveExpired();
  const day = row.requestedAt.toISOString().slice(0, 10);
  return { fileName: `altavoz-${row.domain}-${day}.zip`, bytes: row.bytes, parts: row.parts };
}
