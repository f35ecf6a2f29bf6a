import { and, asc, eq, gt, isNull, lte, ne, or } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { featuredShows } from '~/db/schema/featured-shows';
import { products } from '~/db/schema/products';
import { FEATURED_LIMITS } from '../../limits/products';
import { whereDiscoverable } from '../../policy/visibility';
import { announceChange, type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { type Operator, recordOperation } from '../operators/record-operation';
import { featuredUntilPast, notFeatured, notForEveryone, tooManyFeatured } from './errors';
import { listRowsById, type ProductRecord } from './queries';

type By = { operator: Operator };
/** `until`: null until an operator removes it. */
export type Featuring = { id: number; position: number; until: Date | null };

/**
 * Recommends a show on the home page and on Discover, or changes its place and its end.
 * Recommendations that have ended make room for others.
 * @throws product.not_for_everyone unless all visitors may see the show, product.featured_until_past,
 * product.too_many_featured
 */
export async function featureShow(ctx: Ctx, { operator, id, position, until }: Featuring & By): Promise<void> {
  if (until && until <= ctx.now()) throw featuredUntilPast();
  await transact(ctx, async (tx) => {
    const isShown = and(eq(products.id, id), eq(products.explicit, false), whereDiscoverable());
    if ((await tx.db.$count(products, isShown)) === 0) throw notForEveryone();
    await tx.db.delete(featuredShows).where(lte(featuredShows.until, tx.now()));
    const others = await tx.db.$count(featuredShows, ne(featuredShows.productId, id));
    // one that operators can't see in their list can't be removed
    if (others >= FEATURED_LIMITS.listed) throw tooManyFeatured();
    const set = { position, until, featuredAt: tx.now(), featuredBy: operator.name };
    await tx.db
      .insert(featuredShows)
      .values({ productId: id, ...set })
      .onConflictDoUpdate({ target: featuredShows.productId, set });
    const details = { position, until: until?.toISOString() ?? null };
    await recordOperation(tx, operator, { action: 'featured.added', target: `show/${id}`, details });
    await announceFeatured(tx);
  });
}

/** @throws product.not_featured */
export function unfeatureShow(ctx: Ctx, { operator, id }: { id: number } & By): Promise<void> {
  return transact(ctx, async (tx) => {
    const removed = await tx.db
      .delete(featuredShows)
      .where(eq(featuredShows.productId, id))
      .returning({ id: featuredShows.productId });
    if (removed.length === 0) throw notFeatured();
    await recordOperation(tx, operator, { action: 'featured.removed', target: `show/${id}`, details: {} });
    await announceFeatured(tx);
  });
}

/** Every change also makes cached pages of Discover stale. */
const announceFeatured = (tx: TxCtx) => announceChange(tx, 'home');

/** The featured shows that all visitors may see now, in the operators' order. */
export async function listFeaturedShows(ctx: Pick<Ctx, 'db' | 'now'>): Promise<ProductRecord[]> {
  const { productId, position, featuredAt, until } = featuredShows;
  const rows = await ctx.db
    .select({ id: productId })
    .from(featuredShows)
    .where(or(isNull(until), gt(until, ctx.now())))
    .orderBy(asc(position), asc(featuredAt), asc(productId))
    .limit(FEATURED_LIMITS.listed);
  const ids = rows.map(({ id }) => id);
  const found = await listRowsById(ctx, ids, whereDiscoverable());
  const shown = new Map(found.filter(({ product }) => !product.explicit).map((row) => [row.product.id, row]));
  return ids.flatMap((id) => shown.get(id) ?? []).slice(0, FEATURED_LIMITS.shown);
}

export type FeaturedShow = Awaited<ReturnType<typeof featuredForOperators>>[number];

/** All featured shows, including those that visitors can't see at the moment, or not any more. */
export function featuredForOperators({ db }: Pick<Ctx, 'db'>) {
  const { productId: id, position, featuredAt, featuredBy, until } = featuredShows;
  return db
    .select({ id, position, featuredAt, featuredBy, until, name: products.name, creator: creators.domain })
    .from(featuredShows)
    .innerJoin(products, eq(products.id, id))
    .innerJoin(creators, eq(creators.id, products.creatorId))
    .orderBy(asc(position), asc(featuredAt), asc(id))
    .limit(FEATURED_LIMITS.listed);
}
