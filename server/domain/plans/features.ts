import type { Feature } from '../../limits/plans';
import type { Ctx } from '../../runtime/ctx';
import { featureRequired } from './errors';
import { countPaidSubscribers, currentPlan } from './queries';
import { hasFeature, isWithin } from './rules';

/** Whether the creator's plan includes a feature, for screens that show or leave out what needs it. */
export async function includesFeature(
  ctx: Pick<Ctx, 'db' | 'now'>,
  creatorId: number,
  feature: Feature,
): Promise<boolean> {
  return hasFeature(await currentPlan(ctx, creatorId), feature);
}

/**
 * Every verb that a plan limits asks this after `authorize`: that the caller may do something is another question than
 * whether the creator's plan includes it. @throws plan.selling_required and so on, 403 with the code plan_required
 */
export async function requireFeature(ctx: Pick<Ctx, 'db' | 'now'>, creatorId: number, feature: Feature): Promise<void> {
  if (!(await includesFeature(ctx, creatorId, feature))) throw featureRequired(feature);
}

/**
 * Whether somebody new can subscribe to or buy a show of the creator: FREE sells nothing, and every plan has a number of
 * paying subscribers, of which `more` are added. Those that a creator has already stay, and their renewals are not asked about.
 */
export async function acceptsBuyers(ctx: Pick<Ctx, 'db' | 'now'>, creatorId: number, more = 1): Promise<boolean> {
  const plan = await currentPlan(ctx, creatorId);
  if (!hasFeature(plan, 'selling')) return false;
  const limit = plan.limits.paidSubscribers;
  return limit === null || isWithin((await countPaidSubscribers(ctx, creatorId)) + more, limit);
}
