import { and, asc, count, desc, eq, inArray, ne } from 'drizzle-orm';
import { clips } from '~/db/schema/insertions';
import { matchesPattern, patternOf } from '~/db/search';
import type { ClipOrigin, ClipState } from '~/db/values/insertions';
import type { Page } from '../../base/paging';
import { requireCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import type { Ctx, TxCtx } from '../../runtime/ctx';
import { type ClipRow, isOwnClip } from './queries';
import type { ListClips } from './schema';

/** `url`: its file, for members of the creator's team only. `failureReason`: an error code. */
export type ClipView = {
  id: number;
  name: string;
  origin: ClipOrigin;
  status: ClipState;
  failureReason: string | null;
  durationMs: number | null;
  url: string | null;
  createdAt: Date;
};

export const clipPath = (id: number) => `/audio/clips/${id}.mp3`;

export function toClipView({ id, name, origin, status, failureReason, durationMs, createdAt }: ClipRow): ClipView {
  const url = status === 'ready' ? clipPath(id) : null;
  return { id, name, origin, status, failureReason, durationMs, url, createdAt };
}

/** A page of the clips of the creator that the user works for, the newest first. */
export async function listClips(ctx: Ctx, { page, pageSize, search }: ListClips): Promise<Page<ClipView>> {
  const { creatorId } = authorize(ctx, 'clip.read', requireCreator(ctx));
  const isListed = and(eq(clips.creatorId, creatorId), isOwnClip());
  const where = and(isListed, matchesPattern(clips.name, patternOf(search)));
  const [rows, [counted]] = await Promise.all([
    ctx.db
      .select()
      .from(clips)
      .where(where)
      .orderBy(desc(clips.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize),
    ctx.db.select({ total: count() }).from(clips).where(where),
  ]);
  return { items: rows.map(toClipView), total: counted?.total ?? 0, page, pageSize };
}

/**
 * Locks the creator's clips against deletion, in the transaction that begins to use them. @returns whether all of them are
 * in the creator's list, and none was refused
 */
export async function lockClips(tx: TxCtx, creatorId: number, ids: readonly number[]): Promise<boolean> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return true;
  const isUsable = and(eq(clips.creatorId, creatorId), isOwnClip(), ne(clips.status, 'failed'));
  const found = await tx.db
    .select({ id: clips.id })
    .from(clips)
    .where(and(inArray(clips.id, wanted), isUsable))
    .orderBy(asc(clips.id))
    .for('share');
  return found.length === wanted.length;
}
