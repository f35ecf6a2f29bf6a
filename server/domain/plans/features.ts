import { and, eq } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import type { Feature } from '../../limits/plans';
import type { Ctx } from '../../runtime/ctx';
import { featureRequired } from './errors';
import { countPaidSubscribers, currentPlan } from './queries';
import { hasFeature } from './rules';

/** Whether the creator's plan includes a feature, for screens that hide what the plan lacks. */
export async function includesFeature(
  ctx: Pick<Ctx, 'db' | 'now'>,
  creatorId: number,
  feature: Feature,
): Promise<boolean> {
  if (hasFeature(await currentPlan(ctx, creatorId), feature)) return true;
  return feature === 'insertions' && hasInsertionAccess(ctx, creatorId);
}

/** Operators can open audio insertions for a creator, whatever the plan includes (console/open-insertions.ts). */
async function hasInsertionAccess({ db }: Pick<Ctx, 'db'>, creatorId: number): Promise<boolean> {
  return (await db.$count(creators, and(eq(creators.id, creatorId), creators.insertionSpecialAccess))) > 0;
}

/**
 * Every function that a plan limits calls this after `authorize`: the caller's permission and the creator's plan are
 * separate questions. @throws plan.selling_required and so on, 403 with the code plan_required
 */
export async function requireFeature(ctx: Pick<Ctx, 'db' | 'now'>, creatorId: number, feature: Feature): Promise<void> {
  if (!(await includesFeature(ctx, creatorId, feature))) throw featureRequired(feature);
}

/**
 * Whether `more` new people can subscribe to or buy a show of the creator: FREE sells nothing, and every plan limits
 * the number of paying subscribers. Existing subscribers stay, and their renewals are not checked.
 */
export async function acceptsBuyers(ctx: Pick<Ctx, 'db' | 'now'>, creatorId: number, more = 1): Promise<boolean> {
  const room = await roomForBuyers(ctx, creatorId);
  return room !== null && room >= more;
}

/**
 * Whether new people can pay for a show of the creator now: the installation takes payments, and the plan has room.
 * People whom the creator invites pay nothing, so `acceptsBuyers` alone decides about them.
 */
export async function sellsNow(ctx: Pick<Ctx, 'db' | 'now' | 'settings'>, creatorId: number): Promise<boolean> {
  return ctx.settings.takesPayments && acceptsBuyers(ctx, creatorId);
}

/** How many more people can subscribe to or buy a show of the creator, `Infinity` without a limit; null on FREE. */
export async function roomForBuyers(ctx: Pick<Ctx, 'db' | 'now'>, creatorId: number): Promise<number | null> {
  const plan = await currentPlan(ctx, creatorId);
  if (!hasFeature(plan, 'selling')) return null;
  const limit = plan.limits.paidSubscribers;
  return limit === null ? Number.POSITIVE_INFINITY : limit - (await countPaidSubscribers(ctx, creatorId));
}
