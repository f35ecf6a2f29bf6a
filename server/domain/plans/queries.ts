import { eq, sql } from 'drizzle-orm';
import { grants } from '~/db/schema/access';
import { creators } from '~/db/schema/creators';
import { listeningDays } from '~/db/schema/listening';
import { creatorPlans } from '~/db/schema/plans';
import { products } from '~/db/schema/products';
import type { Ctx } from '../../ctx';
import type { Plan } from '../../limits/plans';
import { whereLiveGrant, wherePaidGrant } from '../../policy/visibility';
import { utcMonth } from '../../time';
import { planInForce } from './rules';

/** The plan that counts for a creator now: the chosen one, PRO during the trial, otherwise FREE. */
export async function currentPlan(ctx: Pick<Ctx, 'db' | 'now'>, creatorId: number): Promise<Plan> {
  const [row] = await ctx.db
    .select({ plan: creatorPlans.plan, claimedAt: creators.claimedAt })
    .from(creators)
    .leftJoin(creatorPlans, eq(creatorPlans.creatorId, creators.id))
    .where(eq(creators.id, creatorId));
  return planInForce({ plan: row?.plan ?? null, claimedAt: row?.claimedAt ?? null }, ctx.now()).plan;
}

/** What a creator uses of a plan, as columns of a query with `creators`; zeros without a creator. */
export const planUsage = (now: Date) => ({
  plays: playsSince(`${utcMonth(now)}-01`),
  subscribers: holdersOf(sql`${whereLiveGrant(now.toISOString())}`),
  paidSubscribers: holdersOf(sql`${whereLiveGrant(now.toISOString())} and ${wherePaidGrant()}`),
});

/** Listens and downloads of the creator's shows since a day. */
const playsSince = (day: string) => sql<number>`(
  select coalesce(sum(${listeningDays.listens} + ${listeningDays.downloads}), 0)::int from ${listeningDays}
  where ${listeningDays.creatorId} = ${creators.id} and ${listeningDays.day} >= ${day})`;

/** How many people hold such a grant to any of the creator's shows. */
const holdersOf = (where: ReturnType<typeof sql>) => sql<number>`(
  select count(distinct ${grants.userId})::int from ${grants} inner join ${products} on ${products.id} = ${grants.productId}
  where ${products.creatorId} = ${creators.id} and ${where})`;
