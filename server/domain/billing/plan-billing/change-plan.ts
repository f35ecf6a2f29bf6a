import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { checkouts } from '~/db/schema/checkouts';
import type { Preview } from '../../../adapters/payments/objects';
import type { Change } from '../../../adapters/payments/port';
import { AppError } from '../../../base/errors';
import type { Currency } from '../../../base/money';
import { earlier, later, MINUTES } from '../../../base/time';
import { type BuyablePlan, PLAN_CHANGE_LIMITS, PLANS, type PlanCode } from '../../../limits/plans';
import { currentCreator } from '../../../policy/actor';
import { authorize } from '../../../policy/authorize';
import { type Ctx, type TxCtx, transact, violates } from '../../../runtime/ctx';
import { chosenPlan, countPlanUse } from '../../plans/queries';
import { isUpgrade, type Loss, lossesOf, nextMonth, planInForce, plansOffered } from '../../plans/rules';
import type { ChangePlan, PreviewPlan } from '../../plans/schema';
import { lookupMainCustomer } from '../base/customers';
import { amountChanged, changeRunning, noPlan, paymentOverdue, planEnding, planNotOffered } from '../base/errors';
import { lookupPlanSubscription } from '../base/queries';
import { isOverdue, planReference, type SubscriptionRow } from '../base/rules';
import { closeCheckout, closeRow } from '../checkout/checkouts';
import { syncSubscription } from '../subscriptions/subscriptions';
import { openConfirmation } from './confirm-plan';
import { findPayer } from './plan-overview';

/** The exact cost of a plan: `dueMinor` now, `nextMinor` at `nextAt`, and afterwards `priceMinor` each month. */
export type PlanPreview = {
  plan: BuyablePlan;
  from: PlanCode;
  move: 'start' | 'upgrade' | 'downgrade';
  currency: Currency;
  priceMinor: number;
  dueMinor: number;
  /** Credit for the unused time of a more expensive plan: it reduces the next payments. */
  creditMinor: number;
  nextMinor: number;
  nextAt: Date;
  /** The time of the calculation, which the confirmation repeats. */
  at: Date;
  losses: Loss[];
};

/** @throws billing.plan_not_offered, billing.plan_ending, billing.payment_overdue, the errors of the payments port */
export async function previewPlan(ctx: Ctx, { plan }: PreviewPlan): Promise<PlanPreview> {
  const { id: creatorId } = authorize(ctx, 'creator.managePlan', currentCreator(ctx));
  const chosen = await requireOffered(ctx, creatorId, plan);
  const { plan: current } = planInForce(chosen, ctx.now());
  const running = await lookupPlanSubscription(ctx, creatorId);
  const at = wholeSecond(ctx.now());
  const { usesCredit: _, ...amounts } = running
    ? await amountsOfChange(ctx, requireChangeable(running), changeTo(plan, running.currency, at))
    : { ...(await amountsOfStart(ctx, creatorId, plan)), usesCredit: false };
  return {
    plan,
    from: current.code,
    move: running ? (isUpgrade(PLANS[running.plan ?? 'FREE'], PLANS[plan]) ? 'upgrade' : 'downgrade') : 'start',
    priceMinor: priceOf(plan),
    at,
    losses: lossesOf(current, PLANS[plan], { ...ctx.settings, use: await countPlanUse(ctx, creatorId) }),
    ...amounts,
  };
}

export type ChangedPlan = { plan: PlanCode; url: string | null };

/**
 * Changes the plan at once, at the amounts that were shown. Repeating it changes nothing. If the card is declined, the
 * former plan stays. @returns `url`: the payment page, if the bank requires a confirmation; the plan changes there.
 * @throws billing.amount_changed, billing.change_running, payments.card_declined, payments.authentication_required if a
 * part is paid with credit, as previewPlan
 */
export async function changePlan(ctx: Ctx, { plan, at, ...shown }: ChangePlan): Promise<ChangedPlan> {
  const { id: creatorId } = authorize(ctx, 'creator.managePlan', currentCreator(ctx));
  const known = await lookupPlanSubscription(ctx, creatorId);
  if (!known) throw noPlan();
  // another tab or a lost response may have changed the plan
  await syncSubscription(ctx, known.providerId);
  const running = await lookupPlanSubscription(ctx, creatorId);
  if (running?.plan === plan) return { plan, url: null };
  if (!running) throw noPlan();
  await requireOffered(ctx, creatorId, plan);
  const change = changeTo(plan, requireChangeable(running).currency, at);
  let isUnconfirmed = false;
  await withPlanClaim(ctx, { creatorId, userId: running.userId, plan, currency: running.currency }, async (claim) => {
    const isFresh =
      at <= ctx.now() && at >= earlier(ctx.now(), PLAN_CHANGE_LIMITS.preview) && at >= running.periodStart;
    const found = isFresh ? await amountsOfChange(ctx, running, change) : null;
    if (found?.dueMinor !== shown.dueMinor || found.creditMinor !== shown.creditMinor) throw amountChanged();
    isUnconfirmed = !(await changeNow(ctx, running, { change, key: `plan/${claim}`, amounts: found }));
  });
  return {
    plan,
    url: isUnconfirmed ? await openConfirmation(ctx, { running, plan, at, dueMinor: shown.dueMinor }) : null,
  };
}

