import { and, eq, inArray } from 'drizzle-orm';
import { recommendations } from '~/db/schema/recommendations';
import { authorize } from '../../policy/authorize';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { copyPromo, playPromo } from '../insertions/play-promo';
import { requireFeature } from '../plans/features';
import { markProductChanged } from '../products/mark-product-changed';
import { recordActivity } from '../team/activity';
import {
  alreadySettled,
  noPromo,
  promoChanged,
  recommendationNotFound,
  showCannotRecommend,
  showNotRecommendable,
} from './errors';
import { canTakePart, findOwnRows, isBlocked, lockSides, lookupPromo, type RecommendationRow } from './queries';
import { answererOf, askerOf } from './rules';
import type { FindRecommendation } from './schema';
import { closeRows, namesFor, tellOtherSide } from './settle-rows';

type Rows = [RecommendationRow, ...RecommendationRow[]];
type Copied = { row: RecommendationRow; copy: Awaited<ReturnType<typeof copyPromo>> };

/**
 * Accepts a request: from now on, the promo plays in the episodes and on the days of the request. Of a swap, both rows are
 * accepted or none. Of two concurrent answers, one finds nothing to answer.
 * @throws recommendation.not_found, recommendation.already_settled, recommendation.cannot_recommend,
 * recommendation.not_recommendable, recommendation.no_promo, recommendation.promo_changed,
 * plan.recommendations_required
 */
export async function acceptRecommendation(ctx: Ctx, { id }: FindRecommendation): Promise<void> {
  const rows = await findAnswerable(ctx, id);
  const copied = await Promise.all(rows.map((row) => copyOf(ctx, row)));
  await ctx.reach('recommendation.promo_copied');
  await transact(ctx, (tx) => acceptRows(tx, copied));
}

async function copyOf(ctx: Ctx, row: RecommendationRow): Promise<Copied> {
  const promo = await lookupPromo(ctx, { productId: row.recommendedId, episodeId: row.promoEpisodeId });
  if (!promo) throw noPromo();
  // the show that plays it has heard this promo, the one of the request
  if (row.promoKey !== null && promo.audioKey !== row.promoKey) throw promoChanged();
  return { row, copy: await copyPromo(ctx, promo, row.creatorId) };
}

async function acceptRows(tx: TxCtx, copied: Copied[]): Promise<void> {
  const rows = copied.map(({ row }) => row) as Rows;
  const sides = await lockSides(
    tx,
    rows.flatMap(({ productId, recommendedId }) => [productId, recommendedId]),
  );
  for (const row of rows) {
    if (!canTakePart(sides.get(row.productId))) throw showCannotRecommend();
    if (!canTakePart(sides.get(row.recommendedId))) throw showNotRecommendable();
    await requireFeature(tx, row.creatorId, 'recommendations');
  }
  if (await isBlocked(tx, askerOf(rows[0]), answererOf(rows[0]))) throw alreadySettled();
  const isAsked = and(
    inArray(
      recommendations.id,
      rows.map(({ id }) => id),
    ),
    eq(recommendations.status, 'requested'),
  );
  const set = { status: 'accepted' as const, answeredAt: tx.now(), updatedAt: tx.now() };
  const accepted = await tx.db.update(recommendations).set(set).where(isAsked).returning({ id: recommendations.id });
  if (accepted.length < rows.length) throw alreadySettled();
  for (const { row, copy } of copied) {
    const campaignId = await playPromo(tx, { ...row, copy, name: sides.get(row.recommendedId)!.product.name });
    await tx.db.update(recommendations).set({ campaignId }).where(eq(recommendations.id, row.id));
    await markProductChanged(tx, row.productId);
  }
  await tellOtherSide(tx, 'recommendation_accepted', rows[0], answererOf(rows[0]));
  await recordAnswer(tx, 'recommendation.accepted', rows[0]);
}

/** Declines a request. @throws recommendation.not_found, recommendation.already_settled */
export async function declineRecommendation(ctx: Ctx, { id }: FindRecommendation): Promise<void> {
  const rows = await findAnswerable(ctx, id);
  await transact(ctx, async (tx) => {
    const closed = await closeRows(tx, rows, { from: 'requested', to: 'declined' });
    if (closed.length < rows.length) throw alreadySettled();
    await tellOtherSide(tx, 'recommendation_declined', rows[0], answererOf(rows[0]));
    await recordAnswer(tx, 'recommendation.declined', rows[0]);
  });
}

/** The rows of a request to the creator for whom the user works. */
async function findAnswerable(ctx: Ctx, id: number): Promise<Rows> {
  const rows = await findOwnRows(ctx, id);
  const creatorId = answererOf(rows[0]);
  if (ctx.actor.type !== 'user' || ctx.actor.creatorId !== creatorId) throw recommendationNotFound();
  authorize(ctx, 'recommendation.manage', { creatorId });
  if (rows.some(({ status }) => status !== 'requested')) throw alreadySettled();
  return rows;
}

type Answer = 'recommendation.accepted' | 'recommendation.declined';
async function recordAnswer(tx: TxCtx, action: Answer, row: RecommendationRow): Promise<void> {
  const creatorId = answererOf(row);
  await recordActivity(tx, { creatorId, action, subjectId: row.id, params: await namesFor(tx, row, creatorId) });
}
