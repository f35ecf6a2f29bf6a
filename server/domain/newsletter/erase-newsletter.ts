import { eq, inArray, or } from 'drizzle-orm';
import { automations } from '~/db/schema/automations';
import { creators } from '~/db/schema/creators';
import { editions, newsletterRecommendations, newsletters } from '~/db/schema/newsletter';
import { formerSendingDomains, sendingDomains } from '~/db/schema/sending-domains';
import { type Ctx, transact } from '../../runtime/ctx';
import { eraseReports } from './record-dmarc-report';

/** Deletes a creator's newsletter with its editions and automations, which ends what is being sent. Repeating it is harmless. */
export async function eraseNewsletter(ctx: Ctx, { userId }: { userId: number }): Promise<void> {
  const own = ctx.db.select({ id: creators.id }).from(creators).where(eq(creators.userId, userId));
  await transact(ctx, async (tx) => {
    await tx.db.delete(automations).where(inArray(automations.creatorId, own));
    await tx.db.delete(editions).where(inArray(editions.creatorId, own));
    const domains = await tx.db
      .delete(sendingDomains)
      .where(inArray(sendingDomains.creatorId, own))
      .returning({ domain: sendingDomains.domain, state: sendingDomains.state });
    await tx.db.delete(formerSendingDomains).where(inArray(formerSendingDomains.creatorId, own));
    await eraseReports(tx, domains);
    const isOfOwn = or(
      inArray(newsletterRecommendations.creatorId, own),
      inArray(newsletterRecommendations.recommendedId, own),
    );
    await tx.db.delete(newsletterRecommendations).where(isOfOwn);
    await tx.db.delete(newsletters).where(inArray(newsletters.creatorId, own));
  });
}