type Changing = { change: Change; key: string; amounts: { usesCredit: boolean } };

/**
 * @returns false if the bank requires a confirmation. A payment page takes no credit, so a payment with credit is
 * refused then.
 */
async function changeNow(
  ctx: Ctx,
  { providerId }: SubscriptionRow,
  { change, key, amounts }: Changing,
): Promise<boolean> {
  try {
    await ctx.ports.payments.changeSubscription(providerId, change, key);
  } catch (error) {
    const isUnconfirmed = error instanceof AppError && error.code === 'payments.authentication_required';
    if (isUnconfirmed && !amounts.usesCredit) return false;
    throw error;
  }
  await syncSubscription(ctx, providerId);
  return true;
}

/** @throws billing.plan_not_offered */
export async function requireOffered(ctx: Ctx, creatorId: number, plan: BuyablePlan) {
  const chosen = await chosenPlan(ctx, creatorId);
  if (!plansOffered(chosen.plan ?? 'FREE').includes(plan)) throw planNotOffered();
  return chosen;
}

function requireChangeable(running: SubscriptionRow): SubscriptionRow {
  if (isOverdue(running)) throw paymentOverdue();
  if (running.endsAt) throw planEnding();
  return running;
}

export const priceOf = (plan: BuyablePlan): number => PLANS[plan].priceMinor ?? 0;
const wholeSecond = (at: Date): Date => new Date(Math.floor(at.getTime() / 1000) * 1000);
const changeTo = (plan: BuyablePlan, currency: Currency, at: Date): Change => ({
  price: { minor: priceOf(plan), currency },
  every: 'month',
  at,
  reference: planReference(plan, at),
});

async function amountsOfChange(
  ctx: Ctx,
  { providerId, customerId, periodEnd, currency }: SubscriptionRow,
  change: Change,
) {
  const { payments } = ctx.ports;
  const [preview, customer] = await Promise.all([
    payments.preview(providerId, change),
    payments.fetch.customer(customerId),
  ]);
  const left = creditAfter(preview, customer.credit?.minor ?? 0);
  return {
    currency,
    dueMinor: preview.due.minor,
    creditMinor: preview.credit.minor,
    nextMinor: Math.max(0, change.price.minor - left),
    nextAt: periodEnd,
    usesCredit: preview.due.minor < preview.total.minor,
  };
}

/** The credit left for the next payment. */
const creditAfter = ({ total, due, credit }: Preview, before: number): number =>
  before + credit.minor - Math.max(0, total.minor - due.minor);

/** The customer may have credit of a former plan. */
export async function amountsOfStart(ctx: Ctx, creatorId: number, plan: BuyablePlan) {
  const { id: userId, currency } = await findPayer(ctx, creatorId);
  const customer = await lookupMainCustomer(ctx, userId);
  const credit = customer ? (await ctx.ports.payments.fetch.customer(customer)).credit : null;
  const price = priceOf(plan);
  const usable = credit?.currency === currency ? credit.minor : 0;
  const dueMinor = Math.max(0, price - usable);
  const nextMinor = Math.max(0, price - (usable - (price - dueMinor)));
  return { currency, dueMinor, creditMinor: 0, nextMinor, nextAt: nextMonth(ctx.now()) };
}

type Claim = { creatorId: number; userId: number; plan: BuyablePlan; currency: Currency };

/** Longer than any call to the payment provider. */
const CLAIM_LIFETIME = MINUTES(2);

/**
 * Runs one change of a plan at a time, in any tab: an open row claims it, and a payment page that is open in another
 * tab is closed. After a crash, the claim expires. @throws billing.change_running
 */
export async function withPlanClaim(ctx: Ctx, claim: Claim, work: (key: string) => Promise<void>): Promise<void> {
  await closeOpenPage(ctx, claim.userId);
  const id = await transact(ctx, (tx) => insertClaim(tx, claim)).catch((error) => {
    throw violates(error, 'checkouts_open_plan_once') ? changeRunning() : error;
  });
  try {
    await work(id);
  } finally {
    await transact(ctx, (tx) => closeRow(tx, { id }));
  }
}

async function insertClaim(tx: TxCtx, { creatorId, userId, plan, currency }: Claim): Promise<string> {
  const id = randomUUID();
  const now = tx.now();
  const name = `${tx.settings.operator.name} ${PLANS[plan].name}`;
  await tx.db.insert(checkouts).values({
    id,
    purpose: 'plan',
    userId,
    creatorId,
    terms: { name, priceMinor: priceOf(plan), currency, every: 'month', plan },
    language: tx.language,
    expiresAt: later(now, CLAIM_LIFETIME),
    createdAt: now,
    updatedAt: now,
  });
  return id;
}

async function closeOpenPage(ctx: Ctx, userId: number): Promise<void> {
  const isOpen = and(eq(checkouts.userId, userId), eq(checkouts.purpose, 'plan'), eq(checkouts.status, 'open'));
  const [row] = await ctx.db.select().from(checkouts).where(isOpen);
  if (row && (row.url !== null || row.expiresAt <= ctx.now())) await closeCheckout(ctx, row);
}
