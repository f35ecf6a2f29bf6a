import { and, eq, inArray, notInArray } from 'drizzle-orm';
import { affiliateDays, affiliateLinks, affiliateShares, affiliateVisits, referrals } from '~/db/schema/affiliates';
import { creators } from '~/db/schema/creators';
import { type Ctx, transact } from '../../runtime/ctx';

/**
 * Call it when an account is deleted: its links stop, and their names and figures are removed. Their codes stay taken, so
 * that nobody gets what published links and cookies still bring. Which link brought the account is forgotten, unless
 * shares were booked for it. Booked shares stay in the ledger, like all money that a creator has earned. Repeating it is
 * harmless.
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
    await db.update(affiliateLinks).set({ name: '' }).where(inArray(affiliateLinks.id, own));
    const shared = db.select({ id: affiliateShares.referralId }).from(affiliateShares);
    const came = eq(referrals.userId, userId);
    await db.delete(referrals).where(and(came, notInArray(referrals.id, shared)));
    await db.update(referrals).set({ refusedFor: null }).where(came);
  });
}
