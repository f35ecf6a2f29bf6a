import { and, eq, gte, inArray, isNotNull, type SQLWrapper, sql } from 'drizzle-orm';
import { downloads as downloadRows, episodeTotals, listeningDays } from '~/db/schema/listening';
import { DAYS, earlier, utcDay } from '../../base/time';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { findProductRecord } from '../products/queries';
import type { FindProduct } from '../products/schema';
import type { EpisodePlays, ShowPlays } from './schema';

/** Listens in the web player, and downloads. Statistics show them separately. */
export type Plays = { listens: number; downloads: number };

const FOUR_WEEKS = 28;

const sumOf = (column: SQLWrapper) => sql<number>`coalesce(sum(${column}), 0)::float8`;
const SUMS = { listens: sumOf(listeningDays.listens), downloads: sumOf(listeningDays.downloads) };

/** A show's plays of the last 28 days (UTC), from the rollups. @throws product.not_found, common.role_not_allowed */
export async function playsOfShow(ctx: Ctx, { id, kind }: FindProduct): Promise<Plays> {
  const { product } = await findProductRecord(ctx, id, kind);
  const { creatorId } = authorize(ctx, 'product.read', product);
  const [row] = await ctx.db
    .select(SUMS)
    .from(listeningDays)
    .where(whereRecent(ctx, creatorId, [id]));
  return row!;
}

/**
 * The plays of the last 28 days (UTC) of the creator's shows, by product id. Shows without plays and other creators'
 * shows are missing. @throws common.role_not_allowed
 */
export async function playsOfShows(ctx: Ctx, { productIds }: ShowPlays): Promise<({ id: number } & Plays)[]> {
  const { id: creatorId } = authorize(ctx, 'creator.readStatistics', currentCreator(ctx));
  if (productIds.length === 0) return [];
  const { productId: id } = listeningDays;
  return ctx.db
    .select({ id, ...SUMS })
    .from(listeningDays)
    .where(whereRecent(ctx, creatorId, productIds))
    .groupBy(id)
    .orderBy(id);
}

const whereRecent = ({ now }: Pick<Ctx, 'now'>, creatorId: number, productIds: number[]) =>
  and(
    eq(listeningDays.creatorId, creatorId),
    inArray(listeningDays.productId, productIds),
    gte(listeningDays.day, utcDay(earlier(now(), DAYS(FOUR_WEEKS - 1)))),
  );

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
