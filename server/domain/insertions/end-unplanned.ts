import { and, eq, inArray, isNull, lte, ne, or, type SQL } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { insertionCampaigns } from '~/db/schema/insertions';
import { creatorPlans } from '~/db/schema/plans';
import { CAMPAIGN_LIMITS } from '../../limits/insertions';
import { refreshServed } from '../../queue/jobs/insertions';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { hasFeature, planInForce } from '../plans/rules';
import { localDay } from './queries';

/**
 * Ends the campaigns and fallbacks that would play although their creator's plan does not include insertions any more.
 * Scheduled ones end on their first day, so that they run if the creator has chosen a plan until then. Promos belong to
 * recommendations. Safe to repeat: a job of every half hour, because trials and cancelled plans end without an event.
 */
export async function endUnplanned(ctx: Ctx): Promise<void> {
  const rows = await ctx.db
    .selectDistinct({ creatorId: insertionCampaigns.creatorId })
    .from(insertionCampaigns)
    .innerJoin(creators, eq(creators.id, insertionCampaigns.creatorId))
    .where(wouldPlay(ctx.now()))
    .orderBy(insertionCampaigns.creatorId);
  const ids = rows.map(({ creatorId }) => creatorId);
  for (let at = 0; at < ids.length; at += CAMPAIGN_LIMITS.creatorsAtOnce) {
    const some = ids.slice(at, at + CAMPAIGN_LIMITS.creatorsAtOnce);
    const suspects = await unplannedOf(ctx, some);
    await ctx.reach('campaigns.unplanned');
    if (suspects.length > 0) await transact(ctx, (tx) => endOf(tx, suspects));
  }
}

/** In a query with `creators`. */
function wouldPlay(now: Date): SQL | undefined {
  const { firstDay, isComplete, isActive, endedAt, deletedAt, kind } = insertionCampaigns;
  const hasBegun = or(isNull(firstDay), lte(firstDay, localDay(now)));
  return and(eq(isComplete, true), eq(isActive, true), isNull(endedAt), isNull(deletedAt), ne(kind, 'promo'), hasBegun);
}

/** Those of the creators whose plan does not include insertions. */
async function unplannedOf({ db, now }: Pick<Ctx, 'db' | 'now'>, creatorIds: number[]): Promise<number[]> {
  const rows = await db
    .select({
      ...{ id: creators.id, claimedAt: creators.claimedAt, hasAccess: creators.insertionSpecialAccess },
      ...{ plan: creatorPlans.plan, endsAt: creatorPlans.endsAt },
    })
    .from(creators)
    .leftJoin(creatorPlans, eq(creatorPlans.creatorId, creators.id))
    .where(inArray(creators.id, creatorIds))
    .orderBy(creators.id);
  return rows
    .filter(({ hasAccess, ...chosen }) => !hasAccess && !hasFeature(planInForce(chosen, now()).plan, 'insertions'))
    .map(({ id }) => id);
}

/** A plan that is chosen meanwhile counts: its row is written before the locks are taken, or after this has ended. */
async function endOf(tx: TxCtx, suspects: number[]): Promise<void> {
  const { creatorId, id } = insertionCampaigns;
  const isOne = inArray(creators.id, suspects);
  await tx.db.select({ id: creators.id }).from(creators).where(isOne).orderBy(creators.id).for('update');
  const ofThem = inArray(creatorPlans.creatorId, suspects);
  await tx.db.select().from(creatorPlans).where(ofThem).orderBy(creatorPlans.creatorId).for('share');
  const unplanned = await unplannedOf(tx, suspects);
  if (unplanned.length === 0) return;
  const due = tx.db
    .select({ id })
    .from(insertionCampaigns)
    .innerJoin(creators, eq(creators.id, creatorId))
    .where(and(wouldPlay(tx.now()), inArray(creatorId, unplanned)));
  const ended = await tx.db
    .update(insertionCampaigns)
    .set({ endedAt: tx.now(), updatedAt: tx.now() })
    .where(inArray(id, due))
    .returning({ productId: insertionCampaigns.productId });
  const shows = [...new Set(ended.map(({ productId }) => productId))];
  await tx.jobs.enqueueAll(
    refreshServed,
    shows.map((productId) => ({ productId })),
  );
}
