import { and, desc, eq, gte, lte, sql } from 'drizzle-orm';
import { listeningDays } from '~/db/schema/listening';
import { products } from '~/db/schema/products';
import { DAYS, earlier, utcDay } from '../../base/time';
import { PAGE_LIMITS } from '../../limits/paging';
import { whereProductVisible } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import type { Plays } from '../listening/queries';
import { releasesBetween } from './first-hours';

/** All days are UTC. */
export type HomePlays = {
  today: Plays;
  last7: Plays;
  last30: Plays;
  /** The 30 days before `last30`, for comparison. */
  before30: Plays;
  /** One row for each of the last 30 days, oldest first, with the names of the episodes that were released on it. */
  trend: ({ day: string; released: string[] } & Plays)[];
  products: ({ id: number; name: string } & Plays)[];
};

const MONTH = 30;
const WEEK = 7;

/** The creator's plays on one screen, read from the rollups (one row per product and day). */
export async function playsOfHome(ctx: Ctx, creatorId: number): Promise<HomePlays> {
  const now = ctx.now();
  const daysAgo = (days: number) => utcDay(earlier(now, DAYS(days)));
  const [perDay, perProduct, releases] = await Promise.all([
    playsPerDay(ctx, creatorId, daysAgo(2 * MONTH - 1), daysAgo(0)),
    playsPerProduct(ctx, creatorId, daysAgo(MONTH - 1)),
    releasesBetween(ctx, { creatorId }, { from: new Date(daysAgo(MONTH - 1)), to: now }),
  ]);
  const byDay = new Map(perDay.map((row) => [row.day, row]));
  const rowOf = (back: number) => byDay.get(daysAgo(back)) ?? { day: daysAgo(back), listens: 0, downloads: 0 };
  const recent = Array.from({ length: 2 * MONTH }, (_, i) => rowOf(2 * MONTH - 1 - i));
  const releasedOn = (day: string) => releases.filter(({ releasedAt }) => utcDay(releasedAt) === day);
  return {
    today: sumPlays(recent.slice(-1)),
    last7: sumPlays(recent.slice(-WEEK)),
    last30: sumPlays(recent.slice(-MONTH)),
    before30: sumPlays(recent.slice(0, MONTH)),
    trend: recent.slice(-MONTH).map((row) => ({ ...row, released: releasedOn(row.day).map(({ name }) => name) })),
    products: perProduct,
  };
}

const listens = sql<number>`coalesce(sum(${listeningDays.listens}), 0)::float8`;
const downloads = sql<number>`coalesce(sum(${listeningDays.downloads}), 0)::float8`;

function playsPerDay(ctx: Ctx, creatorId: number, from: string, to: string) {
  return ctx.db
    .select({ day: listeningDays.day, listens, downloads })
    .from(listeningDays)
    .where(and(eq(listeningDays.creatorId, creatorId), gte(listeningDays.day, from), lte(listeningDays.day, to)))
    .groupBy(listeningDays.day);
}

function playsPerProduct(ctx: Ctx, creatorId: number, from: string) {
  const ofProduct = and(
    eq(listeningDays.creatorId, products.creatorId),
    eq(listeningDays.productId, products.id),
    gte(listeningDays.day, from),
  );
  return ctx.db
    .select({ id: products.id, name: products.name, listens, downloads })
    .from(products)
    .leftJoin(listeningDays, ofProduct)
    .where(and(eq(products.creatorId, creatorId), whereProductVisible()))
    .groupBy(products.id)
    .orderBy(desc(sql`${listens} + ${downloads}`), desc(products.id))
    .limit(PAGE_LIMITS.maxSize);
}

const sumPlays = (rows: Plays[]): Plays => ({
  listens: rows.reduce((sum, row) => sum + row.listens, 0),
  downloads: rows.reduce((sum, row) => sum + row.downloads, 0),
});
