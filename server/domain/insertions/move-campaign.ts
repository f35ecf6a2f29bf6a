import { and, eq, isNull, sql } from 'drizzle-orm';
import { insertionCampaigns } from '~/db/schema/insertions';
import { authorize } from '../../policy/authorize';
import { refreshServed } from '../../queue/jobs/insertions';
import { type Ctx, transact } from '../../runtime/ctx';
import { lockProduct } from '../products/price-product';
import { recordActivity } from '../team/activity';
import { campaignNotFound } from './errors';
import { findCampaignRecord } from './queries';
import { movedOrder } from './rules';
import type { MoveCampaign } from './schema';

/**
 * Moves a campaign up or down among those of its kind and show: where several meet, the first one plays. At the end of
 * the list nothing changes. @throws campaign.not_found
 */
export async function moveCampaign(ctx: Ctx, { id, direction }: MoveCampaign): Promise<void> {
  const { campaign, product } = await findCampaignRecord(ctx, id);
  const { productId, creatorId, kind, name } = authorize(ctx, 'campaign.manage', campaign);
  if (kind === 'promo') throw campaignNotFound();
  await transact(ctx, async (tx) => {
    // two moves at once would both begin with the same order
    if (!(await lockProduct(tx, productId))) throw campaignNotFound();
    const isListed = and(
      eq(insertionCampaigns.productId, productId),
      eq(insertionCampaigns.kind, kind),
      isNull(insertionCampaigns.deletedAt),
    );
    const rows = await tx.db
      .select({ id: insertionCampaigns.id, rank: insertionCampaigns.rank })
      .from(insertionCampaigns)
      .where(isListed)
      .orderBy(insertionCampaigns.rank, insertionCampaigns.id);
    const ids = rows.map((row) => row.id);
    const order = movedOrder(ids, id, direction);
    if (!order) return;
    const place = sql`array_position(${sql`array[${sql.join(order, sql`, `)}]::bigint[]`}, ${insertionCampaigns.id})`;
    await tx.db
      .update(insertionCampaigns)
      .set({ rank: sql`${place}`, updatedAt: tx.now() })
      .where(isListed);
    await tx.jobs.enqueue(refreshServed, { productId });
    const params = { campaign: name, name: product.name };
    await recordActivity(tx, { creatorId, action: 'campaign.moved', subjectId: id, params });
  });
}
