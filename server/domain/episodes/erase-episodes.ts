import { and, eq, inArray, not } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { wherePaidFor } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';

/**
 * Deletes the episodes of a user whose account is deleted, except episodes of shows with buyers. media/erase-objects.ts
 * deletes their objects; their listens stay as numbers. Repeating it is harmless.
 */
export async function eraseUnsoldEpisodes(ctx: Ctx, { userId }: { userId: number }): Promise<void> {
  const unsold = ctx.db
    .select({ id: products.id })
    .from(products)
    .innerJoin(creators, eq(creators.id, products.creatorId))
    .where(and(eq(creators.userId, userId), not(wherePaidFor(ctx.now()))));
  await ctx.db.delete(episodes).where(inArray(episodes.productId, unsold));
}
