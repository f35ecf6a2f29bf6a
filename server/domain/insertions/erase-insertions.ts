import { eq, inArray } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { episodes } from '~/db/schema/episodes';
import { clips, insertionCampaigns, insertionPoints, insertionSlots, replacedPassages } from '~/db/schema/insertions';
import { products } from '~/db/schema/products';
import { servedRenditions } from '~/db/schema/renditions';
import { type Ctx, transact } from '../../runtime/ctx';

/**
 * Deletes the campaigns, clips, points and passages of a user whose account is deleted, before media/erase-objects.ts
 * deletes the files. Shows with buyers go on with their own audio. Repeating it is harmless.
 */
export async function eraseInsertions(ctx: Ctx, { userId }: { userId: number }): Promise<void> {
  await transact(ctx, async (tx) => {
    const { db } = tx;
    const own = db.select({ id: creators.id }).from(creators).where(eq(creators.userId, userId));
    const shows = db.select({ id: products.id }).from(products).where(inArray(products.creatorId, own));
    const parts = db.select({ id: episodes.id }).from(episodes).where(inArray(episodes.creatorId, own));
    await db.delete(replacedPassages).where(inArray(replacedPassages.creatorId, own));
    await db.delete(insertionCampaigns).where(inArray(insertionCampaigns.creatorId, own));
    await db.delete(clips).where(inArray(clips.creatorId, own));
    await db.delete(insertionPoints).where(inArray(insertionPoints.episodeId, parts));
    await db.delete(insertionSlots).where(inArray(insertionSlots.productId, shows));
    await db.delete(servedRenditions).where(inArray(servedRenditions.episodeId, parts));
  });
}
