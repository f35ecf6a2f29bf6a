import { and, lte, ne, sql } from 'drizzle-orm';
import { creatorPlans } from '~/db/schema/plans';
import type { PlanCode } from '../../limits/plans';
import { announceChange, type TxCtx } from '../../runtime/ctx';

/** `plan`: null for none any more, which is FREE. `since`: when the payment provider started or ended it. */
export type ChosenPlan = { creatorId: number; plan: PlanCode | null; since: Date };

/**
 * Gives a creator a plan, in the transaction that writes its subscription. Repeating it changes nothing, and neither does
 * what happened before the present plan began: a subscription that ended must not end its successor. The end of a
 * subscription leaves ULTRA in force, which is agreed by contract.
 * @returns whether the plan changed
 */
export async function choosePlan(tx: TxCtx, { creatorId, plan, since }: ChosenPlan): Promise<boolean> {
  const isOlder = lte(creatorPlans.since, sql`excluded.since`);
  const isOther = ne(creatorPlans.plan, sql`excluded.plan`);
  const isContract = plan === null ? ne(creatorPlans.plan, 'ULTRA') : undefined;
  const changed = await tx.db
    .insert(creatorPlans)
    .values({ creatorId, plan: plan ?? 'FREE', since })
    .onConflictDoUpdate({
      target: creatorPlans.creatorId,
      set: { plan: sql`excluded.plan`, since: sql`excluded.since` },
      setWhere: and(isOlder, isOther, isContract),
    })
    .returning({ plan: creatorPlans.plan });
  // public pages offer only what the plan allows to sell
  if (changed.length > 0) await announceChange(tx, `creator:${creatorId}`);
  return changed.length > 0;
}
