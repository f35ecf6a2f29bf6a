import { eq } from 'drizzle-orm';
import { products } from '~/db/schema/products';
import { authorize } from '../../policy/authorize';
import { syncShowSubscriptions } from '../../queue/jobs/billing';
import { reviewRecommendations } from '../../queue/jobs/recommendations';
import { type Ctx, transact } from '../../runtime/ctx';
import { markCreatorChanged } from '../creators/mark-creator-changed';
import { recordAbout } from '../team/activity';
import { hasBuyers, otherName, productNotFound } from './errors';
import { markProductChanged } from './mark-product-changed';
import { lockProduct } from './price-product';
import { findProductRecord } from './queries';
import { isSameName } from './rules';
import type { DeleteProduct } from './schema';
import { countPaying } from './subscribers';

/**
 * Retires a product: its page, feed and episodes disappear. The rows stay for the accounting. Of two concurrent calls,
 * the second one finds nothing. @throws product.not_found, product.other_name; product.has_buyers while paying
 * listeners have access
 */
export async function retireProduct(ctx: Ctx, { id, kind, confirmation }: DeleteProduct): Promise<void> {
  const { product } = await findProductRecord(ctx, id, kind);
  const own = authorize(ctx, 'product.delete', product);
  if (confirmation !== undefined && !isSameName(confirmation, own.name)) throw otherName();
  await transact(ctx, async (tx) => {
    if (!(await lockProduct(tx, own.id))) throw productNotFound();
    const { all } = await countPaying(tx, own.id);
    if (all > 0) throw hasBuyers({ count: all });
    await tx.db.update(products).set({ retiredAt: tx.now() }).where(eq(products.id, own.id));
    // overdue and paused subscriptions give no access, but could still be charged
    await tx.jobs.enqueue(syncShowSubscriptions, { productId: own.id });
    await tx.jobs.enqueue(reviewRecommendations, { productId: own.id });
    await recordAbout(tx, 'product.deleted', own);
    await markProductChanged(tx, own.id);
    await markCreatorChanged(tx, own.creatorId);
  });
}
