import { requireCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { type Ctx, transact } from '../../runtime/ctx';
import { recordActivity } from '../team/activity';
import { alreadySettled, recommendationNotFound } from './errors';
import { findOwnRows } from './queries';
import { askerOf } from './rules';
import type { FindRecommendation } from './schema';
import { closeRows, endedBy, namesFor, tellOtherSide } from './settle-rows';

/**
 * Ends a recommendation that was accepted; either side can, and a swap ends on both. The promo stops at once.
 * @throws recommendation.not_found, recommendation.already_settled
 */
export async function endRecommendation(ctx: Ctx, { id }: FindRecommendation): Promise<void> {
  const { creatorId } = authorize(ctx, 'recommendation.manage', requireCreator(ctx));
  const rows = await findOwnRows(ctx, id);
  await ctx.reach('recommendation.read');
  await transact(ctx, async (tx) => {
    const closed = await closeRows(tx, rows, { from: 'accepted', to: 'ended', because: endedBy(rows, creatorId) });
    if (closed.length === 0) throw alreadySettled();
    await tellOtherSide(tx, 'recommendation_ended', rows[0], creatorId);
    const params = await namesFor(tx, rows[0], creatorId);
    await recordActivity(tx, { creatorId, action: 'recommendation.ended', subjectId: id, params });
  });
}

/** Takes back a request that nobody has answered. @throws as endRecommendation */
export async function withdrawRecommendation(ctx: Ctx, { id }: FindRecommendation): Promise<void> {
  const { creatorId } = authorize(ctx, 'recommendation.manage', requireCreator(ctx));
  const rows = await findOwnRows(ctx, id);
  if (askerOf(rows[0]) !== creatorId) throw recommendationNotFound();
  await transact(ctx, async (tx) => {
    const closed = await closeRows(tx, rows, { from: 'requested', to: 'withdrawn' });
    if (closed.length === 0) throw alreadySettled();
    const params = await namesFor(tx, rows[0], creatorId);
    await recordActivity(tx, { creatorId, action: 'recommendation.withdrawn', subjectId: id, params });
  });
}
