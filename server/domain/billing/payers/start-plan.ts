import { PLANS_PATH } from '../../../base/account-paths';
import { AppError } from '../../../base/errors';
import type { Currency } from '../../../base/money';
import { languagePrefix } from '../../../base/public-paths';
import { type BuyablePlan, PLANS, type PlanCode } from '../../../limits/plans';
import { currentCreator, requireUser } from '../../../policy/actor';
import { authorize } from '../../../policy/authorize';
import type { Ctx } from '../../../runtime/ctx';
import type { PlanCheckout, StartPlan } from '../../plans/schema';
import { amountChanged, checkoutNotFound, noSavedCard } from '../base/errors';
import { type CheckoutRow, lookupCheckout, lookupPlanSubscription } from '../base/queries';
import { type CheckoutItem, openCheckout } from '../checkout/checkouts';
import { amountsOfStart, priceOf, requireOffered, withPlanClaim } from '../plan-billing/change-plan';
import { lookupCardRow } from '../plan-billing/plan-overview';
import { syncCheckout } from '../provider-sync/sync-checkout';
import { syncSubscription } from '../subscriptions/subscriptions';

/** `url`: the payment page; null if the saved card has been charged. `checkout`: for `planCheckout`. */
export type StartedPlan = { plan: BuyablePlan; url: string | null; checkout: string | null };

/**
 * Subscribes the creator to a plan, with the owner's saved card, or on the payment page if there is no card or the bank
 * requires a confirmation. If the plan runs already, it changes nothing. @throws billing.amount_changed,
 * billing.plan_not_offered, billing.change_running, billing.no_saved_card, the errors of the payments port
 */
export async function startPlan(ctx: Ctx, { plan, dueMinor, payWith }: StartPlan): Promise<StartedPlan> {
  const { id: creatorId } = authorize(ctx, 'creator.managePlan', currentCreator(ctx));
  const running = await lookupPlanSubscription(ctx, creatorId);
  if (running?.plan === plan) return { plan, url: null, checkout: null };
  if (running) throw amountChanged();
  await requireOffered(ctx, creatorId, plan);
  const amounts = await amountsOfStart(ctx, creatorId, plan);
  if (amounts.dueMinor !== dueMinor) throw amountChanged();
  const item = itemOf(ctx, { creatorId, plan, currency: amounts.currency });
  const isPaid = payWith === 'saved_card' && (await chargeSavedCard(ctx, { creatorId, plan, item }));
  if (isPaid) return { plan, url: null, checkout: isPaid };
  const { id, url } = await openCheckout(ctx, item);
  return { plan, url, checkout: id };
}

type NewPlan = { creatorId: number; plan: BuyablePlan; currency: Currency };

function itemOf(ctx: Ctx, { creatorId, plan, currency }: NewPlan): CheckoutItem {
  const page = ctx.urls.app(languagePrefix(ctx.language) + PLANS_PATH);
  const name = `${ctx.settings.operator.name} ${PLANS[plan].name}`;
  return {
    purpose: 'plan',
    buyer: { userId: requireUser(ctx).userId },
    creatorId,
    terms: { name, priceMinor: priceOf(plan), currency, every: 'month', plan },
    paths: { success: page, cancel: `${page}?plan=${plan}` },
  };
}

/** @returns the checkout's id; null if the bank requires a confirmation, which only the payment page offers */
async function chargeSavedCard(
  ctx: Ctx,
  { creatorId, plan, item }: { creatorId: number; plan: BuyablePlan; item: CheckoutItem },
): Promise<string | null> {
  const { userId } = requireUser(ctx);
  const card = await lookupCardRow(ctx, userId);
  if (!card || card.expiresAt <= ctx.now()) throw noSavedCard();
  const { name, priceMinor, currency } = item.terms;
  let paid: string | null = null;
  await withPlanClaim(ctx, { creatorId, userId, plan, currency }, async (checkout) => {
    const started = await ctx.ports.payments
      .subscribe(
        {
          customer: card.customerId,
          card: card.providerId,
          name,
          price: { minor: priceMinor, currency },
          every: 'month',
          reference: { checkout },
        },
        `plan/${checkout}`,
      )
      .catch(unlessUnconfirmed);
    if (started) await syncSubscription(ctx, started.id);
    paid = started && checkout;
  });
  return paid;
}

function unlessUnconfirmed(error: unknown): null {
  if (error instanceof AppError && error.code === 'payments.authentication_required') return null;
  throw error;
}

export type PlanCheckoutView = { status: CheckoutRow['status']; plan: PlanCode | null; isRefused: boolean };

/**
 * The result of the payer's payment. The browser may be back before the provider's event.
 * @throws billing.checkout_not_found
 */
export async function planCheckout(ctx: Ctx, { id }: PlanCheckout): Promise<PlanCheckoutView> {
  const { userId } = requireUser(ctx);
  const row = await lookupCheckout(ctx, id);
  if (row?.purpose !== 'plan' || row.userId !== userId) throw checkoutNotFound();
  if (row.status === 'open' && row.providerId) await syncCheckout(ctx, row.providerId);
  const { status, terms, refusedFor } = (await lookupCheckout(ctx, id)) ?? row;
  return { status, plan: terms.plan ?? null, isRefused: refusedFor !== null };
}
