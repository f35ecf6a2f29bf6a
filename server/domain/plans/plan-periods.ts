import { and, eq, gt, isNull, lt, or, sql } from 'drizzle-orm';
import { planPeriods } from '~/db/schema/plans';
import type { Plan, PlanCode } from '../../limits/plans';
import type { Ctx, TxCtx } from '../../runtime/ctx';
import { chosenPlan } from './queries';
import { planAtTime } from './rules';

/** The plan in force for a creator at a moment, such as that of a charge. */
export async function planAt(ctx: Pick<Ctx, 'db'>, creatorId: number, at: Date): Promise<Plan> {
  const { plan, startsAt, endsAt } = planPeriods;
  const [chosen, periods] = await Promise.all([
    chosenPlan(ctx, creatorId),
    ctx.db.select({ plan, startsAt, endsAt }).from(planPeriods).where(eq(planPeriods.creatorId, creatorId)),
  ]);
  return planAtTime(chosen, periods, at);
}

/** `startsAt`: when the subscription began, or changed to this plan. `endsAt`: its end, also a scheduled one. */
export type PaidPlan = {
  creatorId: number;
  subscription: string;
  plan: PlanCode;
  startsAt: Date;
  endsAt: Date | null;
};

/** Writes the period of the plan for which a subscription pays now. It ends the subscription's period before it. */
export async function keepPlanPeriod(tx: TxCtx, period: PaidPlan): Promise<void> {
  const { creatorId, subscription, startsAt } = period;
  const goesOn = or(isNull(planPeriods.endsAt), gt(planPeriods.endsAt, startsAt));
  await tx.db
    .update(planPeriods)
    .set({ endsAt: startsAt })
    .where(
      and(
        eq(planPeriods.creatorId, creatorId),
        eq(planPeriods.subscription, subscription),
        lt(planPeriods.startsAt, startsAt),
        goesOn,
      ),
    );
  await tx.db
    .insert(planPeriods)
    .values({ ...period, endsAt: period.endsAt && period.endsAt < startsAt ? startsAt : period.endsAt })
    .onConflictDoUpdate({
      target: [planPeriods.creatorId, planPeriods.startsAt],
      set: { plan: sql`excluded.plan`, endsAt: sql`excluded.ends_at`, subscription: sql`excluded.subscription` },
    });
}
