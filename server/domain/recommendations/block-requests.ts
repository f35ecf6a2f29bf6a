import { and, asc, desc, eq, isNotNull, isNull, or } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { recommendationBlocks, recommendations } from '~/db/schema/recommendations';
import { SHOW_RECOMMENDATION_LIMITS } from '../../limits/recommendations';
import { requireCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { lockCreator } from '../creators/queries';
import { recordActivity } from '../team/activity';
import { recommendationNotFound, tooManyBlocked } from './errors';
import { isOpenRecommendation } from './queries';
import type { ChangeBlock } from './schema';
import { closeRows, endedBy } from './settle-rows';

/**
 * Refuses the requests of one creator, or of all. Requests of theirs that wait are declined; recommendations with one
 * blocked creator end, and those with others stay if all are blocked. Repeating it is harmless.
 * @throws recommendation.not_found for an unknown creator and oneself, recommendation.too_many_blocked
 */
export async function blockRequests(ctx: Ctx, { creatorId: chosenId }: ChangeBlock): Promise<void> {
  const blockedId = chosenId ?? null;
  const { creatorId } = authorize(ctx, 'recommendation.manage', requireCreator(ctx));
  if (blockedId === creatorId) throw recommendationNotFound();
  await transact(ctx, async (tx) => {
    await closeOpen(tx, creatorId, blockedId);
    // requests to this creator wait for this lock
    await lockCreator(tx, creatorId);
    const name = blockedId === null ? '' : await nameOf(tx, blockedId);
    const row = { creatorId, blockedId, createdAt: tx.now() };
    const added = await tx.db.insert(recommendationBlocks).values(row).onConflictDoNothing().returning();
    // those that came in before the lock
    await closeOpen(tx, creatorId, blockedId);
    if (added.length === 0) return;
    const own = eq(recommendationBlocks.creatorId, creatorId);
    if ((await tx.db.$count(recommendationBlocks, own)) > SHOW_RECOMMENDATION_LIMITS.blocked) throw tooManyBlocked();
    const action = blockedId === null ? 'recommendations.closed' : 'recommendations.blocked';
    await recordActivity(tx, { creatorId, action, params: { name } });
  });
}

async function closeOpen(tx: TxCtx, creatorId: number, blockedId: number | null): Promise<void> {
  const { creatorId: recommender, recommendedCreatorId: recommended, isReturn } = recommendations;
  const to = (id: number) => eq(recommended, id);
  const by = (id: number) => eq(recommender, id);
  const isAnsweredHere = or(and(to(creatorId), eq(isReturn, false)), and(by(creatorId), eq(isReturn, true)));
  const isBetween = (id: number) => or(and(to(creatorId), by(id)), and(by(creatorId), to(id)));
  const rows = await tx.db
    .select()
    .from(recommendations)
    .where(and(blockedId === null ? isAnsweredHere : isBetween(blockedId), isOpenRecommendation()))
    .orderBy(asc(recommendations.id));
  await closeRows(tx, rows, { from: 'requested', to: 'declined' });
  // the other side sees an end like others, and no block
  const because = endedBy(rows, creatorId);
  if (blockedId !== null) await closeRows(tx, rows, { from: 'accepted', to: 'ended', because });
}

async function nameOf({ db }: TxCtx, id: number): Promise<string> {
  const [row] = await db.select({ name: creators.name }).from(creators).where(eq(creators.id, id));
  if (!row) throw recommendationNotFound();
  return row.name;
}

/** Accepts requests of one creator again, or of all who are not blocked themselves. Repeating it is harmless. */
export async function unblockRequests(ctx: Ctx, { creatorId: blockedId }: ChangeBlock): Promise<void> {
  const { creatorId } = authorize(ctx, 'recommendation.manage', requireCreator(ctx));
  const { blockedId: column } = recommendationBlocks;
  const isIt = blockedId === undefined ? isNull(column) : eq(column, blockedId);
  await transact(ctx, async (tx) => {
    const own = eq(recommendationBlocks.creatorId, creatorId);
    const removed = await tx.db.delete(recommendationBlocks).where(and(own, isIt)).returning();
    if (removed.length === 0) return;
    const name = blockedId === undefined ? '' : await nameOf(tx, blockedId);
    const action = blockedId === undefined ? 'recommendations.opened' : 'recommendations.unblocked';
    await recordActivity(tx, { creatorId, action, params: { name } });
  });
}

export type RequestBlocks = { isClosed: boolean; blocked: { creatorId: number; name: string }[] };

/** Whose requests the creator refuses. `isClosed`: those of all. */
export async function listBlocks(ctx: Ctx): Promise<RequestBlocks> {
  const { creatorId } = authorize(ctx, 'recommendation.manage', requireCreator(ctx));
  const own = eq(recommendationBlocks.creatorId, creatorId);
  const [closed, blocked] = await Promise.all([
    ctx.db.$count(recommendationBlocks, and(own, isNull(recommendationBlocks.blockedId))),
    ctx.db
      .select({ creatorId: creators.id, name: creators.name })
      .from(recommendationBlocks)
      .innerJoin(creators, eq(creators.id, recommendationBlocks.blockedId))
      .where(and(own, isNotNull(recommendationBlocks.blockedId)))
      .orderBy(desc(recommendationBlocks.id))
      .limit(SHOW_RECOMMENDATION_LIMITS.blocked),
  ]);
  return { isClosed: closed > 0, blocked };
}
