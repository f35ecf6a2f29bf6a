import { and, asc, eq, gt, isNull, lte, or, sql } from 'drizzle-orm';
import { subscriptions } from '~/db/schema/billing';
import { SELLER_ACCOUNT_PATH } from '../../../base/account-paths';
import { AppError } from '../../../base/errors';
import { BILLING_LIMITS } from '../../../limits/billing';
import { reviewSubscription } from '../../../queue/jobs/billing';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import { queueAccountEmail } from '../../accounts/base/email-links';
import { findUser } from '../../accounts/base/queries';
import { findCreatorRecord } from '../../creators/queries';
import { lookupHeldAccount, type SellerAccountRow } from '../../payouts/queries';
import { markDisconnected } from '../../payouts/seller-account';
import type { SubscriptionRow } from '../base/rules';
import { applyAccess, syncSubscription } from './subscriptions';

const REASON = 'account_disconnected';

/**
 * Handles an account that was disconnected at the provider: we can neither see nor change its subscriptions. Listeners
 * keep the access that they have paid for, new sales go to our account, and the creator is told which subscriptions
 * still run at the provider.
 */
export async function loseAccount(ctx: Ctx, accountId: string): Promise<void> {
  const row = await lookupHeldAccount(ctx, accountId);
  if (!row || (await isConnected(ctx, accountId))) return;
  const isNew = await transact(ctx, async (tx) => {
    const marked = await markDisconnected(tx, row, { disconnectedBy: 'provider', releasedAt: tx.now() });
    if (marked) await tellOwner(tx, row);
    return marked;
  });
  if (isNew) await restoreSubscriptions(ctx, { account: accountId });
}

/** An event may arrive late: the account can be connected again by now. */
async function isConnected(ctx: Ctx, accountId: string): Promise<boolean> {
  try {
    await ctx.ports.payments.on(null).fetch.account(accountId);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'payments.not_found') return false;
    throw error;
  }
}

/** Reviews each subscription of an account that was disconnected, or is connected again. */
export async function restoreSubscriptions(ctx: Ctx, { account }: { account: string }): Promise<void> {
  let part = await listPart(ctx, account, 0);
  while (part.length > 0) {
    const ids = part.map(({ id }) => ({ subscriptionId: id }));
    await transact(ctx, (tx) => tx.jobs.enqueueAll(reviewSubscription, ids));
    part = await listPart(ctx, account, part.at(-1)!.id);
  }
}

/** Running subscriptions, and subscriptions that ended when the account was disconnected. */
const listPart = ({ db }: Ctx, account: string, after: number) =>
  db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.account, account),
        gt(subscriptions.id, after),
        or(isNull(subscriptions.endedAt), eq(subscriptions.endReason, REASON)),
      ),
    )
    .orderBy(asc(subscriptions.id))
    .limit(BILLING_LIMITS.sweptAtOnce);

/**
 * If the account is not connected, the subscription ends here with its paid time, because we no longer see its changes
 * at the provider. Otherwise it continues as the provider shows it.
 */
export async function reviewOne(ctx: Ctx, { subscriptionId }: { subscriptionId: number }): Promise<void> {
  const [row] = await ctx.db.select().from(subscriptions).where(eq(subscriptions.id, subscriptionId));
  if (!row?.account) return;
  if (await lookupHeldAccount(ctx, row.account)) return syncSubscription(ctx, row.providerId);
  await transact(ctx, (tx) => loseSubscription(tx, row));
}

async function loseSubscription(tx: TxCtx, { id }: SubscriptionRow): Promise<void> {
  const isRunning = and(eq(subscriptions.id, id), isNull(subscriptions.endedAt));
  const [row] = await tx.db.select().from(subscriptions).where(isRunning).for('update');
  if (!row) return;
  const change = { endsAt: row.endsAt ?? endOf(row, tx.now()), endReason: REASON, updatedAt: tx.now() } as const;
  const [lost] = await tx.db.update(subscriptions).set(change).where(isRunning).returning();
  await applyAccess(tx, lost!);
}

/** Overdue amounts are no longer paid here. */
const endOf = ({ pastDueSince, pausedFrom, periodEnd }: SubscriptionRow, now: Date): Date =>
  pastDueSince ? now : (pausedFrom ?? periodEnd);

/** Closes subscriptions that we no longer see, because no event will report their end. */
export async function closeLost(ctx: Ctx): Promise<void> {
  const isOver = and(
    eq(subscriptions.endReason, REASON),
    isNull(subscriptions.endedAt),
    lte(subscriptions.endsAt, ctx.now()),
  );
  await ctx.db
    .update(subscriptions)
    .set({ endedAt: sql`${subscriptions.endsAt}`, status: 'canceled', pastDueSince: null, updatedAt: ctx.now() })
    .where(isOver);
}

async function tellOwner(tx: TxCtx, { creatorId }: SellerAccountRow): Promise<void> {
  const creator = await findCreatorRecord(tx, creatorId);
  if (creator.closedAt) return;
  const owner = await findUser(tx, creator.userId);
  await queueAccountEmail(tx, owner, { topic: REASON, url: tx.urls.app(SELLER_ACCOUNT_PATH) });
}
