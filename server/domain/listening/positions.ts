import { and, eq, lt } from 'drizzle-orm';
import { episodePositions } from '~/db/schema/listening';
import { earlier } from '../../base/time';
import { requireUser } from '../../policy/actor';
import type { Ctx } from '../../runtime/ctx';
import { findPlayable } from './open-episode';
import type { PlayEpisode, SavePosition } from './schema';

/** Where a listener stopped; 0 after the end. */
export type Position = { seconds: number; at: Date };

/**
 * Stores the listener's position in an episode on the account, so that another device continues there. The newest
 * report wins, even if reports arrive in another order.
 * @returns whether this report was the newest
 * @throws episode.not_found, episode.subscription_required
 */
export async function savePosition(ctx: Ctx, input: SavePosition): Promise<{ saved: boolean }> {
  const { userId } = requireUser(ctx);
  const { episode } = await findPlayable(ctx, input);
  const updatedAt = earlier(ctx.now(), input.age ?? 0);
  const positionMs = input.finished ? 0 : Math.round(input.seconds * 1000);
  const values = { positionMs, finishedAt: input.finished ? updatedAt : null, updatedAt };
  const rows = await ctx.db
    .insert(episodePositions)
    .values({ userId, episodeId: episode.id, ...values })
    .onConflictDoUpdate({
      target: [episodePositions.userId, episodePositions.episodeId],
      set: values,
      setWhere: lt(episodePositions.updatedAt, updatedAt),
    })
    .returning({ episodeId: episodePositions.episodeId });
  return { saved: rows.length > 0 };
}

/** The position of the caller in an episode; null for visitors and new episodes. @throws as savePosition */
export async function positionIn(ctx: Ctx, input: PlayEpisode): Promise<Position | null> {
  const { episode } = await findPlayable(ctx, input);
  return lookupPosition(ctx, episode.id);
}

export async function lookupPosition({ db, actor }: Ctx, episodeId: number): Promise<Position | null> {
  if (actor.type !== 'user') return null;
  const { userId, positionMs, updatedAt } = episodePositions;
  const [row] = await db
    .select({ positionMs, updatedAt })
    .from(episodePositions)
    .where(and(eq(userId, actor.userId), eq(episodePositions.episodeId, episodeId)));
  return row ? { seconds: row.positionMs / 1000, at: row.updatedAt } : null;
}
