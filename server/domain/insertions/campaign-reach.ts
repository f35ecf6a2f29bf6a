import { and, eq, gt, sql } from 'drizzle-orm';
import { listeningDays } from '~/db/schema/listening';
import { earlier, utcDay } from '../../base/time';
import { CAMPAIGN_LIMITS } from '../../limits/insertions';
import { authorize } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { findProductRecord } from '../products/queries';
import type { CampaignReach } from './schema';

/**
 * How many of a show's plays of the last 30 days came from these countries; without countries, all.
 * @throws product.not_found, common.role_not_allowed
 */
export async function estimateReach(
  ctx: Ctx,
  { productId, countries }: CampaignReach,
): Promise<{ reached: number; all: number }> {
  const { product } = await findProductRecord(ctx, productId);
  const { creatorId } = authorize(ctx, 'campaign.read', authorize(ctx, 'product.read', product));
  const { dimensions } = listeningDays;
  const rows = await ctx.db
    .select({
      country: sql<string>`each.key`,
      plays: sql<number>`sum(each.value::float8)`,
    })
    .from(sql`${listeningDays}, jsonb_each_text(${dimensions} -> 'country') as each`)
    .where(
      and(
        eq(listeningDays.creatorId, creatorId),
        eq(listeningDays.productId, productId),
        gt(listeningDays.day, utcDay(earlier(ctx.now(), CAMPAIGN_LIMITS.reach))),
      ),
    )
    .groupBy(sql`each.key`);
  const sum = (all: typeof rows) => all.reduce((total, { plays }) => total + plays, 0);
  const reached = countries.length === 0 ? rows : rows.filter(({ country }) => countries.includes(country));
  return { reached: sum(reached), all: sum(rows) };
}
