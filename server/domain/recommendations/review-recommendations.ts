import { and, asc, eq, gt, inArray, or, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { creators } from '~/db/schema/creators';
import { creatorPlans } from '~/db/schema/plans';
import { products } from '~/db/schema/products';
import { recommendations } from '~/db/schema/recommendations';
import type { EndReason } from '~/db/values/recommendations';
import { dayIn } from '../../base/time';
import { SHOW_RECOMMENDATION_LIMITS } from '../../limits/recommendations';
import { reviewAllRecommendations } from '../../queue/jobs/recommendations';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { hasFeature, planInForce } from '../plans/rules';
import { canTakePart, isOpenRecommendation, type RecommendationRow } from './queries';
import { fromOtherSide, isOver } from './rules';
import { closeRows } from './settle-rows';

/**
 * Ends open recommendations of a show or a creator if one of both shows is not public, if a creator may not publish, or if
 * the plan of the recommending one no longer includes them. Safe to repeat.
 */
export async function reviewRecommendations(
  ctx: Ctx,
  { productId, creatorId }: { productId?: number; creatorId?: number },
): Promise<void> {
  const { productId: by, recommendedId: of, creatorId: byCreator, recommendedCreatorId: ofCreator } = recommendations;
  const which = [
    ...(productId === undefined ? [] : [eq(by, productId), eq(of, productId)]),
    ...(creatorId === undefined ? [] : [eq(byCreator, creatorId), eq(ofCreator, creatorId)]),
  ];
  if (which.length === 0) return;
  await transact(ctx, (tx) => endUnfit(tx, or(...which)));
}

/** The same for all recommendations, part by part. Ends those whose last day is over, too. */
export async function reviewAll(ctx: Ctx, { after = 0 }: { after?: number }): Promise<void> {
  await transact(ctx, async (tx) => {
    const last = await endUnfit(tx, gt(recommendations.id, after));
    if (last !== null) await tx.jobs.enqueue(reviewAllRecommendations, { after: last });
  });
}

/** @returns the last id, if there may be more */
async function endUnfit(tx: TxCtx, which: SQL | undefined): Promise<number | null> {
  const found = await selectReviewed(tx, which);
  const unfit = found.flatMap((each) => {
    const reason = unfitBecause(tx, each);
    return reason ? [{ row: each.row, reason }] : [];
  });
  const bySwap = new Map(unfit.flatMap(({ row, reason }) => (row.swapId ? [[row.swapId, reason] as const] : [])));
  const partners = await partnersIn(tx, [...bySwap.keys()]);
  const because = new Map<number, EndReason>([
    ...partners.map((row) => [row.id, fromOtherSide(bySwap.get(row.swapId!)!)] as const),
    ...unfit.map(({ row, reason }) => [row.id, reason] as const),
  ]);
  const rows = [...unfit.map(({ row }) => row), ...partners];
  // the accepted ones first: they lock the shows, which those who accept a request have locked before its row
  await closeRows(tx, rows, { from: 'accepted', to: 'ended', because });
  await closeRows(tx, rows, { from: 'requested', to: 'ended', because });
  return found.length === SHOW_RECOMMENDATION_LIMITS.reviewed ? (found.at(-1)?.row.id ?? null) : null;
}

const recommended = alias(products, 'recommended');
const recommendedCreator = alias(creators, 'recommended_creator');

const selectReviewed = ({ db }: TxCtx, which: SQL | undefined) =>
  db
    .select({
      row: recommendations,
      product: products,
      creator: creators,
      plan: creatorPlans,
      ofProduct: recommended,
      ofCreator: recommendedCreator,
    })
    .from(recommendations)
    .innerJoin(products, eq(products.id, recommendations.productId))
    .innerJoin(creators, eq(creators.id, recommendations.creatorId))
    .leftJoin(creatorPlans, eq(creatorPlans.creatorId, recommendations.creatorId))
    .innerJoin(recommended, eq(recommended.id, recommendations.recommendedId))
    .innerJoin(recommendedCreator, eq(recommendedCreator.id, recommendations.recommendedCreatorId))
    .where(and(which, isOpenRecommendation()))
    .orderBy(asc(recommendations.id))
    .limit(SHOW_RECOMMENDATION_LIMITS.reviewed);

type Reviewed = Awaited<ReturnType<typeof selectReviewed>>[number];

/** Why a recommendation must end; null if it may go on. */
function unfitBecause(
  { now }: TxCtx,
  { row, product, creator, plan, ofProduct, ofCreator }: Reviewed,
): EndReason | null {
  const { claimedAt, timeZone } = creator;
  const chosen = { plan: plan?.plan ?? null, endsAt: plan?.endsAt ?? null, claimedAt };
  const isIncluded = hasFeature(planInForce(chosen, now()).plan, 'recommendations');
  if (!canTakePart({ product, creator })) return 'recommender_show';
  if (!canTakePart({ product: ofProduct, creator: ofCreator })) return 'recommended_show';
  if (isOver(row, dayIn(now(), timeZone))) return 'last_day';
  // the other side of a request may still have to get a plan
  return isIncluded || (row.isReturn && row.status === 'requested') ? null : 'recommender_plan';
}

/** A swap ends on both sides. */
async function partnersIn({ db }: TxCtx, swaps: string[]): Promise<RecommendationRow[]> {
  if (swaps.length === 0) return [];
  const which = and(inArray(recommendations.swapId, swaps), isOpenRecommendation());
  return db.select().from(recommendations).where(which).orderBy(asc(recommendations.id));
}
