import { randomUUID } from 'node:crypto';
import { and, asc, eq, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
import { subscriptions } from '~/db/schema/billing';
import { later } from '../../../base/time';
import { BILLING_LIMITS } from '../../../limits/billing';
import { setPlatformFee } from '../../../queue/jobs/billing';
import { type Ctx, transact } from '../../../runtime/ctx';
import { planAt } from '../../plans/plan-periods';
import { feePercent } from '../../plans/rules';
import type { SubscriptionRow } from '../base/rules';
import { ignoreConflict } from './end-subscriptions';

/**
 * Our fee of a subscription on a creator's own account is a percentage at the provider. Shortly before each renewal it
 * is set for the amount of the renewal and the creator's plan at that time (docs/decisions/0242). If the provider is
 * unavailable, the former percentage applies, and the books contain the fee that was really taken.
 */
export async function setFees(ctx: Ctx): Promise<void> {
  const isDue = and(
    isNotNull(subscriptions.account),
    isNull(subscriptions.endedAt),
    isNull(subscriptions.endsAt),
    lte(subscriptions.periodEnd, later(ctx.now(), BILLING_LIMITS.feeBefore)),
    or(isNull(subscriptions.feeSetFor), sql`${subscriptions.feeSetFor} <> ${subscriptions.periodEnd}`),
  );
  const due = await ctx.db
    .select({ subscriptionId: subscriptions.id })
    .from(subscriptions)
    .where(isDue)
    .orderBy(asc(subscriptions.periodEnd))
    .limit(BILLING_LIMITS.sweptAtOnce);
  await transact(ctx, (tx) => tx.jobs.enqueueAll(setPlatformFee, due));
}

export async function setFee(ctx: Ctx, { subscriptionId }: { subscriptionId: number }): Promise<void> {
  const [row] = await ctx.db.select().from(subscriptions).where(eq(subscriptions.id, subscriptionId));
  if (!row?.account || row.endedAt || row.endsAt) return;
  const next = await ctx.ports.payments.on(row.account).preview(row.providerId, null).catch(ignoreConflict);
  if (!next) return;
  await setFeeOf(ctx, row, { minor: next.due.minor, setFor: row.periodEnd });
}

/**
 * Sets the fee for a charge that we cause ourselves, such as a change of the period. The next renewal has another
 * amount: the schedule sets the percentage again.
 */
export async function setFeeOfChange(ctx: Ctx, row: SubscriptionRow, minor: number): Promise<void> {
  if (row.account) await setFeeOf(ctx, row, { minor, setFor: null });
}

async function setFeeOf(ctx: Ctx, row: SubscriptionRow, { minor, setFor }: { minor: number; setFor: Date | null }) {
  const percent = feePercent(await planAt(ctx, row.creatorId, setFor ?? ctx.now()), minor);
  // an old key would hide a change in between, and setting the percentage twice changes nothing
  const key = `subscription/${randomUUID()}`;
  const payments = ctx.ports.payments.on(row.account);
  await payments.setPlatformFee(row.providerId, { feePercent: percent }, key).catch(ignoreConflict);
  await ctx.db.update(subscriptions).set({ feeSetFor: setFor }).where(eq(subscriptions.id, row.id));
}
