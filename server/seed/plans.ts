import { type Ctx, transact } from '../ctx';
import { planCheckout, startPlan } from '../domain/billing/plan-starting';
import { choosePlan } from '../domain/plans/choosing';
import type { BuyablePlan } from '../limits/plans';
import { PLANS } from '../limits/plans';
import { requireCreator } from '../policy/actor';
import type { Runtime } from '../runtime';
import { actAs } from './acting';
import type { DemoPerson } from './demo-types';
import type { PayPage } from './paying';

/** The plans that creators pay for, on the payment page of the sandbox if there is one. */
export async function seedPlans(runtime: Runtime, cast: readonly DemoPerson[], pay: PayPage | null): Promise<void> {
  for (const person of cast) if (person.plan) await ensurePlan(await actAs(runtime, person), person.plan, pay);
}

async function ensurePlan(ctx: Ctx, plan: BuyablePlan, pay: PayPage | null): Promise<void> {
  const { creatorId } = requireCreator(ctx);
  if (!pay) return void (await transact(ctx, (tx) => choosePlan(tx, { creatorId, plan, since: ctx.now() })));
  const { url, checkout } = await startPlan(ctx, { plan, dueMinor: PLANS[plan].priceMinor ?? 0, payWith: 'page' });
  // null: an earlier start has paid
  if (!url || !checkout) return;
  await pay(url);
  await planCheckout(ctx, { id: checkout });
}
