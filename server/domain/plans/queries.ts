import { and, eq, gte, lt, sql } from 'drizzle-orm';
import { contacts } from '~/db/schema/audience';
import { automationEmails } from '~/db/schema/automations';
import { creators } from '~/db/schema/creators';
import { episodes } from '~/db/schema/episodes';
import { listeningDays } from '~/db/schema/listening';
import { editions } from '~/db/schema/newsletter';
import { creatorPlans } from '~/db/schema/plans';
import { products } from '~/db/schema/products';
import { monthBounds, utcMonth } from '../../base/time';
import type { Plan } from '../../limits/plans';
import { countLive } from '../../policy/holder-counts';
import { whereHasPlace, whereProductVisible } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import { type Chosen, type PlanUse, planInForce } from './rules';

/** The plan in force for a creator now: the chosen one, PRO during the trial, otherwise FREE. */
export async function currentPlan(ctx: Pick<Ctx, 'db' | 'now'>, creatorId: number): Promise<Plan> {
  return planInForce(await chosenPlan(ctx, creatorId), ctx.now()).plan;
}

/** The creator's chosen plan, if any, and the start of the trial. */
export async function chosenPlan(ctx: Pick<Ctx, 'db'>, creatorId: number): Promise<Chosen> {
  const [row] = await ctx.db
    .select({ plan: creatorPlans.plan, endsAt: creatorPlans.endsAt, claimedAt: creators.claimedAt })
    .from(creators)
    .leftJoin(creatorPlans, HAS_PLAN)
    .where(eq(creators.id, creatorId));
  return row ?? { plan: null, endsAt: null, claimedAt: null };
}

/** A creator's usage of a plan, as columns of a query with `creators`; zeros without a creator. */
export const planUsage = (now: Date) => ({
  plays: playsSince(`${utcMonth(now)}-01`),
  subscribers: countLive({ creatorId: creators.id, isPaid: false }, now),
  paidSubscribers: countLive({ creatorId: creators.id, isPaid: true }, now),
});

/** Listens and downloads of the creator's shows since a day. */
const playsSince = (day: string) => sql<number>`(
  select coalesce(sum(${listeningDays.listens} + ${listeningDays.downloads}), 0)::float8 from ${listeningDays}
  where ${listeningDays.creatorId} = ${creators.id} and ${listeningDays.day} >= ${day})`;

/** The number of people with paid access to any of the creator's shows. */
export async function countPaidSubscribers(ctx: Pick<Ctx, 'db' | 'now'>, creatorId: number): Promise<number> {
  const { paidSubscribers } = planUsage(ctx.now());
  const [row] = await ctx.db
    .select({ paidSubscribers })
    .from(creators)
    .leftJoin(creatorPlans, HAS_PLAN)
    .where(eq(creators.id, creatorId));
  return row?.paidSubscribers ?? 0;
}

/** A creator's usage of every counted limit, as the plans page shows it. */
export async function countPlanUse(ctx: Pick<Ctx, 'db' | 'now'>, creatorId: number): Promise<PlanUse> {
  const ownProducts = sql`from ${products} where ${products.creatorId} = ${creators.id} and ${whereProductVisible()}`;
  const ownContacts = sql`from ${contacts} where ${contacts.creatorId} = ${creators.id}`;
  const [row] = await ctx.db
    .select({
      ...planUsage(ctx.now()),
      freeProducts: counted(sql`${ownProducts} and ${products.priceMinor} is null`),
      paidProducts: counted(sql`${ownProducts} and ${products.priceMinor} is not null`),
      freeEpisodes: counted(sql`from ${episodes} inner join ${products} on ${products.id} = ${episodes.productId}
        where ${episodes.creatorId} = ${creators.id} and ${products.priceMinor} is null
        and ${whereProductVisible()} and ${whereHasPlace()}`),
      contacts: counted(sql`${ownContacts} and ${contacts.status} = 'active'`),
    })
    .from(creators)
    .leftJoin(creatorPlans, HAS_PLAN)
    .where(eq(creators.id, creatorId));
  return row ?? NO_USE;
}

/** The emails of a creator in the UTC month of a moment: of the editions that were started, and those of automations. */
export async function countEmails({ db }: Pick<Ctx, 'db'>, creatorId: number, at: Date): Promise<number> {
  const month = utcMonth(at);
  const [from, until] = monthBounds(month);
  const isThen = and(eq(automationEmails.creatorId, creatorId), eq(automationEmails.month, `${month}-01`));
  const automatic = db.select({ emails: automationEmails.emails }).from(automationEmails).where(isThen);
  const [row] = await db
    .select({
      emails: sql<number>`(coalesce(sum(${editions.recipients}), 0) + coalesce(${automatic}, 0))::float8`,
    })
    .from(editions)
    .where(and(eq(editions.creatorId, creatorId), gte(editions.startedAt, from), lt(editions.startedAt, until)));
  return row?.emails ?? 0;
}

/** Also makes Drizzle name the table of each column, which the subqueries need. */
const HAS_PLAN = eq(creatorPlans.creatorId, creators.id);

const counted = (from: ReturnType<typeof sql>) => sql<number>`(select count(*)::int ${from})`;

const NO_USE: PlanUse = {
  plays: 0,
  subscribers: 0,
  paidSubscribers: 0,
  freeProducts: 0,
  paidProducts: 0,
  freeEpisodes: 0,
  contacts: 0,
};
