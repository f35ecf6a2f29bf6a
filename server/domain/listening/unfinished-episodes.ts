import { and, desc, eq, gt, inArray, isNull } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { episodePositions } from '~/db/schema/listening';
import { POSITION_LIMITS } from '../../limits/listening';
import { PLAYER_LIMITS } from '../../limits/player';
import { requireUser } from '../../policy/actor';
import { whereQueued } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import { selectEpisodes } from '../episodes/queries';
import { type EpisodeView, toEpisodeView } from '../episodes/views';
import { asListener } from '../feeds/feed-access';
import type { EpisodePlays } from './schema';

/** Where a listener stopped in an episode, on any device. `isPlayed`: they heard it to its end, or marked it. */
export type Progress = { seconds: number; isPlayed: boolean };
export type UnfinishedEpisode = EpisodeView & { seconds: number };

/**
 * The episodes that the current user has started and not finished, on any device, the last one first. Only episodes
 * that they may still hear.
 */
export async function listUnfinished(ctx: Ctx): Promise<UnfinishedEpisode[]> {
  const { userId } = requireUser(ctx);
  const { episodeId, positionMs, finishedAt, updatedAt } = episodePositions;
  const begun = gt(positionMs, PLAYER_LIMITS.jumpsPastSeconds * 1000);
  const rows = await ctx.db
    .select({ episodeId, positionMs })
    .from(episodePositions)
    .where(and(eq(episodePositions.userId, userId), isNull(finishedAt), begun))
    .orderBy(desc(updatedAt), desc(episodeId))
    .limit(POSITION_LIMITS.searched);
  if (rows.length === 0) return [];
  const views = new Map(
    (
      await listHeard(
        ctx,
        rows.map((row) => row.episodeId),
      )
    ).map((view) => [view.id, view]),
  );
  const unfinished = rows.flatMap((row) => {
    const view = views.get(row.episodeId);
    return view ? [{ ...view, seconds: row.positionMs / 1000 }] : [];
  });
  return unfinished.slice(0, POSITION_LIMITS.continued);
}

async function listHeard(ctx: Ctx, ids: number[]): Promise<EpisodeView[]> {
  const { userId } = requireUser(ctx);
  const listener = { ...ctx, actor: asListener(userId) };
  const now = ctx.now().toISOString();
  const rows = await selectEpisodes(listener)
    .where(and(inArray(episodes.id, ids), whereQueued({ type: 'user', userId, creatorId: null, now })))
    .orderBy(desc(episodes.id));
  return rows.map((row) => toEpisodeView(listener, row));
}

/** The current user's progress in episodes, by the episode's id; episodes that they have not started are missing. */
export async function listProgress(ctx: Ctx, { episodeIds }: EpisodePlays): Promise<Record<number, Progress>> {
  const { userId } = requireUser(ctx);
  if (episodeIds.length === 0) return {};
  const rows = await ctx.db
    .select()
    .from(episodePositions)
    .where(and(eq(episodePositions.userId, userId), inArray(episodePositions.episodeId, episodeIds)))
    .orderBy(episodePositions.episodeId);
  return Object.fromEntries(
    rows.map((row) => [row.episodeId, { seconds: row.positionMs / 1000, isPlayed: row.finishedAt !== null }]),
  );
}
