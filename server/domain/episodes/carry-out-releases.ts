import { and, asc, eq } from 'drizzle-orm';
import { keptReleases } from '~/db/schema/episode-parts';
import { episodes } from '~/db/schema/episodes';
import { AppError } from '../../base/errors';
import { KEPT_RELEASE_LIMITS } from '../../limits/episodes';
import { authorize, may } from '../../policy/authorize';
import { releaseKept } from '../../queue/jobs/episodes';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { markProductChanged } from '../products/mark-product-changed';
import { lookupRole } from '../team/queries';
import { publishNow } from './publish-episode';
import { lockEpisodeRow } from './queries';

type Kept = typeof keptReleases.$inferSelect;

/**
 * The job after a user has verified their address: publishes or schedules what they wanted to publish before, each
 * episode in a transaction of its own and in their name. A repeated job finds the rest.
 */
export async function carryOutReleases(ctx: Ctx, { userId }: { userId: number }): Promise<void> {
  const waiting = await ctx.db
    .select({ episodeId: keptReleases.episodeId })
    .from(keptReleases)
    .where(eq(keptReleases.userId, userId))
    .orderBy(asc(keptReleases.createdAt), asc(keptReleases.episodeId))
    .limit(KEPT_RELEASE_LIMITS.carriedOut);
  for (const { episodeId } of waiting) await carryOut(ctx, { episodeId, userId });
  if (waiting.length === KEPT_RELEASE_LIMITS.carriedOut)
    await transact(ctx, (tx) => tx.jobs.enqueue(releaseKept, { userId }));
}

async function carryOut(ctx: Ctx, { episodeId, userId }: { episodeId: number; userId: number }): Promise<void> {
  try {
    await transact(ctx, (tx) => releaseOnce(tx, { episodeId, userId }));
  } catch (error) {
    // for example, the plan has no room by now: the episode stays on hold, and its page says why
    if (!(error instanceof AppError)) throw error;
    await transact(ctx, (tx) => noteObstacle(tx, { episodeId, userId }, error));
  }
}

/** The episode is locked before its kept release, as in every change of an episode. */
async function releaseOnce(tx: TxCtx, key: Pick<Kept, 'episodeId' | 'userId'>): Promise<void> {
  const row = await lockEpisodeRow(tx, key.episodeId);
  const kept = await takeKept(tx, key);
  if (!row || !kept || row.heldAt?.getTime() !== kept.heldAt.getTime()) return;
  const { userId } = key;
  const role = await lookupRole(tx, { userId, creatorId: row.creatorId });
  if (role === null) return;
  const actor = { type: 'user' as const, userId, creatorId: row.creatorId, role, sessionId: '' };
  const acting = { ...tx, actor };
  // the person may have left the team since
  if (!may(acting, 'episode.manage', row)) return;
  await publishNow(acting, authorize(acting, 'episode.manage', row), kept.releaseAt);
}

/** Of two concurrent jobs, one gets the row. */
async function takeKept(tx: TxCtx, { episodeId, userId }: Pick<Kept, 'episodeId' | 'userId'>): Promise<Kept | null> {
  const [kept] = await tx.db
    .delete(keptReleases)
    .where(and(eq(keptReleases.episodeId, episodeId), eq(keptReleases.userId, userId)))
    .returning();
  return kept ?? null;
}

async function noteObstacle(
  tx: TxCtx,
  key: Pick<Kept, 'episodeId' | 'userId'>,
  { code, params }: AppError,
): Promise<void> {
  const row = await lockEpisodeRow(tx, key.episodeId);
  if (!(await takeKept(tx, key)) || !row) return;
  await tx.db.update(episodes).set({ failureReason: code, failureParams: params }).where(eq(episodes.id, row.id));
  await markProductChanged(tx, row.productId);
}
