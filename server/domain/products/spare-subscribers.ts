import { eq } from 'drizzle-orm';
import { products } from '~/db/schema/products';
import type { TxCtx } from '../../runtime/ctx';
import { markProductChanged } from './mark-product-changed';
import type { ProductRow } from './queries';

/** Stores the promise of a product (insertions/promise-no-insertions.ts), or takes it back. The row is locked. */
export async function spareSubscribers(tx: TxCtx, { id }: Pick<ProductRow, 'id'>, isPromised: boolean): Promise<void> {
  const insertionFreeSince = isPromised ? tx.now() : null;
  await tx.db.update(products).set({ insertionFreeSince, updatedAt: tx.now() }).where(eq(products.id, id));
  await markProductChanged(tx, id);
}
