import { and, desc, eq, or } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { recommendations } from '~/db/schema/recommendations';
import type { RecommendationState, RecommendedIn } from '~/db/values/recommendations';
import { dayIn } from '../../base/time';
import { SHOW_RECOMMENDATION_LIMITS } from '../../limits/recommendations';
import { requireCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { campaignStates } from '../insertions/campaign-list';
import { type CoverUrls, coverUrls } from '../media/rules';
import { includesFeature } from '../plans/features';
import { listProductsByIds } from '../products/queries';
import { figuresOf, type RecommendationFigures } from './recommendation-figures';
import { isOver, type RecommendationStep, type ShownReason, shownReason, stepsOf } from './rules';
import type { ListRecommendations } from './schema';

/** `days`: in the time zone of the recommending creator. `steps`: what this creator can do with it now. */
export type RecommendationView = {
  id: number;
  /** Whether the creator's own show recommends; otherwise the other one does. */
  isGiven: boolean;
  isSwap: boolean;
  /** Both rows of a swap have it. */
  swapId: string | null;
  status: RecommendationState;
  /** Of an accepted one: whether the campaign that plays its promo has failed. */
  hasFailed: boolean;
  /** Of one that has ended; null if it is not known, or not this creator's business. */
  endedBecause: ShownReason | null;
  own: { id: number; name: string };
  other: { id: number; name: string; cover: CoverUrls; url: string; creator: { id: number; name: string } };
  firstDay: string;
  lastDay: string | null;
  /** Whether the first day is still to come. */
  isUpcoming: boolean;
  /** The day on which it ended, or the last one that it had; null if it has not ended. */
  endedDay: string | null;
  isAtEnd: boolean;
  selection: RecommendedIn;
  createdAt: Date;
  steps: RecommendationStep[];
  figures: RecommendationFigures;
};

/** `isOffered`: whether the creator's plan includes asking for them. */
export type Recommendations = { isOffered: boolean; items: RecommendationView[] };

/**
 * The latest recommendations between a creator's shows, or one of them, and others. Those that wait for this creator's
 * answer come first, then those that run.
 */
export async function listRecommendations(ctx: Ctx, { productId }: ListRecommendations): Promise<Recommendations> {
  const { creatorId } = authorize(ctx, 'recommendation.manage', requireCreator(ctx));
  const { creatorId: recommender, recommendedCreatorId: recommended } = recommendations;
  const isOf = or(eq(recommender, creatorId), eq(recommended, creatorId));
  const isAbout =
    productId && or(eq(recommendations.productId, productId), eq(recommendations.recommendedId, productId));
  const rows = await ctx.db
    .select({ row: recommendations, timeZone: creators.timeZone })
    .from(recommendations)
    .innerJoin(creators, eq(creators.id, recommendations.creatorId))
    .where(and(isOf, isAbout || undefined))
    .orderBy(desc(recommendations.id))
    .limit(SHOW_RECOMMENDATION_LIMITS.listed);
  const accepted = rows.flatMap(({ row }) => (row.status === 'accepted' && row.campaignId ? [row.campaignId] : []));
  const [isOffered, shows, figures, states] = await Promise.all([
    includesFeature(ctx, creatorId, 'recommendations'),
    showsOf(
      ctx,
      rows.flatMap(({ row }) => [row.productId, row.recommendedId]),
    ),
    figuresOf(
      ctx,
      rows.map(({ row }) => row),
    ),
    campaignStates(ctx, accepted),
  ]);
  const views = rows.flatMap(({ row, timeZone }): RecommendationView[] => {
    const isGiven = row.creatorId === creatorId;
    const [own, other] = isGiven ? [row.productId, row.recommendedId] : [row.recommendedId, row.productId];
    const [ownShow, otherShow] = [shows.get(own), shows.get(other)];
    if (!ownShow || !otherShow) return [];
    const { id, firstDay, lastDay, isAtEnd, selection, createdAt } = row;
    const today = dayIn(ctx.now(), timeZone);
    const isPast = row.status === 'accepted' && isOver(row, today);
    const status = isPast ? 'ended' : row.status;
    const endedBecause = shownReason(isPast ? 'last_day' : row.endReason, isGiven);
    return [
      {
        ...{ id, isGiven, isSwap: row.swapId !== null, swapId: row.swapId, status, endedBecause },
        ...{ firstDay, lastDay, isAtEnd, selection, createdAt },
        hasFailed: status === 'accepted' && row.campaignId !== null && states.get(row.campaignId) === 'failed',
        isUpcoming: firstDay > today,
        endedDay: isPast ? lastDay : row.endedAt && dayIn(row.endedAt, timeZone),
        own: { id: ownShow.id, name: ownShow.name },
        other: otherShow,
        steps: stepsOf({ ...row, status }, creatorId),
        figures: figures(row),
      },
    ];
  });
  return { isOffered, items: views.toSorted((a, b) => rankOf(a) - rankOf(b)) };
}

const rankOf = ({ status, steps }: RecommendationView): number =>
  steps.includes('accept') ? 0 : status === 'requested' ? 1 : status === 'accepted' ? 2 : 3;

/** Without shows that were deleted since. */
async function showsOf({ db, urls }: Pick<Ctx, 'db' | 'urls'>, ids: number[]) {
  const rows = ids.length === 0 ? [] : await listProductsByIds({ db }, [...new Set(ids)]);
  return new Map(
    rows.map(({ product: { id, name, slug, coverKey }, creator }) => [
      id,
      {
        ...{ id, name, cover: coverUrls(coverKey), url: urls.product(creator.domain, slug) },
        creator: { id: creator.id, name: creator.name },
      },
    ]),
  );
}
