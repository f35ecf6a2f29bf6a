import { and, asc, eq, gt, inArray, or, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { creators } from '~/db/schema/creators';
import { creatorPlans } from '~/db/schema/plans';
import { products } from '~/db/schema/products';
import { recommendations } from '~/db/schema/recommendations';
import { dayIn } from '../../base/time';
import { SHOW_RECOMMENDATION_LIMITS } from '../../limits/recommendations';
import { reviewAllRecommendations } from '../../queue/jobs/recommendations';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { hasFeature, planInForce } from '../plans/rules';
import { canTakePart, isOpenRecommendation, type RecommendationRow } from './queries';
import { isOver } from './rules';
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
  const unfit = found.filter((each) => !isFit(tx, each)).map(({ row }) => row);
  const swaps = new Set(unfit.flatMap(({ swapId }) => swapId ?? []));
  const partners = await partnersIn(tx, [...swaps]);
  const rows = [...unfit, ...partners];
  await closeRows(tx, rows, { from: 'requested', to: 'ended' });
  await closeRows(tx, rows, { from: 'accepted', to: 'ended' });
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

function isFit({ now }: TxCtx, { row, product, creator, plan, ofProduct, ofCreator }: Reviewed): boolean {
  const { claimedAt, timeZone } = creator;
  const chosen = { plan: plan?.plan ?? null, endsAt: plan?.endsAt ?? null, claimedAt };
  const isIncluded = hasFeature(planInForce(chosen, now()).plan, 'recommendations');
  const today = dayIn(now(), timeZone);
  const canRun = canTakePart({ product, creator }) && canTakePart({ product: ofProduct, creator: ofCreator });
  // the other side of a request may still have to get a plan
  return canRun && !isOver(row, today) && (isIncluded || (row.isReturn && row.status === 'requested'));
}

/** A swap ends on both sides. */
async function partnersIn({ db }: TxCtx, swaps: string[]): Promise<RecommendationRow[]> {
  if (swaps.length === 0) return [];
  const which = and(inArray(recommendations.swapId, swaps), isOpenRecommendation());
  return db.select().from(recommendations).where(which).orderBy(asc(recommendations.id));
}
