import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { products } from '~/db/schema/products';
import type { TakeDown } from '~/db/values/take-downs';
import { whereProductVisible } from '../../policy/visibility';
import { syncShowSubscriptions } from '../../queue/jobs/billing';
import { reviewRecommendations } from '../../queue/jobs/recommendations';
import type { TxCtx } from '../../runtime/ctx';
import { markCreatorChanged } from '../creators/mark-creator-changed';
import { markProductChanged } from './mark-product-changed';
import type { ProductRow } from './queries';

/**
 * Withholds a show from everyone but its team, including paying listeners. Subscriptions end with their periods. Of two
 * concurrent calls, one finds nothing to do. @returns the show, if this call has taken it down
 */
export async function takeDownProduct(tx: TxCtx, id: number, takeDown: TakeDown): Promise<ProductRow | null> {
  const [done = null] = await takeDownWhere(tx, eq(products.id, id), takeDown);
  return done;
}

/** Takes down all shows of a creator that are not taken down yet. */
export function takeDownProductsOf(tx: TxCtx, creatorId: number, takeDown: TakeDown): Promise<ProductRow[]> {
  return takeDownWhere(tx, eq(products.creatorId, creatorId), takeDown);
}

async function takeDownWhere(tx: TxCtx, which: SQL, takeDown: TakeDown): Promise<ProductRow[]> {
  const done = await tx.db
    .update(products)
    .set({ takenDownAt: tx.now(), takeDown, updatedAt: tx.now() })
    .where(and(which, isNull(products.takenDownAt), whereProductVisible()))
    .returning();
  await syncChanged(tx, done);
  return done;
}

/** Subscriptions whose period has not ended continue. @returns the show, if this call has restored it */
export async function restoreProduct(tx: TxCtx, id: number): Promise<ProductRow | null> {
  const [done = null] = await restoreWhere(tx, eq(products.id, id));
  return done;
}

/** Restores the shows that were taken down together with their creator. */
export function restoreProductsOf(tx: TxCtx, creatorId: number): Promise<ProductRow[]> {
  const isWhole = sql`${products.takeDown} @> '{"isWhole": true}'`;
  return restoreWhere(tx, and(eq(products.creatorId, creatorId), isWhole) as SQL);
}

async function restoreWhere(tx: TxCtx, which: SQL): Promise<ProductRow[]> {
  const done = await tx.db
    .update(products)
    .set({ takenDownAt: null, takeDown: null, updatedAt: tx.now() })
    .where(and(which, isNotNull(products.takenDownAt)))
    .returning();
  await syncChanged(tx, done);
  return done;
}

async function syncChanged(tx: TxCtx, changed: ProductRow[]): Promise<void> {
  for (const { id } of changed) await markProductChanged(tx, id);
  await tx.jobs.enqueueAll(
    syncShowSubscriptions,
    changed.map(({ id }) => ({ productId: id })),
  );
  await tx.jobs.enqueueAll(
    reviewRecommendations,
    changed.map(({ id }) => ({ productId: id })),
  );
  if (changed[0]) await markCreatorChanged(tx, changed[0].creatorId);
}
