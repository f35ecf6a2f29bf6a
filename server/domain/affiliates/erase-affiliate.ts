import { eq, inArray } from 'drizzle-orm';
import { affiliateDays, affiliateLinks, affiliateVisits } from '~/db/schema/affiliates';
import { creators } from '~/db/schema/creators';
import { type Ctx, transact } from '../../runtime/ctx';

/**
 * Call it when an affiliate's account is deleted: the links stop, and their names and figures are removed. Booked
 * shares stay in the ledger, like all money that the creator has earned. Repeating it is harmless.
 */
export async function eraseAffiliate(ctx: Ctx, { userId }: { userId: number }): Promise<void> {
  await transact(ctx, async ({ db }) => {
    const own = db
      .select({ id: affiliateLinks.id })
      .from(affiliateLinks)
      .innerJoin(creators, eq(creators.id, affiliateLinks.creatorId))
      .where(eq(creators.userId, userId));
    await db.delete(affiliateVisits).where(inArray(affiliateVisits.linkId, own));
    await db.delete(affiliateDays).where(inArray(affiliateDays.linkId, own));
    await db.update(affiliateLinks).set({ name: '', code: null }).where(inArray(affiliateLinks.id, own));
  });
}
