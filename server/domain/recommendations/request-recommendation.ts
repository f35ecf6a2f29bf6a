import { randomUUID } from 'node:crypto';
import { and, eq, gt, inArray } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { recommendations } from '~/db/schema/recommendations';
import { dayIn, earlier, wholeSeconds } from '../../base/time';
import { SHOW_RECOMMENDATION_LIMITS } from '../../limits/recommendations';
import { authorize } from '../../policy/authorize';
import { whereKept } from '../../policy/visibility';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { requireNoImport } from '../episodes/promos';
import { requireFeature } from '../plans/features';
import { findProductRecord } from '../products/queries';
import { recordActivity } from '../team/activity';
import {
  alreadyRecommended,
  episodesRequired,
  noPromo,
  ownPromoRequired,
  ownShow,
  showCannotRecommend,
  showNotRecommendable,
  tooManyRequests,
  tooManyWaiting,
} from './errors';
import { canTakePart, isBlocked, lockSides, lookupPromo, type Side } from './queries';
import { problemOfDays } from './rules';
import type { RequestRecommendation } from './schema';
import { tellOfRecommendation } from './tell-of-recommendation';

type Request = RequestRecommendation & { creatorId: number };
type Sides = { own: Side; other: Side };

/**
 * Asks another creator whether one's show may recommend theirs, or whether both may recommend each other. Their answer
 * makes the promo play. Of two concurrent requests between two shows, the unique index lets one through.
 * @returns the id of the recommendation
 * @throws plan.recommendations_required, promo.wait_for_import, recommendation.own_show, recommendation.not_recommendable,
 * recommendation.cannot_recommend, recommendation.no_promo, recommendation.own_promo_required,
 * recommendation.already_recommended, recommendation.too_many_waiting, recommendation.too_many_requests, and the problems
 * of days and episodes
 */
export async function requestRecommendation(ctx: Ctx, input: RequestRecommendation): Promise<{ id: number }> {
  const { product } = await findProductRecord(ctx, input.productId);
  const own = authorize(ctx, 'product.manage', product);
  const { creatorId } = own;
  await requireFeature(ctx, creatorId, 'recommendations');
  await requireNoImport(ctx, creatorId);
  return transact(ctx, async (tx) => {
    const request = { ...input, creatorId };
    const sides = await checkSides(tx, request);
    await checkLimits(tx, request, sides.other.creator.id);
    const id = await addRows(tx, request, sides);
    const { other } = sides;
    await tellOfRecommendation(tx, input.isSwap ? 'swap_requested' : 'recommendation_requested', {
      to: other.creator,
      by: sides.own,
      show: other.product,
    });
    const params = { name: other.product.name, show: own.name };
    await recordActivity(tx, { creatorId, action: 'recommendation.requested', subjectId: id, params });
    return { id };
  });
}

/** Locks both shows and their creators, so that blocking and requests of other creators wait for this one. */
async function checkSides(tx: TxCtx, { productId, recommendedId, creatorId, ...request }: Request): Promise<Sides> {
  const sides = await lockSides(tx, [productId, recommendedId]);
  const [own, other] = [sides.get(productId), sides.get(recommendedId)];
  if (!canTakePart(own)) throw showCannotRecommend();
  if (other?.creator.id === creatorId) throw ownShow();
  if (!canTakePart(other) || (await isBlocked(tx, creatorId, other.creator.id))) throw showNotRecommendable();
  const problem = problemOfDays(
    { ...request, lastDay: request.lastDay ?? null },
    dayIn(tx.now(), own.creator.timeZone),
  );
  if (problem) throw problem;
  return { own, other };
}

async function checkLimits(tx: TxCtx, { creatorId }: Request, otherId: number): Promise<void> {
  const { asked, window, waiting } = SHOW_RECOMMENDATION_LIMITS;
  const isRecent = and(
    eq(recommendations.creatorId, creatorId),
    eq(recommendations.isReturn, false),
    gt(recommendations.createdAt, earlier(tx.now(), window)),
  );
  if ((await tx.db.$count(recommendations, isRecent)) >= asked)
    throw tooManyRequests({ count: asked, seconds: wholeSeconds(window) });
  const isWaiting = and(
    eq(recommendations.recommendedCreatorId, otherId),
    eq(recommendations.isReturn, false),
    eq(recommendations.status, 'requested'),
  );
  if ((await tx.db.$count(recommendations, isWaiting)) >= waiting) throw tooManyWaiting();
}

async function addRows(tx: TxCtx, request: Request, { own, other }: Sides): Promise<number> {
  const { productId, recommendedId, firstDay, isAtEnd, selection, isSwap } = request;
  const promo = await lookupPromo(tx, { productId: recommendedId, episodeId: request.episodeId ?? null });
  if (!promo) throw noPromo();
  const ownPromo = isSwap ? await lookupPromo(tx, { productId, episodeId: null }) : null;
  if (isSwap && !ownPromo) throw ownPromoRequired();
  const days = { firstDay, lastDay: request.lastDay ?? null, isAtEnd };
  const asked = {
    ...days,
    ...{ productId, creatorId: own.creator.id, recommendedId, recommendedCreatorId: other.creator.id },
    ...{ selection, episodeIds: await chosenEpisodes(tx, request), promoEpisodeId: promo.episodeId },
    promoKey: promo.audioKey,
  };
  const returned = {
    ...days,
    ...{ productId: recommendedId, creatorId: other.creator.id },
    ...{ recommendedId: productId, recommendedCreatorId: own.creator.id },
    // nobody but its creator can choose the episodes of a show
    ...{ selection: selection === 'chosen' ? ('all' as const) : selection, promoEpisodeId: ownPromo?.episodeId },
    promoKey: ownPromo?.audioKey,
    isReturn: true,
  };
  const swapId = isSwap ? randomUUID() : null;
  const common = { status: 'requested' as const, swapId, createdAt: tx.now(), updatedAt: tx.now() };
  const rows = [asked, ...(isSwap ? [returned] : [])].map((row) => ({ ...row, ...common }));
  // without an order, the returned rows could be in any
  const added = await tx.db
    .insert(recommendations)
    .values(rows)
    .onConflictDoNothing()
    .returning({ id: recommendations.id, isReturn: recommendations.isReturn });
  const first = added.find((row) => !row.isReturn);
  if (!first || added.length < rows.length) throw alreadyRecommended();
  return first.id;
}

async function chosenEpisodes(tx: TxCtx, { productId, selection, episodeIds }: Request): Promise<number[]> {
  if (selection !== 'chosen') return [];
  const isIts = and(eq(episodes.productId, productId), inArray(episodes.id, episodeIds), whereKept());
  const rows = await tx.db.select({ id: episodes.id }).from(episodes).where(isIts).orderBy(episodes.id);
  if (rows.length === 0) throw episodesRequired();
  return rows.map(({ id }) => id);
}
