import { randomUUID } from 'node:crypto';
import { and, asc, eq, gt, inArray, isNotNull, isNull, ne, notInArray, or, type SQL, sql } from 'drizzle-orm';
import { subscriptions } from '~/db/schema/billing';
import { products } from '~/db/schema/products';
import type { EndReason } from '~/db/values/billing';
import { AppError } from '../../../base/errors';
import { BILLING_LIMITS } from '../../../limits/billing';
import { endSubscription, refundEnd, resumeSubscription } from '../../../queue/jobs/billing';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import type { ProductRow } from '../../products/queries';
import type { SubscriptionRow } from '../base/rules';
import { syncSubscription } from './subscriptions';

/**
 * The provider does not store why a subscription ends, so the reason is written before the call; the sync keeps it
 * until a scheduled end is called off. A job that was killed in between repeats the call.
 */
export type End = { reason: EndReason; when: 'at_period_end' | 'now' };
/** A batch of many subscriptions: the first ids above `after`. By default all of them, which must be few. */
export type Part = { after: number; limit: number };

/**
 * Ends these subscriptions by jobs, except those that already end. @returns the subscriptions whose subscribers were
 * not told before
 */
export async function queueEnds(
  tx: TxCtx,
  which: SQL | undefined,
  { reason, when }: End,
  part?: Part,
): Promise<SubscriptionRow[]> {
  // subscriptions that end with their period may still have to end now
  const isOpen = when === 'now' ? undefined : isNull(subscriptions.endsAt);
  const isNew = or(
    isNull(subscriptions.endReason),
    ne(subscriptions.endReason, reason),
    isNotNull(subscriptions.endsAt),
  );
  const isRunning = isNull(subscriptions.endedAt);
  const marked = await tx.db
    .update(subscriptions)
    .set({ endReason: reason, updatedAt: tx.now() })
    .where(partOf(tx, and(which, isOpen, isNew, isRunning, isNotRefunded()), part))
    .returning();
  await enqueueEnds(
    tx,
    marked.map(({ id }) => ({ subscriptionId: id, reason, when })),
  );
  return marked;
}

/** Ends with a refund have a separate job (ending-refunds.ts). */
async function enqueueEnds(tx: TxCtx, ends: (Queued & End)[]): Promise<void> {
  const refunded = ends.filter(({ reason }) => reason === 'refunded');
  const others = ends.filter(({ reason }) => reason !== 'refunded');
  await tx.jobs.enqueueAll(
    refundEnd,
    refunded.map(({ subscriptionId }) => ({ subscriptionId })),
  );
  await tx.jobs.enqueueAll(endSubscription, others);
}

/** An end with a refund is running and must not be replaced. */
export const isNotRefunded = () => or(isNull(subscriptions.endReason), ne(subscriptions.endReason, 'refunded'));

function partOf(tx: TxCtx, which: SQL | undefined, part: Part | undefined): SQL | undefined {
  if (!part) return which;
  const ids = tx.db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(and(which, gt(subscriptions.id, part.after)))
    .orderBy(asc(subscriptions.id))
    .limit(part.limit)
    .for('update');
  return inArray(subscriptions.id, ids);
}

/**
 * Ends that were not reported to the provider, because their jobs ran out of attempts. Subscribers repeat their own
 * cancellations themselves.
 */
export async function recoverEnds(ctx: Ctx): Promise<void> {
  const hasNoEnd = or(isNull(subscriptions.endsAt), inArray(subscriptions.endReason, AT_ONCE));
  // refunds have a separate schedule (ending-refunds.ts)
  const isOurs = notInArray(subscriptions.endReason, ['subscriber', 'refunded']);
  await transact(ctx, (tx) => repeatEnds(tx, and(hasNoEnd, isOurs), BILLING_LIMITS.pendingEnds));
}

/** Reports decided ends to the provider again: at once or with the period, as their reasons require. */
export async function repeatEnds(tx: TxCtx, which: SQL | undefined, limit: number): Promise<void> {
  const decided = await tx.db
    .select({ subscription: subscriptions, show: products })
    .from(subscriptions)
    .leftJoin(products, eq(products.id, subscriptions.productId))
    .where(and(which, isNull(subscriptions.endedAt), isNotNull(subscriptions.endReason)))
    // a random order, so that subscriptions that always fail do not delay others for long
    .orderBy(sql`random()`)
    .limit(limit);
  await enqueueEnds(
    tx,
    decided.flatMap(({ subscription: { id, endReason: reason, purpose }, show }) =>
      reason ? [{ subscriptionId: id, reason, when: whenOf(reason, purpose, show) }] : [],
    ),
  );
}

