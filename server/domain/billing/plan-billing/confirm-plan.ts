import { eq } from 'drizzle-orm';
import { checkouts } from '~/db/schema/checkouts';
import type { Reference, Subscription } from '../../../adapters/payments/objects';
import { PLANS_PATH } from '../../../base/account-paths';
import { AppError } from '../../../base/errors';
import { languagePrefix } from '../../../base/public-paths';
import { DAYS, earlier } from '../../../base/time';
import { type BuyablePlan, PLAN_CHANGE_LIMITS, PLANS, type PlanCode } from '../../../limits/plans';
import { requireUser } from '../../../policy/actor';
import { reportCheckout } from '../../../queue/jobs/billing';
import { type Ctx, transact } from '../../../runtime/ctx';
import type { CheckoutRow } from '../base/queries';
import { planReference, type SubscriptionRow } from '../base/rules';
import { takeBack } from '../base/take-back-payment';
import { openCheckout } from '../checkout/checkouts';
import { syncSubscription } from '../subscriptions/subscriptions';

/** `at`: the moment for which the amount was computed. */
type Confirmation = { running: SubscriptionRow; plan: BuyablePlan; at: Date; dueMinor: number };

/**
 * The payment page of an upgrade whose charge needs the card owner's confirmation: it takes the amount that was shown,
 * and the plan changes after the payment (docs/decisions/0193). @returns the page's URL
 */
export async function openConfirmation(ctx: Ctx, { running, plan, at, dueMinor }: Confirmation): Promise<string> {
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
      planChange: { subscription: providerId, from: running.plan ?? 'BASIC', at: at.toISOString(), isApplied: false },
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
  const { planChange, plan } = terms;
  if (!planChange || !plan || planChange.isApplied) return 'applied';
  // a repeated call must have the same parameters
  const paidAt = checkout.settledAt ?? checkout.createdAt;
  const reference = planReference(plan, paidAt);
  const found = await ctx.ports.payments.fetch.subscription(planChange.subscription);
  try {
    const { planSince = '' } = found.reference;
    // a repetition after a day, which its key does not find any more, would undo a later change
    const isForgotten = paidAt < earlier(ctx.now(), DAYS(1));
    const isDone = planSince === reference.planSince || (isForgotten && planSince > reference.planSince);
    if (!isDone) await changePaid(ctx, checkout, { found, plan, reference });
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'payments.conflict')) throw error;
    await takeCreditBack(ctx, checkout, found.customer);
    await refuseChange(ctx, checkout, payment);
    return 'refunded';
  }
  await syncSubscription(ctx, planChange.subscription);
  const applied = { ...terms, planChange: { ...planChange, isApplied: true } };
  await ctx.db.update(checkouts).set({ terms: applied, updatedAt: ctx.now() }).where(eq(checkouts.id, id));
  return 'applied';
}

type PaidChange = { found: Subscription; plan: PlanCode; reference: Reference };

/**
 * The provider must know what was paid: for a later change to a cheaper plan, it credits only what it has billed. So the
 * payment becomes the customer's credit, and an ordinary change for the same moment uses it up. A change that this
 * credit does not cover, for example after a renewal, is made without a bill.
 */
async function changePaid(ctx: Ctx, checkout: CheckoutRow, { found, plan, reference }: PaidChange): Promise<void> {
  const { payments } = ctx.ports;
  const { id, terms } = checkout;
  const change = {
    price: { minor: PLANS[plan].priceMinor ?? 0, currency: terms.currency },
    every: 'month',
    reference,
  } as const;
  const at = new Date(terms.planChange?.at ?? 0);
  if (at >= found.periodStart) {
    await lendCredit(ctx, checkout, found.customer);
    const isChanged = await payments
      .changeSubscription(found.id, { ...change, at }, `checkout/${id}/billed-change`)
      .then(() => true, ignoreUncovered);
    if (isChanged) return;
    await takeCreditBack(ctx, checkout, found.customer);
  }
  await payments.changeSubscription(found.id, { ...change, at: ctx.now(), isPaid: true }, `checkout/${id}/change`);
}

const UNCOVERED = ['payments.authentication_required', 'payments.card_declined'];
function ignoreUncovered(error: unknown): false {
  if (!(error instanceof AppError && UNCOVERED.some((code) => error.code.startsWith(code)))) throw error;
  return false;
}

/** The reference says whether the credit is given, because the provider forgets keys after a day. */
async function lendCredit({ ports }: Ctx, { id, terms }: CheckoutRow, customer: string): Promise<void> {
  const { credit, reference } = await ports.payments.fetch.customer(customer);
  if (reference.paidChange === id) return;
  const minor = (credit?.minor ?? 0) + terms.priceMinor;
  await ports.payments.setCredit(customer, { minor, reference: { paidChange: id } }, `checkout/${id}/credit`);
}

async function takeCreditBack({ ports }: Ctx, { id, terms }: CheckoutRow, customer: string): Promise<void> {
  const { credit, reference } = await ports.payments.fetch.customer(customer);
  if (reference.paidChange !== id) return;
  const minor = Math.max(0, (credit?.minor ?? 0) - terms.priceMinor);
  await ports.payments.setCredit(customer, { minor, reference: { paidChange: '' } }, `checkout/${id}/credit-back`);
}

async function refuseChange(ctx: Ctx, checkout: CheckoutRow, payment: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const refused = { refusedFor: 'already_subscribed', updatedAt: tx.now() } as const;
    await tx.db.update(checkouts).set(refused).where(eq(checkouts.id, checkout.id));
    await tx.jobs.enqueue(reportCheckout, { checkoutId: checkout.id });
  });
  await takeBack(ctx, checkout, { payment });
}
