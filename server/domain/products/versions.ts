import { eq, sql } from 'drizzle-orm';
import { products } from '~/db/schema/products';
import { announceChange, type TxCtx } from '../../ctx';

/** Raises a product's version: its cached pages and feeds, here and in podcast apps, are stale from the commit on. */
export async function markProductChanged(tx: TxCtx, productId: number): Promise<void> {
  await tx.db
    .update(products)
    .set({ version: sql`${products.version} + 1`, changedAt: tx.now() })
    .where(eq(products.id, productId));
  await announceChange(tx, `product:${productId}`);
}
