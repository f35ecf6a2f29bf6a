import { eq } from 'drizzle-orm';
import { products } from '~/db/schema/products';
import { type Ctx, transact } from '../../ctx';
import { authorize } from '../../policy/authorize';
import { markCreatorChanged } from '../creators/versions';
import { findProductRecord } from './queries';
import type { FindProduct } from './schema';
import { markProductChanged } from './versions';

/** Takes a product off the shelves: its page, feed and episodes are gone for everybody. The rows stay, for the money. */
export async function retireProduct(ctx: Ctx, { id, kind }: FindProduct): Promise<void> {
  const { product } = await findProductRecord(ctx, id, kind);
  const mine = authorize(ctx, 'product.manage', product);
  await transact(ctx, async (tx) => {
    await tx.db.update(products).set({ retiredAt: tx.now() }).where(eq(products.id, mine.id));
    await markProductChanged(tx, mine.id);
    await markCreatorChanged(tx, mine.creatorId);
  });
}
