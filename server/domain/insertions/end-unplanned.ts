import { and, eq, inArray, isNull, lte, ne, or } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { insertionCampaigns } from '~/db/schema/insertions';
import { creatorPlans } from '~/db/schema/plans';
import { CAMPAIGN_LIMITS } from '../../limits/insertions';
import { refreshServed } from '../../queue/jobs/insertions';
import { type Ctx, transact } from '../../runtime/ctx';
import { hasFeature, planInForce } from '../plans/rules';
import { localDay } from './queries';

/**
 * Ends the campaigns and fallbacks that would play although their creator's plan does not include insertions any more.
 * Scheduled ones end on their first day, so that they run if the creator has chosen a plan until then. Promos belong to
 * recommendations. Safe to repeat: a job of every half hour, because trials and cancelled plans end without an event.
 */
export async function endUnplanned(ctx: Ctx): Promise<void> {
  const now = ctx.now();
  const { id, productId, firstDay, isComplete, isActive, endedAt, deletedAt, kind } = insertionCampaigns;
  const wouldPlay = and(
    eq(isComplete, true),
    eq(isActive, true),
    isNull(endedAt),
    isNull(deletedAt),
    ne(kind, 'promo'),
    or(isNull(firstDay), lte(firstDay, localDay(now))),
  );
  const creatorsWith = await ctx.db
    .selectDistinct({
      ...{ creatorId: creators.id, claimedAt: creators.claimedAt, hasAccess: creators.insertionSpecialAccess },
      ...{ plan: creatorPlans.plan, endsAt: creatorPlans.endsAt },
    })
    .from(insertionCampaigns)
    .innerJoin(creators, eq(creators.id, insertionCampaigns.creatorId))
    .leftJoin(creatorPlans, eq(creatorPlans.creatorId, creators.id))
    .where(wouldPlay)
    .orderBy(creators.id);
  const without = creatorsWith.filter(
    (creator) => !creator.hasAccess && !hasFeature(planInForce(creator, now).plan, 'insertions'),
  );
  for (let at = 0; at < without.length; at += CAMPAIGN_LIMITS.creatorsAtOnce) {
    const ids = without.slice(at, at + CAMPAIGN_LIMITS.creatorsAtOnce).map(({ creatorId }) => creatorId);
    await transact(ctx, async (tx) => {
      const due = tx.db
        .select({ id })
        .from(insertionCampaigns)
        .innerJoin(creators, eq(creators.id, insertionCampaigns.creatorId))
        .where(and(wouldPlay, inArray(insertionCampaigns.creatorId, ids)));
      const ended = await tx.db
        .update(insertionCampaigns)
        .set({ endedAt: now, updatedAt: now })
        .where(inArray(id, due))
        .returning({ productId });
      const shows = [...new Set(ended.map((row) => row.productId))];
      await tx.jobs.enqueueAll(
        refreshServed,
        shows.map((show) => ({ productId: show })),
      );
    });
  }
}
