import { and, count, eq, gt, isNotNull, sql } from 'drizzle-orm';
import { downloads } from '~/db/schema/listening';
import { earlier } from '../../base/time';
import { CAMPAIGN_LIMITS } from '../../limits/insertions';
import { authorize } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { findProductRecord } from '../products/queries';
import type { CampaignReach } from './schema';

/**
 * How many of a show's downloads of the last 30 days came from these countries; without countries, all. Those of our
 * players count, too: clips play in them. @throws product.not_found, common.role_not_allowed
 */
export async function estimateReach(
  ctx: Ctx,
  { productId, countries }: CampaignReach,
): Promise<{ reached: number; all: number }> {
  const { product } = await findProductRecord(ctx, productId);
  authorize(ctx, 'campaign.read', authorize(ctx, 'product.read', product));
  const { firstAt, countedAt } = downloads;
  const country = sql<string>`coalesce(${downloads.country}, '')`;
  const begun = gt(firstAt, earlier(ctx.now(), CAMPAIGN_LIMITS.reach));
  const rows = await ctx.db
    .select({ country, downloads: count() })
    .from(downloads)
    .where(and(eq(downloads.productId, productId), begun, isNotNull(countedAt)))
    .groupBy(country);
  const sum = (all: typeof rows) => all.reduce((total, row) => total + row.downloads, 0);
  const reached = countries.length === 0 ? rows : rows.filter((row) => countries.includes(row.country));
  return { reached: sum(reached), all: sum(rows) };
}
