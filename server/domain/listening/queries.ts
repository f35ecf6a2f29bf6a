import { and, desc, eq, gte, inArray, isNotNull, lte, sql } from 'drizzle-orm';
import { downloads as downloadRows, episodeTotals, listeningDays } from '~/db/schema/listening';
import { products } from '~/db/schema/products';
import { DAYS, earlier, utcDay } from '../../base/time';
import { PAGE_LIMITS } from '../../limits/paging';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { whereProductVisible } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import { findProductRecord } from '../products/queries';
import type { FindProduct } from '../products/schema';
import type { EpisodePlays } from './schema';

/** Listens in the web player, and downloads. Statistics show them separately. */
export type Plays = { listens: number; downloads: number };

export type Overview = {
  today: Plays;
  last7: Plays;
  last30: Plays;
  /** The 30 days before `last30`, for comparison. */
  before30: Plays;
  /** One row for each of the last 30 UTC days, oldest first. */
  trend: ({ day: string } & Plays)[];
  products: ({ id: number; name: string } & Plays)[];
};

const MONTH = 30;
const WEEK = 7;
const FOUR_WEEKS = 28;

/** The creator's plays on one screen, read from the rollups (one row per product and day). */
export async function listeningOverview(ctx: Ctx): Promise<Overview> {
  const { id: creatorId } = authorize(ctx, 'creator.readStatistics', currentCreator(ctx));
  const now = ctx.now();
  const daysAgo = (days: number) => utcDay(earlier(now, DAYS(days)));
  const [perDay, perProduct] = await Promise.all([
    playsPerDay(ctx, creatorId, daysAgo(2 * MONTH - 1), daysAgo(0)),
    playsPerProduct(ctx, creatorId, daysAgo(MONTH - 1)),
  ]);
  const byDay = new Map(perDay.map((row) => [row.day, row]));
  const rowOf = (back: number) => byDay.get(daysAgo(back)) ?? { day: daysAgo(back), listens: 0, downloads: 0 };
  const recent = Array.from({ length: 2 * MONTH }, (_, i) => rowOf(2 * MONTH - 1 - i));
  return {
    today: sumPlays(recent.slice(-1)),
    last7: sumPlays(recent.slice(-WEEK)),
    last30: sumPlays(recent.slice(-MONTH)),
    before30: sumPlays(recent.slice(0, MONTH)),
    trend: recent.slice(-MONTH),
    products: perProduct,
  };
}

/** A show's plays of the last 28 days (UTC), from the rollups. @throws product.not_found, common.role_not_allowed */
export async function playsOfShow(ctx: Ctx, { id, kind }: FindProduct): Promise<Plays> {
  const { product } = await findProductRecord(ctx, id, kind);
  const { creatorId } = authorize(ctx, 'product.read', product);
  const since = utcDay(earlier(ctx.now(), DAYS(FOUR_WEEKS - 1)));
  const [row] = await ctx.db
    .select({ listens, downloads })
    .from(listeningDays)
    .where(and(eq(listeningDays.creatorId, creatorId), eq(listeningDays.productId, id), gte(listeningDays.day, since)));
  return row!;
}

/**
 * All plays of the creator's episodes, by episode id. Episodes without plays and other creators' episodes are missing.
 */
export async function playsOfEpisodes(ctx: Ctx, { episodeIds }: EpisodePlays): Promise<({ id: number } & Plays)[]> {
  const { id: creatorId } = authorize(ctx, 'creator.readStatistics', currentCreator(ctx));
  if (episodeIds.length === 0) return [];
  const { episodeId: id, listens, downloads } = episodeTotals;
  return ctx.db
    .select({ id, listens, downloads })
    .from(episodeTotals)
    .where(and(eq(episodeTotals.creatorId, creatorId), inArray(id, episodeIds)));
}

/** The number of downloads of a show since that day, and how many of them came by the redirect of its former host. */
export async function downloadsSince(
  { db }: Pick<Ctx, 'db'>,
  { creatorId, productId }: { creatorId: number; productId: number },
  since: string,
): Promise<{ all: number; fromOldFeed: number }> {
  const [found] = await db
    .select({
      all: sql<number>`count(*)::int`,
      fromOldFeed: sql<number>`(count(*) filter (where ${downloadRows.isFromOldFeed}))::int`,
    })
    .from(downloadRows)
    .where(
      and(
        eq(downloadRows.creatorId, creatorId),
        eq(downloadRows.productId, productId),
        gte(downloadRows.day, since),
        isNotNull(downloadRows.countedIn),
      ),
    );
  return found ?? { all: 0, fromOldFeed: 0 };
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

function sumPlays(rows: Plays[]): Plays {
  return rows.reduce((sum, row) => ({ listens: sum.listens + row.listens, downloads: sum.downloads + row.downloads }), {
    listens: 0,
    downloads: 0,
  });
}
