import { inArray, sum } from 'drizzle-orm';
import { recommendationDays } from '~/db/schema/recommendations';
import { impressionDays } from '~/db/schema/renditions';
import type { Ctx } from '../../runtime/ctx';
import type { RecommendationRow } from './queries';

/**
 * What a recommendation has brought since it was accepted. `plays`: of the promo, delivered whole. `visits`: by the link
 * on the recommending show's page; `follows` and `subscriptions` of those visitors.
 */
export type RecommendationFigures = { plays: number; visits: number; follows: number; subscriptions: number };

const NONE: RecommendationFigures = { plays: 0, visits: 0, follows: 0, subscriptions: 0 };

/** The figures of rows, by their ids. */
export async function figuresOf(
  { db }: Pick<Ctx, 'db'>,
  rows: Pick<RecommendationRow, 'id' | 'campaignId'>[],
): Promise<(row: Pick<RecommendationRow, 'id' | 'campaignId'>) => RecommendationFigures> {
  const campaigns = rows.flatMap(({ campaignId }) => campaignId ?? []);
  const [plays, days] = await Promise.all([
    campaigns.length === 0 ? [] : playsOfCampaigns({ db }, campaigns),
    rows.length === 0
      ? []
      : sumsOf(
          { db },
          rows.map(({ id }) => id),
        ),
  ]);
  const played = new Map(plays.map((row) => [row.id, Number(row.plays)]));
  const brought = new Map(days.map(({ id, ...sums }) => [id, sums]));
  return ({ id, campaignId }) => {
    const { visits = 0, follows = 0, subscriptions = 0 } = brought.get(id) ?? NONE;
    return {
      plays: played.get(campaignId ?? 0) ?? 0,
      visits: Number(visits),
      follows: Number(follows),
      subscriptions: Number(subscriptions),
    };
  };
}

const playsOfCampaigns = ({ db }: Pick<Ctx, 'db'>, ids: number[]) =>
  db
    .select({ id: impressionDays.campaignId, plays: sum(impressionDays.impressions) })
    .from(impressionDays)
    .where(inArray(impressionDays.campaignId, ids))
    .groupBy(impressionDays.campaignId);

const sumsOf = ({ db }: Pick<Ctx, 'db'>, ids: number[]) =>
  db
    .select({
      id: recommendationDays.recommendationId,
      visits: sum(recommendationDays.visits),
      follows: sum(recommendationDays.follows),
      subscriptions: sum(recommendationDays.subscriptions),
    })
    .from(recommendationDays)
    .where(inArray(recommendationDays.recommendationId, ids))
    .groupBy(recommendationDays.recommendationId);
