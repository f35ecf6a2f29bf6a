import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { sales, subscriptions } from '~/db/schema/billing';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import type { EndPreview } from '../../../adapters/payments/objects';
import { PLANS_PATH } from '../../../base/account-paths';
import { localeOf } from '../../../base/formats';
import { formatMoney, inOurs, type Money } from '../../../base/money';
import { languagePrefix } from '../../../base/public-paths';
import { PLAN_CHANGE_LIMITS } from '../../../limits/plans';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import { queueAccountEmail } from '../../accounts/base/email-links';
import { findUser } from '../../accounts/base/queries';
import { lookupPlanSubscription } from '../base/queries';
import type { SubscriptionRow } from '../base/rules';
import { listParts, markTold, planParts, releaseParts, sumGivenBack } from '../refunds/refund-parts';
import { giveBackDue } from '../subscriptions/ending-refunds';
import { withPlanClaim } from './change-plan';

/**
 * Returns the credit of a former, more expensive plan to the card when the last plan ends: no payment will use it up.
 * Every step may be repeated after a crash: the amounts are stored first, and the customer's reference says whether the
 * credit is taken.
 */
export async function returnPlanCredit(ctx: Ctx, { subscriptionId }: { subscriptionId: number }): Promise<void> {
  const [row] = await ctx.db.select().from(subscriptions).where(eq(subscriptions.id, subscriptionId));
  if (row?.purpose !== 'plan' || !row.endedAt) return;
  await takeCredit(ctx, row);
  await giveBackDue(ctx, row.id);
  await transact(ctx, (tx) => tellOwner(tx, row));
}

/** The amounts become due only when the credit is taken: until then, another plan may start and use it up. */
async function takeCredit(ctx: Ctx, row: SubscriptionRow): Promise<void> {
  const parts = await listParts(ctx, row.id);
  if (parts.some(({ status }) => status !== 'planned')) return;
  const found = await creditOf(ctx, row);
  // killed between the two steps below
  if (found === 'taken') return releaseParts(ctx, row.id);
  if (found === null || (await lookupPlanSubscription(ctx, row.creatorId))) return;
  const { creatorId, userId, currency } = row;
  // a plan that starts meanwhile would spend the same credit
  await withPlanClaim(ctx, { creatorId, userId, plan: 'BASIC', currency }, async () => {
    const credit = (await lookupPlanSubscription(ctx, creatorId)) ? null : await creditOf(ctx, row);
    if (credit === null || credit === 'taken') return;
    const refunds = await refundsOf(ctx, row, credit);
    await transact(ctx, (tx) => planParts(tx, row, refunds));
    await ctx.reach('plan-credit.stored');
    const minor = credit.minor - refunds.reduce((sum, { amount }) => sum + amount.minor, 0);
    const left = { minor, reference: { creditReturned: row.providerId } };
    await ctx.ports.payments.setCredit(row.customerId, left, `subscription/${row.id}/credit/${minor}`);
    await releaseParts(ctx, row.id);
  });
}

/** The credit to return, or 'taken' if this end has already taken it. Null without credit. */
async function creditOf(
  { ports }: Ctx,
  { customerId, currency, providerId }: SubscriptionRow,
): Promise<Money | 'taken' | null> {
  const { credit, reference, deleted } = await ports.payments.fetch.customer(customerId);
  if (deleted) return null;
  if (reference.creditReturned === providerId) return 'taken';
  if (!credit || credit.minor <= 0) return null;
  const money = inOurs(credit);
  return money.currency === currency ? money : null;
}

/** Parts of the newest payments for plans, each up to its amount that is left. */
async function refundsOf(
  ctx: Ctx,
  { creatorId, currency }: SubscriptionRow,
  credit: Money,
): Promise<EndPreview['refunds']> {
  const { paymentId, amountMinor, refundedMinor, paidAt, purpose, disputedAt } = sales;
  const isPlan = and(eq(sales.creatorId, creatorId), eq(purpose, 'plan'), eq(sales.currency, currency));
  const paid = await ctx.db
    .select({ payment: paymentId, leftMinor: sql<number>`${amountMinor} - ${refundedMinor}`.mapWith(Number) })
    .from(sales)
    .where(and(isPlan, isNull(disputedAt), sql`${amountMinor} > ${refundedMinor}`))
    .orderBy(desc(paidAt), desc(sales.id))
    .limit(PLAN_CHANGE_LIMITS.invoices);
  let open = credit.minor;
  return paid.flatMap(({ payment, leftMinor }) => {
    const minor = Math.min(open, leftMinor);
    open -= minor;
    return minor > 0 ? [{ payment, amount: { minor, currency } }] : [];
  });
}

/** Tells the owner once. */
async function tellOwner(tx: TxCtx, row: SubscriptionRow): Promise<void> {
  const minor = await sumGivenBack(tx, row.id);
  if (minor === 0 || !(await markTold(tx, row.id))) return;
  const user = await findUser(tx, row.userId);
  if (user.deletedAt) return;
  const language = user.language ?? DEFAULT_LANGUAGE;
  await queueAccountEmail(tx, user, {
    topic: 'plan_credit_refunded',
    url: tx.urls.app(languagePrefix(language) + PLANS_PATH),
    amount: formatMoney({ minor, currency: row.currency }, localeOf(language, user.country)),
  });
}
