import { and, eq, isNull } from 'drizzle-orm';
import { subscriptions } from '~/db/schema/billing';
import { checkouts } from '~/db/schema/checkouts';
import { subscriberImports, subscriberMoves } from '~/db/schema/moving';
import { BILLING_LIMITS } from '../../../limits/billing';
import { PAYOUT_LIMITS } from '../../../limits/payouts';
import { requireCreator } from '../../../policy/actor';
import { authorize } from '../../../policy/authorize';
import { closeErasedCheckout, leaveAccount } from '../../../queue/jobs/billing';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import { requireProof } from '../../accounts/second-factors/second-factor';
import { accountNotConnected } from '../../payouts/errors';
import { lookupSellerAccount, type SellerAccountRow } from '../../payouts/queries';
import type { ConnectAccount } from '../../payouts/schema';
import { listLeaving, lookupLeaving, markDisconnected, markReleased } from '../../payouts/seller-account';
import { recordActivity } from '../../team/activity';
import { queueEnds } from './end-subscriptions';

/** Number of the creator's running subscriptions on their own account. */
export async function countRunningThere(ctx: Ctx): Promise<number> {
  const { creatorId } = requireCreator(ctx);
  const own = authorize(ctx, 'creator.connectAccount', { id: creatorId });
  const row = await lookupSellerAccount(ctx, own.id);
  return row ? ctx.db.$count(subscriptions, runningOn(row)) : 0;
}

const runningOn = ({ accountId, creatorId }: SellerAccountRow) =>
  and(eq(subscriptions.account, accountId), eq(subscriptions.creatorId, creatorId), isNull(subscriptions.endedAt));

/**
 * Disconnects the creator's own account: new sales go to our account at once. Subscriptions there end with their paid
 * period, so that subscribers pay only for shows that they can hear, and then the provider is told. @throws
 * common.forbidden, account.second_factor_required, account.wrong_code, account.wrong_password,
 * payout.account_not_connected
 */
export async function disconnectAccount(ctx: Ctx, input: ConnectAccount): Promise<void> {
  const { creatorId } = requireCreator(ctx);
  const own = authorize(ctx, 'creator.connectAccount', { id: creatorId });
  await requireProof(ctx, input);
  const row = await lookupSellerAccount(ctx, own.id);
  if (!row || row.status === 'disconnected') throw accountNotConnected();
  await transact(ctx, async (tx) => {
    if (!(await markDisconnected(tx, row, { disconnectedBy: 'creator', releasedAt: null }))) return;
    await recordActivity(tx, { creatorId, action: 'account.disconnected', subjectId: creatorId });
    await tx.jobs.enqueue(leaveAccount, { sellerAccountId: row.id });
  });
}

/**
 * Disconnects the account at the provider once all ends are reported there. Until then, a schedule retries
 * (recoverLeaving).
 */
export async function disconnectAtProvider(ctx: Ctx, { sellerAccountId }: { sellerAccountId: number }): Promise<void> {
  const row = await lookupLeaving(ctx, sellerAccountId);
  if (!row) return;
  if (await transact(ctx, (tx) => endThere(tx, row))) return;
  await ctx.ports.payments.on(null).disconnect(row.accountId);
  await markReleased(ctx, row);
}

/** @returns whether some subscriptions still have to end */
async function endThere(tx: TxCtx, row: SellerAccountRow): Promise<boolean> {
  const open = await tx.db
    .select({ checkoutId: checkouts.id })
    .from(checkouts)
    .where(and(eq(checkouts.account, row.accountId), eq(checkouts.status, 'open')))
    .limit(BILLING_LIMITS.markedAtOnce);
  await tx.jobs.enqueueAll(closeErasedCheckout, open);
  const part = { after: 0, limit: BILLING_LIMITS.sweptAtOnce };
  const isUnmarked = and(runningOn(row), isNull(subscriptions.endsAt), isNull(subscriptions.endReason));
  await queueEnds(tx, isUnmarked, { reason: 'account_disconnected', when: 'at_period_end' }, part);
  const left = await tx.db.$count(subscriptions, and(runningOn(row), isNull(subscriptions.endsAt)));
  return open.length > 0 || left > 0 || (await isMoving(tx, row));
}

/**
 * Moves of subscriptions stop at the disconnection in their next step. Until then, they may start a subscription there.
 */
async function isMoving({ db }: TxCtx, { accountId }: SellerAccountRow): Promise<boolean> {
  const isMove = and(eq(subscriberMoves.account, accountId), eq(subscriberMoves.status, 'running'));
  const isImport = and(eq(subscriberImports.account, accountId), eq(subscriberImports.status, 'running'));
  return (await db.$count(subscriberMoves, isMove)) + (await db.$count(subscriberImports, isImport)) > 0;
}

/** Resumes disconnections whose jobs were lost. */
export async function recoverLeaving(ctx: Ctx): Promise<void> {
  const waiting = await listLeaving(ctx, PAYOUT_LIMITS.accountsAtOnce);
  await transact(ctx, (tx) => tx.jobs.enqueueAll(leaveAccount, waiting));
}
