import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { subscriptions } from '~/db/schema/billing';
import { PLANS } from '../../../limits/plans';
import { currentCreator } from '../../../policy/actor';
import { authorize } from '../../../policy/authorize';
import type { Ctx } from '../../../runtime/ctx';
import { countPlanUse, currentPlan } from '../../plans/queries';
import { type Loss, lossesOf } from '../../plans/rules';
import type { CancelPlan } from '../../plans/schema';
import { noPlan } from '../base/errors';
import { lookupPlanSubscription } from '../base/queries';
import type { SubscriptionRow } from '../base/rules';
import { syncSubscription } from '../subscriptions/subscriptions';

/** Features that end with the plan of the creator for whom the user works, and the date. @throws billing.no_plan */
export async function previewPlanEnd(ctx: Ctx): Promise<{ endsAt: Date; losses: Loss[] }> {
  const { creatorId, periodEnd, endsAt } = await findRunning(ctx);
  const losses = lossesOf(await currentPlan(ctx, creatorId), PLANS.FREE, {
    ...ctx.settings,
    use: await countPlanUse(ctx, creatorId),
  });
  return { endsAt: endsAt ?? periodEnd, losses };
}

/**
 * Ends the plan with the paid month; then FREE applies. Repeating it changes nothing. The provider does not store the
 * reason, so it is written before the call. @throws billing.no_plan
 */
export async function cancelPlan(ctx: Ctx, { reason }: CancelPlan): Promise<{ endsAt: Date }> {
  const { providerId, periodEnd, endsAt } = await findRunning(ctx);
  await ctx.db
    .update(subscriptions)
    .set({ endReason: 'subscriber', leavingReason: reason || null, updatedAt: ctx.now() })
    .where(eq(subscriptions.providerId, providerId));
  if (endsAt) return { endsAt };
  // a new key, because a cancellation may follow another that was called off
  await ctx.ports.payments.cancel(providerId, 'at_period_end', randomUUID());
  await syncSubscription(ctx, providerId);
  return { endsAt: periodEnd };
}

/** Calls a cancellation off. @throws billing.no_plan */
export async function renewPlan(ctx: Ctx): Promise<void> {
  const { providerId, endsAt } = await findRunning(ctx);
  if (endsAt === null) return;
  await ctx.ports.payments.resume(providerId, randomUUID());
  await syncSubscription(ctx, providerId);
}

async function findRunning(ctx: Ctx): Promise<SubscriptionRow> {
  const { id } = authorize(ctx, 'creator.managePlan', currentCreator(ctx));
  const running = await lookupPlanSubscription(ctx, id);
  if (!running) throw noPlan();
  return running;
}
