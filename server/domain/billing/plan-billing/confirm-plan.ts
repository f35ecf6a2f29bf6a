import { eq } from 'drizzle-orm';
import { checkouts } from '~/db/schema/checkouts';
import { AppError } from '../../../base/errors';
import { languagePrefix, PLANS_PATH } from '../../../base/public-paths';
import { DAYS, earlier } from '../../../base/time';
import { type BuyablePlan, PLAN_CHANGE_LIMITS, PLANS } from '../../../limits/plans';
import { requireUser } from '../../../policy/actor';
import { reportCheckout } from '../../../queue/catalog';
import { type Ctx, transact } from '../../../runtime/ctx';
import type { CheckoutRow } from '../base/queries';
import { planReference, type SubscriptionRow } from '../base/rules';
import { takeBack } from '../base/take-back-payment';
import { openCheckout } from '../checkout/checkouts';
import { syncSubscription } from '../subscriptions/subscriptions';

type Confirmation = { running: SubscriptionRow; plan: BuyablePlan; dueMinor: number };

/**
 * The payment page of an upgrade whose charge needs the card owner's confirmation: it takes the amount that was shown,
 * and the plan changes after the payment (docs/decisions/0193). @returns the page's URL
 */
export async function openConfirmation(ctx: Ctx, { running, plan, dueMinor }: Confirmation): Promise<string> {
  const { providerId, creatorId, currency } = running;
  const page = ctx.urls.app(languagePrefix(ctx.language) + PLANS_PATH);
  const { url } = await openCheckout(ctx, {
    purpose: 'plan',
    buyer: { userId: requireUser(ctx).userId },
    creatorId,
    terms: {
      name: `${ctx.settings.operator.name} ${PLANS[plan].name}`,
      priceMinor: dueMinor,
      currency,
      every: null,
      plan,
      planChange: { subscription: providerId, from: running.plan ?? 'BASIC', isApplied: false },
    },
    lifetime: PLAN_CHANGE_LIMITS.confirmation,
    paths: { success: page, cancel: `${page}?plan=${plan}` },
  });
  return url;
}

/**
 * Changes the plan for which a settled checkout has paid, without another charge. Repeating it changes nothing. A plan
 * that has ended meanwhile is not changed, and the payment is refunded.
 */
export async function applyPaidChange(
  ctx: Ctx,
  checkout: CheckoutRow,
  payment: string,
): Promise<'applied' | 'refunded'> {
  const { id, terms } = checkout;
  const { planChange, plan, currency } = terms;
  if (!planChange || !plan || planChange.isApplied) return 'applied';
  const price = { minor: PLANS[plan].priceMinor ?? 0, currency };
  // a repeated call must have the same parameters
  const paidAt = checkout.settledAt ?? checkout.createdAt;
  const reference = planReference(plan, paidAt);
  const change = { price, every: 'month', at: ctx.now(), isPaid: true, reference } as const;
  try {
    const { planSince = '' } = (await ctx.ports.payments.fetch.subscription(planChange.subscription)).reference;
    // a repetition after a day, which its key does not find any more, would undo a later change
    const isForgotten = paidAt < earlier(ctx.now(), DAYS(1));
    const isDone = planSince === reference.planSince || (isForgotten && planSince > reference.planSince);
    if (!isDone) await ctx.ports.payments.changeSubscription(planChange.subscription, change, `checkout/${id}/change`);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'payments.conflict')) throw error;
    await refuseChange(ctx, checkout, payment);
    return 'refunded';
  }
  await syncSubscription(ctx, planChange.subscription);
  const applied = { ...terms, planChange: { ...planChange, isApplied: true } };
  await ctx.db.update(checkouts).set({ terms: applied, updatedAt: ctx.now() }).where(eq(checkouts.id, id));
  return 'applied';
}

async function refuseChange(ctx: Ctx, checkout: CheckoutRow, payment: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const refused = { refusedFor: 'already_subscribed', updatedAt: tx.now() } as const;
    await tx.db.update(checkouts).set(refused).where(eq(checkouts.id, checkout.id));
    await tx.jobs.enqueue(reportCheckout, { checkoutId: checkout.id });
  });
  await takeBack(ctx, checkout, { payment });
}
