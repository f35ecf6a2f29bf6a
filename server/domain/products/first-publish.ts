import { and, eq, isNull } from 'drizzle-orm';
import { products } from '~/db/schema/products';
import { authorize } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { findProductRecord } from './queries';
import type { FindProduct } from './schema';

/**
 * The page about the first published episode of a show opens automatically once, for the first team member who comes;
 * afterwards it stays at its address. Visitors don't see it, so no cached page changes.
 * @returns whether it was seen for the first time
 */
export async function seeFirstPublish(ctx: Ctx, { id, kind }: FindProduct): Promise<boolean> {
  const { product } = await findProductRecord(ctx, id, kind);
  const own = authorize(ctx, 'product.manage', product);
  const seen = await ctx.db
    .update(products)
    .set({ firstPublishSeenAt: ctx.now() })
    .where(and(eq(products.id, own.id), isNull(products.firstPublishSeenAt)))
    .returning({ id: products.id });
  return seen.length > 0;
}
