import { and, lte, ne, sql } from 'drizzle-orm';
import { creatorPlans } from '~/db/schema/plans';
import type { PlanCode } from '../../limits/plans';
import { reviewRecommendations } from '../../queue/jobs/recommendations';
import { announceChange, type TxCtx } from '../../runtime/ctx';

/**
 * `plan`: null after the plan has ended, which means FREE. `since`: the time at which the payment provider started or
 * ended the plan. `endsAt`: when a cancelled plan will end.
 */
export type ChosenPlan = { creatorId: number; plan: PlanCode | null; since: Date; endsAt?: Date | null };

/**
 * Gives a creator a plan, in the transaction that writes its subscription. Repeating it changes nothing, and neither do
 * events before the current plan began: the end of a former subscription must not end its successor. The end of a
 * subscription leaves ULTRA in force, which is agreed by contract.
 * @returns whether the plan changed
 */
export async function choosePlan(tx: TxCtx, { creatorId, plan, since, endsAt = null }: ChosenPlan): Promise<boolean> {
  const isOlder = lte(creatorPlans.since, sql`excluded.since`);
  const isOther = sql`(${creatorPlans.plan}, ${creatorPlans.endsAt}) is distinct from (excluded.plan, excluded.ends_at)`;
  // a plan that continues keeps its start
  const first = sql`case when ${creatorPlans.plan} = excluded.plan then ${creatorPlans.since} else excluded.since end`;
  const isContract = plan === null ? ne(creatorPlans.plan, 'ULTRA') : undefined;
  const changed = await tx.db
    .insert(creatorPlans)
    .values({ creatorId, plan: plan ?? 'FREE', since, endsAt })
    .onConflictDoUpdate({
      target: creatorPlans.creatorId,
      set: { plan: sql`excluded.plan`, since: first, endsAt: sql`excluded.ends_at` },
      setWhere: and(isOlder, isOther, isContract),
    })
    .returning({ plan: creatorPlans.plan });
  // public pages offer only the sales that the plan allows
  if (changed.length > 0) await announceChange(tx, `creator:${creatorId}`);
  if (changed.length > 0) await tx.jobs.enqueue(reviewRecommendations, { creatorId });
  return changed.length > 0;
}
