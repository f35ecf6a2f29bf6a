import { and, desc, eq } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { sales, subscriptions } from '~/db/schema/billing';
import { paymentCards } from '~/db/schema/checkouts';
import { creators } from '~/db/schema/creators';
import { AppError } from '../../../base/errors';
import { type Currency, inOurs, type Money } from '../../../base/money';
import { type BuyablePlan, PLAN_CHANGE_LIMITS, type PlanCode } from '../../../limits/plans';
import { currentCreator } from '../../../policy/actor';
import { authorize, may } from '../../../policy/authorize';
import type { Ctx } from '../../../runtime/ctx';
import { cardsOf } from '../../accounts/base/queries';
import { chosenPlan, countPlanUse } from '../../plans/queries';
import { type PlanUse, planInForce, plansOffered, trialDaysLeft, trialEnd } from '../../plans/rules';
import { lookupPlanSubscription } from '../base/queries';
import { isOverdue, type SubscriptionRow } from '../base/rules';

export type SavedCard = { brand: string; last4: string; expiresAt: Date; isExpired: boolean };
/** `endsAt`: set after a cancellation. */
export type PlanSubscription = {
  id: number;
  plan: PlanCode;
  priceMinor: number;
  currency: Currency;
  periodEnd: Date;
  endsAt: Date | null;
  isOverdue: boolean;
  /** Where the owner confirms a failed renewal to the bank. */
  confirmationUrl: string | null;
  card: SavedCard | null;
};
export type PlanOverview = {
  /** The plan in force. */
  plan: PlanCode;
  trial: { isRunning: boolean; endsAt: Date | null; daysLeft: number };
  currency: Currency;
  use: PlanUse;
  /** Only the owner changes the plan; for other users the following fields are empty. */
  canManage: boolean;
  offered: BuyablePlan[];
  subscription: PlanSubscription | null;
  /** The card that could pay a new plan. */
  savedCard: SavedCard | null;
};

/** The plan of the creator for whom the user works, its usage, and for its owner the payment. */
export async function planOverview(ctx: Ctx): Promise<PlanOverview> {
  const creator = authorize(ctx, 'creator.read', currentCreator(ctx));
  const canManage = may(ctx, 'creator.managePlan', creator);
  const [chosen, use, running, owner] = await Promise.all([
    chosenPlan(ctx, creator.id),
    countPlanUse(ctx, creator.id),
    lookupPlanSubscription(ctx, creator.id),
    findPayer(ctx, creator.id),
  ]);
  const { plan, isTrial } = planInForce(chosen, ctx.now());
  const endsAt = chosen.claimedAt && trialEnd(chosen.claimedAt);
  return {
    plan: plan.code,
    trial: { isRunning: isTrial, endsAt, daysLeft: isTrial ? trialDaysLeft(endsAt, ctx.now()) : 0 },
    currency: running?.currency ?? owner.currency,
    use,
    canManage,
    offered: canManage ? plansOffered(chosen.plan ?? 'FREE') : [],
    subscription: canManage && running ? await toPlanSubscription(ctx, running) : null,
    savedCard: canManage ? await lookupCard(ctx, owner.id) : null,
  };
}

/** The payer of a creator's plan: its owner, in the currency of the account. */
export async function findPayer(ctx: Pick<Ctx, 'db'>, creatorId: number): Promise<{ id: number; currency: Currency }> {
  const [row] = await ctx.db
    .select({ id: users.id, currency: users.currency })
    .from(creators)
    .innerJoin(users, eq(users.id, creators.userId))
    .where(eq(creators.id, creatorId));
  return row!;
}

type CardRow = typeof paymentCards.$inferSelect;

/** The card that pays a new plan: the default card, or the card that was last used on a payment page. */
export async function lookupCardRow(ctx: Pick<Ctx, 'db'>, userId: number): Promise<CardRow | null> {
  const [row] = await cardsOf(ctx, userId);
  return row ?? null;
}

async function lookupCard(ctx: Ctx, userId: number): Promise<SavedCard | null> {
  const row = await lookupCardRow(ctx, userId);
  return row && toSavedCard(ctx, row);
}

const toSavedCard = (ctx: Ctx, { brand, last4, expiresAt }: CardRow): SavedCard => ({
  brand,
  last4,
  expiresAt,
  isExpired: expiresAt <= ctx.now(),
});

async function toPlanSubscription(ctx: Ctx, row: SubscriptionRow): Promise<PlanSubscription> {
  const { id, plan, priceMinor, currency, periodEnd, endsAt, confirmationUrl, cardId, userId } = row;
  const own = and(eq(paymentCards.userId, userId), eq(paymentCards.providerId, cardId ?? ''));
  const [card] = cardId ? await ctx.db.select().from(paymentCards).where(own) : [];
  return {
    id,
    plan: plan ?? 'BASIC',
    ...{ priceMinor, currency, periodEnd, endsAt, confirmationUrl },
    isOverdue: isOverdue(row),
    card: card ? toSavedCard(ctx, card) : await lookupCard(ctx, userId),
  };
}

export type PlanInvoice = {
  id: number;
  name: string;
  amountMinor: number;
  refundedMinor: number;
  currency: Currency;
  paidAt: Date;
};

/** The creator's payments for plans, the latest first. */
export async function listPlanInvoices(ctx: Ctx): Promise<PlanInvoice[]> {
  const creator = authorize(ctx, 'creator.managePlan', currentCreator(ctx));
  const { id, name, amountMinor, refundedMinor, currency, paidAt } = sales;
  return ctx.db
    .select({ id, name, amountMinor, refundedMinor, currency, paidAt })
    .from(sales)
    .where(and(eq(sales.creatorId, creator.id), eq(sales.purpose, 'plan')))
    .orderBy(desc(sales.paidAt), desc(sales.id))
    .limit(PLAN_CHANGE_LIMITS.invoices);
}

export type NextPlanPayment = { dueMinor: number; at: Date };

/** The next charge for the plan, after any credit. Null if there is none, or if the payment provider is unavailable. */
export async function nextPlanPayment(ctx: Ctx): Promise<NextPlanPayment | null> {
  const { id } = authorize(ctx, 'creator.managePlan', currentCreator(ctx));
  const running = await lookupPlanSubscription(ctx, id);
  if (!running || running.endsAt || isOverdue(running)) return null;
  try {
    const { due, at } = await ctx.ports.payments.preview(running.providerId, null);
    return { dueMinor: due.minor, at };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    ctx.log.warn({ err: error }, 'next payment unknown');
    return null;
  }
}

/** Credit from a more expensive plan that no payment has used yet. Null without credit, or if the provider fails. */
export async function planCredit(ctx: Ctx): Promise<Money | null> {
  const { id } = authorize(ctx, 'creator.managePlan', currentCreator(ctx));
  const latest = await lookupLatestPlan(ctx, id);
  if (!latest) return null;
  try {
    const { credit } = await ctx.ports.payments.fetch.customer(latest.customerId);
    return credit && credit.minor > 0 ? inOurs(credit) : null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    ctx.log.warn({ err: error }, 'credit unknown');
    return null;
  }
}

async function lookupLatestPlan({ db }: Ctx, creatorId: number): Promise<SubscriptionRow | null> {
  const [row] = await db
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.creatorId, creatorId), eq(subscriptions.purpose, 'plan')))
    .orderBy(desc(subscriptions.startedAt), desc(subscriptions.id))
    .limit(1);
  return row ?? null;
}
