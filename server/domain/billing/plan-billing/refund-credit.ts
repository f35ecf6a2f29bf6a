import { and, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { sales, subscriptions } from '~/db/schema/billing';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import type { EndPreview } from '../../../adapters/payments/objects';
import { formatMoney, inOurs, type Money } from '../../../base/money';
import { languagePrefix, PLANS_PATH } from '../../../base/public-paths';
import { PLAN_CHANGE_LIMITS } from '../../../limits/plans';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import { queueAccountEmail } from '../../accounts/base/email-links';
import { findUser } from '../../accounts/base/queries';
import { lookupPlanSubscription } from '../base/queries';
import type { SubscriptionRow } from '../base/rules';
import { listParts, storeParts } from '../refunds/refund-parts';
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

async function takeCredit(ctx: Ctx, row: SubscriptionRow): Promise<void> {
  const isOpen = async () => (await creditOf(ctx, row)) !== null && !(await lookupPlanSubscription(ctx, row.creatorId));
  if (!(await isOpen())) return;
  const { creatorId, userId, currency } = row;
  // a plan that starts meanwhile would spend the same credit
  await withPlanClaim(ctx, { creatorId, userId, plan: 'BASIC', currency }, async () => {
    const credit = (await isOpen()) ? await creditOf(ctx, row) : null;
    if (!credit) return;
    const { periodStart } = row;
    const refunds = await refundsOf(ctx, row, credit);
    await transact(ctx, (tx) => storeParts(tx, row, { at: ctx.now(), periodStart, refunds }));
    await ctx.reach('plan-credit.stored');
    const taken = (await listParts(ctx, row.id)).reduce((sum, { amountMinor }) => sum + amountMinor, 0);
    const left = { minor: credit.minor - taken, reference: { creditReturned: row.providerId } };
    await ctx.ports.payments.setCredit(row.customerId, left, `subscription/${row.id}/credit`);
  });
}

/** The credit that this end has to return. Null if there is none, or this end has returned it. */
async function creditOf({ ports }: Ctx, { customerId, currency, providerId }: SubscriptionRow): Promise<Money | null> {
  const { credit, reference, deleted } = await ports.payments.fetch.customer(customerId);
  if (deleted || !credit || credit.minor <= 0 || reference.creditReturned === providerId) return null;
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
  const parts = (await listParts(tx, row.id)).filter(({ status }) => status === 'sent' || status === 'due');
  const minor = parts.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  if (minor === 0) return;
  const isUntold = and(
    eq(subscriptions.id, row.id),
    isNull(subscriptions.refundToldAt),
    isNotNull(subscriptions.endedAt),
  );
  const told = await tx.db
    .update(subscriptions)
    .set({ refundToldAt: tx.now(), updatedAt: tx.now() })
    .where(isUntold)
    .returning({ id: subscriptions.id });
  const user = await findUser(tx, row.userId);
  if (told.length === 0 || user.deletedAt) return;
  const language = user.language ?? DEFAULT_LANGUAGE;
  await queueAccountEmail(tx, user, {
    topic: 'plan_credit_refunded',
    url: tx.urls.app(languagePrefix(language) + PLANS_PATH),
    amount: formatMoney({ minor, currency: row.currency }, language),
  });
}
