import { eq, sql } from 'drizzle-orm';
import { products } from '~/db/schema/products';
import { announceChange, type TxCtx } from '../../ctx';

/**
 * Raises a product's version and the time of its last change: at the commit, its cached pages and feeds become stale,
 * here and in podcast apps (the feed's Last-Modified).
 */
export async function markProductChanged(tx: TxCtx, productId: number): Promise<void> {
  await tx.db
    .update(products)
    .set({ version: sql`${products.version} + 1`, changedAt: tx.now() })
    .where(eq(products.id, productId));
  await announceChange(tx, `product:${productId}`);
}
