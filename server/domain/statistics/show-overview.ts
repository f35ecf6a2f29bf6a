import { and, eq, sql } from 'drizzle-orm';
import { listeningDays } from '~/db/schema/listening';
import { STATISTICS_LIMITS } from '../../limits/statistics';
import { authorize } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import type { Plays } from '../listening/queries';
import { findProductRecord } from '../products/queries';
import { type EpisodeFigures, figuresOf, latestReleases } from './first-hours';
import { latestDays, playsOfDays } from './latest-days';
import { firstDay } from './period-statistics';
import type { ShowOverviewInput } from './schema';

/** Plays of the last days of the creator's time zone, today included, and how the episodes started. */
export type ShowOverview = {
  today: number;
  last7Days: number;
  last30Days: number;
  total: number;
  episodes: EpisodeFigures[];
};

const WEEK = 7;

/** A show's plays at a glance. @throws product.not_found, common.role_not_allowed, statistics.unavailable */
export async function overviewOfShow(ctx: Ctx, { id, kind }: ShowOverviewInput): Promise<ShowOverview> {
  const { product } = await findProductRecord(ctx, id, kind);
  const { creatorId } = authorize(ctx, 'product.read', product);
  authorize(ctx, 'creator.readStatistics', { id: creatorId });
  const scope = { creatorId, productId: id };
  const [{ recent }, total, released, since] = await Promise.all([
    latestDays(ctx, creatorId).then((days) => playsOfDays(ctx, scope, days)),
    sumAll(ctx, scope),
    latestReleases(ctx, id, STATISTICS_LIMITS.sideBySide),
    firstDay(ctx, scope),
  ]);
  return {
    ...{ today: sumOf(recent.slice(-1)), last7Days: sumOf(recent.slice(-WEEK)), last30Days: sumOf(recent), total },
    episodes: await figuresOf(ctx, released, { since }),
  };
}

const sumOf = (days: Plays[]): number => days.reduce((sum, { listens, downloads }) => sum + listens + downloads, 0);

async function sumAll(
  { db }: Ctx,
  { creatorId, productId }: { creatorId: number; productId: number },
): Promise<number> {
  const { listens, downloads } = listeningDays;
  const [row] = await db
    .select({ total: sql<number>`coalesce(sum(${listens} + ${downloads}), 0)::float8` })
    .from(listeningDays)
    .where(and(eq(listeningDays.creatorId, creatorId), eq(listeningDays.productId, productId)));
  return row!.total;
}
