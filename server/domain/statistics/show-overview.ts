import { and, eq, gte, sql } from 'drizzle-orm';
import { listeningDays } from '~/db/schema/listening';
import { DAYS, earlier, utcDay } from '../../base/time';
import { STATISTICS_LIMITS } from '../../limits/statistics';
import { authorize } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { findProductRecord } from '../products/queries';
import { type EpisodeFigures, figuresOf, latestReleases } from './first-hours';
import { firstDay } from './period-statistics';
import type { ShowOverviewInput } from './schema';

/** Plays of the last UTC days, today included, and how the episodes started. */
export type ShowOverview = {
  today: number;
  last7Days: number;
  last30Days: number;
  total: number;
  episodes: EpisodeFigures[];
};

/** A show's plays at a glance. @throws product.not_found, common.role_not_allowed */
export async function overviewOfShow(ctx: Ctx, { id, kind }: ShowOverviewInput): Promise<ShowOverview> {
  const { product } = await findProductRecord(ctx, id, kind);
  const { creatorId } = authorize(ctx, 'product.read', product);
  authorize(ctx, 'creator.readStatistics', { id: creatorId });
  const [sums, released, since] = await Promise.all([
    sumPlays(ctx, { creatorId, productId: id }),
    latestReleases(ctx, id, STATISTICS_LIMITS.sideBySide),
    firstDay(ctx, { creatorId, productId: id }),
  ]);
  return { ...sums, episodes: await figuresOf(ctx, released, { since }) };
}

async function sumPlays({ db, now }: Ctx, { creatorId, productId }: { creatorId: number; productId: number }) {
  const { day, listens, downloads } = listeningDays;
  const plays = sql`${listens} + ${downloads}`;
  const within = (days: number) =>
    sql<number>`coalesce(sum(${plays}) filter (where ${gte(day, utcDay(earlier(now(), DAYS(days - 1))))}), 0)::float8`;
  const [row] = await db
    .select({
      ...{ today: within(1), last7Days: within(7), last30Days: within(30) },
      total: sql<number>`coalesce(sum(${plays}), 0)::float8`,
    })
    .from(listeningDays)
    .where(and(eq(listeningDays.creatorId, creatorId), eq(listeningDays.productId, productId)));
  return row!;
}
