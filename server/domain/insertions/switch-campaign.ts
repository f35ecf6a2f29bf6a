import { and, eq, isNull, ne } from 'drizzle-orm';
import { insertionCampaigns } from '~/db/schema/insertions';
import { authorize } from '../../policy/authorize';
import { refreshServed } from '../../queue/jobs/insertions';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { requireFeature } from '../plans/features';
import { recordActivity } from '../team/activity';
import type { ActivityAction } from '../team/kinds';
import { campaignEnded, campaignIncomplete, campaignNotFound } from './errors';
import { findCampaignRecord } from './queries';
import type { FindCampaign, SwitchCampaign } from './schema';

/**
 * Switches a campaign on or off. Repeating it changes nothing. A campaign that is off keeps its days.
 * @throws campaign.not_found, campaign.ended, campaign.incomplete, plan.insertions_required to switch it on
 */
export async function switchCampaign(ctx: Ctx, { id, isActive }: SwitchCampaign): Promise<void> {
  const own = await findOwn(ctx, id);
  if (isActive) await requireFeature(ctx, own.campaign.creatorId, 'insertions');
  if (own.campaign.endedAt) throw campaignEnded();
  if (!own.campaign.isComplete) throw campaignIncomplete();
  const isOther = and(ne(insertionCampaigns.isActive, isActive), isNull(insertionCampaigns.endedAt));
  await change(ctx, own, {
    set: { isActive },
    where: isOther,
    action: isActive ? 'campaign.switched_on' : 'campaign.switched_off',
  });
}

/** Ends a campaign for good. Repeating it changes nothing. @throws campaign.not_found */
export async function endCampaign(ctx: Ctx, { id }: FindCampaign): Promise<void> {
  const own = await findOwn(ctx, id);
  await change(ctx, own, {
    set: { endedAt: ctx.now() },
    where: isNull(insertionCampaigns.endedAt),
    action: 'campaign.ended',
  });
}

/** Deletes a campaign with its figures. @throws campaign.not_found */
export async function deleteCampaign(ctx: Ctx, { id }: FindCampaign): Promise<void> {
  const own = await findOwn(ctx, id);
  await change(ctx, own, { set: { deletedAt: ctx.now() }, where: undefined, action: 'campaign.deleted' });
}

type Own = Awaited<ReturnType<typeof findOwn>>;

async function findOwn(ctx: Ctx, id: number) {
  const found = await findCampaignRecord(ctx, id);
  const campaign = authorize(ctx, 'campaign.manage', found.campaign);
  if (campaign.kind === 'promo') throw campaignNotFound();
  return { ...found, campaign };
}

type Change = {
  set: Partial<typeof insertionCampaigns.$inferInsert>;
  where: ReturnType<typeof and>;
  action: ActivityAction;
};

async function change(ctx: Ctx, { campaign, product }: Own, { set, where, action }: Change): Promise<void> {
  const { id, creatorId, productId, name } = campaign;
  await transact(ctx, async (tx) => {
    const changed = await tx.db
      .update(insertionCampaigns)
      .set({ ...set, updatedAt: tx.now() })
      .where(and(eq(insertionCampaigns.id, id), isNull(insertionCampaigns.deletedAt), where))
      .returning({ id: insertionCampaigns.id });
    if (changed.length === 0) return;
    await tx.jobs.enqueue(refreshServed, { productId });
    await recordAction(tx, action, { id, creatorId, campaign: name, show: product.name });
  });
}

type About = { id: number; creatorId: number; campaign: string; show: string };

const recordAction = (tx: TxCtx, action: ActivityAction, { id, creatorId, campaign, show }: About) =>
  recordActivity(tx, { creatorId, action, subjectId: id, params: { campaign, name: show } });
