import { eq } from 'drizzle-orm';
import { products } from '~/db/schema/products';
import { type Ctx, transact } from '../../ctx';
import { authorize } from '../../policy/authorize';
import { markCreatorChanged } from '../creators/versions';
import { recordAbout } from '../team/activity';
import { findProductRecord } from './queries';
import type { FindProduct } from './schema';
import { markProductChanged } from './versions';

/** Retires a product: nobody sees its page, feed and episodes any more. The rows stay for the accounting. */
export async function retireProduct(ctx: Ctx, { id, kind }: FindProduct): Promise<void> {
  const { product } = await findProductRecord(ctx, id, kind);
  const own = authorize(ctx, 'product.delete', product);
  await transact(ctx, async (tx) => {
    await tx.db.update(products).set({ retiredAt: tx.now() }).where(eq(products.id, own.id));
    await recordAbout(tx, 'product.deleted', own);
    await markProductChanged(tx, own.id);
    await markCreatorChanged(tx, own.creatorId);
  });
}
