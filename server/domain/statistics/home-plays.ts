import { and, desc, eq, sql } from 'drizzle-orm';
import { plainArray } from '~/db/driver/plain-array';
import { products } from '~/db/schema/products';
import { dayAfter, startOfDay, toWallClock } from '../../base/time';
import { PAGE_LIMITS } from '../../limits/paging';
import { whereProductVisible } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import type { Plays } from '../listening/queries';
import { releasesBetween } from './first-hours';
import { type LatestDays, playsOfDays } from './latest-days';
import { wholeOf } from './rules';

/** All days are those of the creator's time zone, as in statistics. */
export type HomePlays = {
  today: Plays;
  last7: Plays;
  last30: Plays;
  /** The 30 days before `last30`, for comparison. */
  before30: Plays;
  /** One row for each of the last 30 days, oldest first, with the names of the episodes that were released on it. */
  trend: ({ day: string; released: string[] } & Plays)[];
  products: { id: number; name: string; plays: number }[];
};

const WEEK = 7;

/** The creator's plays on one screen. @throws statistics.unavailable */
export async function playsOfHome(ctx: Ctx, creatorId: number, days: LatestDays): Promise<HomePlays> {
  const { from, to, zone } = days.period;
  const [perDay, perProduct, releases] = await Promise.all([
    playsOfDays(ctx, { creatorId }, days),
    playsPerProduct(ctx, creatorId, days),
    releasesBetween(ctx, { creatorId }, { from: startOfDay(from, zone), to: startOfDay(dayAfter(to, 1), zone) }),
  ]);
  const { recent, former } = perDay;
  const releasedOn = (day: string) =>
    releases.filter(({ releasedAt }) => toWallClock(releasedAt, zone).startsWith(day));
  return {
    today: sumPlays(recent.slice(-1)),
    last7: sumPlays(recent.slice(-WEEK)),
    last30: sumPlays(recent),
    before30: sumPlays(former),
    trend: recent.map((row) => ({ ...row, released: releasedOn(row.day).map(({ name }) => name) })),
    products: perProduct,
  };
}

/** The shows with most plays first. */
async function playsPerProduct(ctx: Ctx, creatorId: number, { period }: LatestDays) {
  const counted = await ctx.ports.statistics.sumShows(creatorId, [wholeOf(period)]);
  const plays = sql<number>`coalesce(counted.plays, 0)::float8`;
  return ctx.db
    .select({ id: products.id, name: products.name, plays })
    .from(products)
    .leftJoin(
      sql`unnest(${plainArray(counted.map(({ productId }) => productId))}::bigint[],
        ${plainArray(counted.map((show) => show.plays))}::bigint[]) as counted(product_id, plays)`,
      sql`counted.product_id = ${products.id}`,
    )
    .where(and(eq(products.creatorId, creatorId), whereProductVisible()))
    .orderBy(desc(plays), desc(products.id))
    .limit(PAGE_LIMITS.maxSize);
}

const sumPlays = (rows: Plays[]): Plays => ({
  listens: rows.reduce((sum, row) => sum + row.listens, 0),
  downloads: rows.reduce((sum, row) => sum + row.downloads, 0),
});
