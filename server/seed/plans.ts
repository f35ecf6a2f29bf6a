import { and, eq } from 'drizzle-orm';
import { checkouts } from '~/db/schema/checkouts';
import { planCheckout, startPlan } from '../domain/billing/payers/start-plan';
import { choosePlan } from '../domain/plans/choose-plan';
import type { BuyablePlan } from '../limits/plans';
import { PLANS } from '../limits/plans';
import { requireCreator } from '../policy/actor';
import { type Ctx, transact } from '../runtime/ctx';
import type { Runtime } from '../runtime/runtime';
import { actAs } from './acting';
import { payOnce } from './checking-out';
import type { DemoPerson } from './demo-types';
import type { DemoPayments, PayPage } from './paying';

/** Subscribes creators to plans, on the payment page of the sandbox if there is one. */
export async function seedPlans(
  runtime: Runtime,
  cast: readonly DemoPerson[],
  payments: DemoPayments | null,
): Promise<void> {
  const pay = payments?.pay ?? null;
  for (const person of cast) {
    const payByCard = pay && ((url: string) => pay(url, person.broughtBy ? OTHER_CARD : undefined));
    if (person.plan) await ensurePlan(await actAs(runtime, person), person.plan, payByCard);
  }
}

/** A creator with the card of their affiliate would bring nothing. */
const OTHER_CARD = '5555555555554444';

async function ensurePlan(ctx: Ctx, plan: BuyablePlan, pay: PayPage | null): Promise<void> {
  const { creatorId, userId } = requireCreator(ctx);
  if (!pay) return void (await transact(ctx, (tx) => choosePlan(tx, { creatorId, plan, since: ctx.now() })));
  const open = () => startPlan(ctx, { plan, dueMinor: PLANS[plan].priceMinor ?? 0, payWith: 'page' });
  const isIt = and(eq(checkouts.userId, userId), eq(checkouts.purpose, 'plan'));
  await planCheckout(ctx, { id: await payOnce(ctx, { isIt, open, pay }) });
}