const AT_ONCE: EndReason[] = ['unpaid', 'account_deleted', 'duplicate', 'disputed'];
/** Subscribers no longer pay for a show that is deleted or already free, not even overdue amounts (show-endings.ts). */
const isOver = (reason: EndReason, show: ProductRow | null): boolean =>
  (reason === 'creator' && show?.retiredAt != null) || (reason === 'show_becomes_free' && show?.priceMinor === null);

const whenOf = (reason: EndReason, purpose: SubscriptionRow['purpose'], show: ProductRow | null): End['when'] =>
  purpose === 'donation' || AT_ONCE.includes(reason) || isOver(reason, show) ? 'now' : 'at_period_end';

/** Calls off the ends of these subscriptions with one of these reasons. @returns their ids */
export async function queueResumes(tx: TxCtx, which: SQL | undefined, reasons: EndReason[], part: Part) {
  const found = await tx.db
    .select({ id: subscriptions.id, reason: subscriptions.endReason })
    .from(subscriptions)
    .where(
      and(
        which,
        inArray(subscriptions.endReason, reasons),
        isNull(subscriptions.endedAt),
        gt(subscriptions.id, part.after),
      ),
    )
    .orderBy(asc(subscriptions.id))
    .limit(part.limit);
  await tx.jobs.enqueueAll(
    resumeSubscription,
    found.map(({ id, reason }) => ({ subscriptionId: id, reason: reason! })),
  );
  return found;
}

type Queued = { subscriptionId: number; reason: EndReason };

/** Reports an end to the payment provider. Does nothing if the reason was replaced or called off. */
export async function endQueued(ctx: Ctx, { subscriptionId, reason, when }: Queued & Pick<End, 'when'>): Promise<void> {
  const row = await lookupById(ctx, subscriptionId);
  if (!row || row.endedAt || row.endReason !== reason) return;
  if (when === 'at_period_end' && row.endsAt) return;
  await tellEnd(ctx, row, { when });
  const after = await lookupById(ctx, subscriptionId);
  // the end was called off during the call
  if (after?.endsAt && !after.endedAt && after.endReason === null) await tellResume(ctx, row);
}

/** Calls an end off at the payment provider, unless the end has another reason by now. */
export async function resumeQueued(ctx: Ctx, { subscriptionId, reason }: Queued): Promise<void> {
  const row = await lookupById(ctx, subscriptionId);
  if (!row || row.endedAt || row.endReason !== reason) return;
  if (row.endsAt) return tellResume(ctx, row);
  const isPending = and(eq(subscriptions.id, subscriptionId), eq(subscriptions.endReason, reason));
  await ctx.db
    .update(subscriptions)
    .set({ endReason: null })
    .where(and(isPending, isNull(subscriptions.endsAt)));
}

type Told = { when: End['when']; comment?: string };

/** Ends a subscription at the provider, and writes the state that it returns. Repeating it is harmless. */
export async function tellEnd(
  ctx: Ctx,
  { providerId, account }: SubscriptionRow,
  { when, comment }: Told,
): Promise<void> {
  // scheduling an end twice changes nothing, and an old key would hide that the end was called off in between
  const leaving = comment ? { leaving: { reason: null, comment } } : {};
  await ctx.ports.payments
    .on(account)
    .cancel(providerId, { when, ...leaving }, `subscription/${randomUUID()}`)
    .catch(ignoreConflict);
  await syncSubscription(ctx, providerId);
}

export async function tellResume(ctx: Ctx, { providerId, account }: SubscriptionRow): Promise<void> {
  await ctx.ports.payments.on(account).resume(providerId, `subscription/${randomUUID()}`).catch(ignoreConflict);
  await syncSubscription(ctx, providerId);
}

/** The subscription has ended meanwhile; the sync writes that. */
export function ignoreConflict(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'payments.conflict')) throw error;
}

async function lookupById(ctx: Pick<Ctx, 'db'>, id: number): Promise<SubscriptionRow | null> {
  const [row] = await ctx.db.select().from(subscriptions).where(eq(subscriptions.id, id));
  return row ?? null;
}
