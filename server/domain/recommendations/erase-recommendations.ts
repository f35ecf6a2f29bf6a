import { eq, or } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { recommendationBlocks, recommendations } from '~/db/schema/recommendations';
import { type Ctx, transact } from '../../runtime/ctx';
import { closeRows } from './settle-rows';

/**
 * Ends the recommendations of a user whose account is deleted, and deletes them with all that they have brought: the other
 * side no longer plays the person's promo. Repeating it is harmless.
 */
export async function eraseRecommendations(ctx: Ctx, { userId }: { userId: number }): Promise<void> {
  const [creator] = await ctx.db.select({ id: creators.id }).from(creators).where(eq(creators.userId, userId));
  if (!creator) return;
  const { id } = creator;
  const isIts = or(eq(recommendations.creatorId, id), eq(recommendations.recommendedCreatorId, id));
  await transact(ctx, async (tx) => {
    const rows = await tx.db.select().from(recommendations).where(isIts).orderBy(recommendations.id);
    await closeRows(tx, rows, { from: 'accepted', to: 'ended' });
    await tx.db.delete(recommendations).where(isIts);
    const isBlock = or(eq(recommendationBlocks.creatorId, id), eq(recommendationBlocks.blockedId, id));
    await tx.db.delete(recommendationBlocks).where(isBlock);
  });
}
