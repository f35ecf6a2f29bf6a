import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { products } from '~/db/schema/products';
import { recommendations } from '~/db/schema/recommendations';
import type { EndReason, RecommendationState } from '~/db/values/recommendations';
import type { TxCtx } from '../../runtime/ctx';
import { stopPromos } from '../insertions/play-promo';
import { markProductChanged } from '../products/mark-product-changed';
import { lockShows, type RecommendationRow } from './queries';
import { type RecommendationNews, tellOfRecommendation } from './tell-of-recommendation';

/** `because`: why each row ends, by its id. */
type Step = {
  from: 'requested' | 'accepted';
  to: Exclude<RecommendationState, 'requested' | 'accepted'>;
  because?: ReadonlyMap<number, EndReason>;
};
type Row = Pick<RecommendationRow, 'id' | 'productId' | 'recommendedId'>;

/**
 * Closes rows in one state. The promos of those that were accepted stop, and pages and feeds no longer name the shows.
 * @returns the rows that this call has closed
 */
export async function closeRows(tx: TxCtx, rows: readonly Row[], step: Step): Promise<RecommendationRow[]> {
  if (rows.length === 0) return [];
  const { from, to } = step;
  // products before recommendations, as those who accept lock them
  if (from === 'accepted')
    await lockShows(
      tx,
      rows.map(({ productId }) => productId),
    );
  const isIt = and(
    inArray(
      recommendations.id,
      rows.map(({ id }) => id),
    ),
    eq(recommendations.status, from),
  );
  const answer = from === 'requested' ? { answeredAt: tx.now() } : { endedAt: tx.now() };
  const closed = await tx.db
    .update(recommendations)
    .set({ status: to, ...answer, endReason: reasonOf(step), updatedAt: tx.now() })
    .where(isIt)
    .returning();
  await stopPromos(
    tx,
    closed.flatMap(({ campaignId }) => campaignId ?? []),
  );
  const shows = new Set(from === 'accepted' ? closed.map(({ productId }) => productId) : []);
  for (const id of [...shows].toSorted((a, b) => a - b)) await markProductChanged(tx, id);
  return closed;
}

function reasonOf({ because = new Map() }: Step): SQL | null {
  const cases = [...because].map(([id, reason]) => sql`when ${id}::bigint then ${reason}`);
  return cases.length === 0 ? null : sql`case ${recommendations.id} ${sql.join(cases, sql` `)} end`;
}

/** Why rows end that a creator ends. */
export const endedBy = (rows: readonly RecommendationRow[], creatorId: number): ReadonlyMap<number, EndReason> =>
  new Map(rows.map((row) => [row.id, row.creatorId === creatorId ? 'recommender' : 'recommended']));

/** The names of both shows and creators. */
export async function namesOf({ db }: TxCtx, { productId, recommendedId }: Row) {
  const rows = await db
    .select({
      product: { id: products.id, name: products.name },
      creator: { id: creators.id, name: creators.name, userId: creators.userId, closedAt: creators.closedAt },
    })
    .from(products)
    .innerJoin(creators, eq(creators.id, products.creatorId))
    .where(inArray(products.id, [productId, recommendedId]))
    .orderBy(asc(products.id));
  return rows;
}

/** The names of one's own show and the other one, for the activity log of a creator. */
export async function namesFor(tx: TxCtx, row: Row, creatorId: number): Promise<{ name: string; show: string }> {
  const rows = await namesOf(tx, row);
  const nameOf = (isOwn: boolean) => rows.find(({ creator }) => (creator.id === creatorId) === isOwn)?.product.name;
  return { name: nameOf(false) ?? '', show: nameOf(true) ?? '' };
}

/** Emails the other side of the creator who has done something. */
export async function tellOtherSide(tx: TxCtx, news: RecommendationNews, row: Row, byId: number): Promise<void> {
  const rows = await namesOf(tx, row);
  const by = rows.find(({ creator }) => creator.id === byId);
  const to = rows.find(({ creator }) => creator.id !== byId);
  if (by && to) await tellOfRecommendation(tx, news, { to: to.creator, by, show: to.product });
}
