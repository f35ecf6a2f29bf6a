import { and, asc, desc, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { promos } from '~/db/schema/episode-parts';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { recommendationBlocks, recommendations } from '~/db/schema/recommendations';
import { may } from '../../policy/authorize';
import { isProductPublic, whereListed } from '../../policy/visibility';
import type { Ctx, TxCtx } from '../../runtime/ctx';
import type { ProductRow } from '../products/queries';
import { recommendationNotFound } from './errors';

export type RecommendationRow = typeof recommendations.$inferSelect;
type Db = Pick<Ctx, 'db'>;

export const isOpenRecommendation = (): SQL => inArray(recommendations.status, ['requested', 'accepted']);

/**
 * A recommendation between shows of the creator for whom the user works; of a swap both rows, and the one with the id
 * first. @throws recommendation.not_found
 */
export async function findOwnRows(ctx: Ctx, id: number): Promise<[RecommendationRow, ...RecommendationRow[]]> {
  const [found] = await ctx.db.select().from(recommendations).where(eq(recommendations.id, id));
  if (!found || !(isOf(ctx, found.creatorId) || isOf(ctx, found.recommendedCreatorId))) throw recommendationNotFound();
  if (found.swapId === null) return [found];
  const rows = await ctx.db
    .select()
    .from(recommendations)
    .where(eq(recommendations.swapId, found.swapId))
    .orderBy(asc(recommendations.id));
  return [found, ...rows.filter((row) => row.id !== id)];
}

const isOf = (ctx: Ctx, creatorId: number): boolean => may(ctx, 'product.read', { creatorId });

/** A show of a recommendation with the facts about its creator. */
export type Side = {
  product: ProductRow;
  creator: Pick<
    typeof creators.$inferSelect,
    'id' | 'name' | 'domain' | 'userId' | 'timeZone' | 'closedAt' | 'takenDownAt' | 'publishingStoppedAt'
  >;
};

const CREATOR = {
  id: creators.id,
  name: creators.name,
  domain: creators.domain,
  userId: creators.userId,
  timeZone: creators.timeZone,
  closedAt: creators.closedAt,
  takenDownAt: creators.takenDownAt,
  publishingStoppedAt: creators.publishingStoppedAt,
};

/** Locks shows in the order of their ids. */
export async function lockShows(tx: TxCtx, ids: number[]): Promise<ProductRow[]> {
  const which = inArray(products.id, ids);
  return tx.db.select().from(products).where(which).orderBy(asc(products.id)).for('no key update');
}

/**
 * The shows with these ids and their creators. Until the transaction ends, nobody archives, deletes or takes them down,
 * and the creators keep their pages. Products come before creators, each by id, as everywhere (docs/decisions/0177).
 */
export async function lockSides(tx: TxCtx, ids: number[]): Promise<Map<number, Side>> {
  const shows = await lockShows(tx, ids);
  const owners = await tx.db
    .select(CREATOR)
    .from(creators)
    .where(
      inArray(
        creators.id,
        shows.map(({ creatorId }) => creatorId),
      ),
    )
    .orderBy(asc(creators.id))
    .for('no key update');
  const ofShow = (product: ProductRow) => owners.find(({ id }) => id === product.creatorId)!;
  return new Map(shows.map((product) => [product.id, { product, creator: ofShow(product) }]));
}

/** Whether a show can take part on either side: all visitors may see it, and its creator may publish. */
export function canTakePart(side: Side | undefined): side is Side {
  if (!side) return false;
  const { closedAt, takenDownAt, publishingStoppedAt } = side.creator;
  return isProductPublic(side.product) && closedAt === null && takenDownAt === null && publishingStoppedAt === null;
}

/** The same in SQL, for queries with `creators`; whereProductPublic is the other half. */
export const whereMayPublish = (): SQL =>
  and(isNull(creators.closedAt), isNull(creators.takenDownAt), isNull(creators.publishingStoppedAt)) as SQL;

/** Whether one creator wants no requests of another one, or none at all. */
export async function isBlocked({ db }: Db, creatorId: number, byId: number): Promise<boolean> {
  const isIts = or(isNull(recommendationBlocks.blockedId), eq(recommendationBlocks.blockedId, creatorId));
  return (await db.$count(recommendationBlocks, and(eq(recommendationBlocks.creatorId, byId), isIts))) > 0;
}

/** A promo that visitors may know of: its episode is listed. */
export type ShowPromo = { episodeId: number; audioKey: string; audioBytes: number; durationMs: number };

/** The promo of a show's episode; without that, the newest promo of the show. Null if it has none. */
export async function lookupPromo(
  { db }: Db,
  { productId, episodeId }: { productId: number; episodeId: number | null },
): Promise<ShowPromo | null> {
  const [row] = await db
    .select({
      episodeId: promos.episodeId,
      audioKey: promos.audioKey,
      audioBytes: promos.audioBytes,
      durationMs: promos.durationMs,
    })
    .from(promos)
    .innerJoin(episodes, eq(episodes.id, promos.episodeId))
    .innerJoin(products, eq(products.id, episodes.productId))
    .where(and(eq(episodes.productId, productId), whereListed()))
    .orderBy(desc(sql`${promos.episodeId} = ${episodeId ?? 0}`), desc(promos.createdAt), desc(promos.episodeId))
    .limit(1);
  return row ?? null;
}
