import type { Ctx } from '../../ctx';
import type { Feature } from '../../limits/plans';
import { featureRequired } from './errors';
import { currentPlan } from './queries';
import { hasFeature } from './rules';

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
