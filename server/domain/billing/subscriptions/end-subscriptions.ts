import { randomUUID } from 'node:crypto';
import { and, asc, eq, gt, inArray, isNotNull, isNull, ne, notInArray, or, type SQL, sql } from 'drizzle-orm';
import { type EndReason, subscriptions } from '~/db/schema/billing';
import { products } from '~/db/schema/products';
import { AppError } from '../../../base/errors';
import { BILLING_LIMITS } from '../../../limits/billing';
import { endSubscription, refundEnd, resumeSubscription } from '../../../queue/catalog';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import type { ProductRow } from '../../products/queries';
import type { SubscriptionRow } from '../base/rules';
import { syncSubscription } from './subscriptions';

/**
 * Why a subscription ends is our own knowledge, so it is written before the provider is told; the sync keeps it until an
 * end that was scheduled is called off. A job that was killed in between repeats the call.
 */
export type End = { reason: EndReason; when: 'at_period_end' | 'now' };
/** A part of many subscriptions: those with ids above `after` first. By default all of them, which must be few. */
export type Part = { after: number; limit: number };

/** Ends these subscriptions by jobs, except those that end already. @returns those that were not told before */
export async function queueEnds(
  tx: TxCtx,
  which: SQL | undefined,
  { reason, when }: End,
  part?: Part,
): Promise<SubscriptionRow[]> {
  // one that ends with its period may still have to end now
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

/** One with a refund has a job of its own (ending-refunds.ts). */
async function enqueueEnds(tx: TxCtx, ends: (Queued & End)[]): Promise<void> {
  const refunded = ends.filter(({ reason }) => reason === 'refunded');
  const others = ends.filter(({ reason }) => reason !== 'refunded');
  await tx.jobs.enqueueAll(
    refundEnd,
    refunded.map(({ subscriptionId }) => ({ subscriptionId })),
  );
  await tx.jobs.enqueueAll(endSubscription, others);
}

/** An end with a refund is under way, and nothing replaces it. */
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

/** Ends that the provider was not told, because their jobs ran out of attempts. Subscribers' own are theirs to repeat. */
export async function recoverEnds(ctx: Ctx): Promise<void> {
  const hasNoEnd = or(isNull(subscriptions.endsAt), inArray(subscriptions.endReason, AT_ONCE));
  // refunds have a schedule of their own (ending-refunds.ts)
  const isOurs = notInArray(subscriptions.endReason, ['subscriber', 'refunded']);
  await transact(ctx, (tx) => repeatEnds(tx, and(hasNoEnd, isOurs), BILLING_LIMITS.pendingEnds));
}

/** Tells the provider again about ends that were decided before: at once or with the period, as their reasons say. */
export async function repeatEnds(tx: TxCtx, which: SQL | undefined, limit: number): Promise<void> {
  const decided = await tx.db
    .select({ subscription: subscriptions, show: products })
    .from(subscriptions)
    .leftJoin(products, eq(products.id, subscriptions.productId))
    .where(and(which, isNull(subscriptions.endedAt), isNotNull(subscriptions.endReason)))
    // those that always fail keep no others waiting for long
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
/** Nobody pays for a show that is deleted or free already, not even what is overdue (show-endings.ts). */
const isOver = (reason: EndReason, show: ProductRow | null): boolean =>
  (reason === 'creator' && show?.retiredAt != null) || (reason === 'show_becomes_free' && show?.priceMinor === null);

const whenOf = (reason: EndReason, purpose: SubscriptionRow['purpose'], show: ProductRow | null): End['when'] =>
  purpose === 'donation' || AT_ONCE.includes(reason) || isOver(reason, show) ? 'now' : 'at_period_end';

/** Calls the ends of these subscriptions off that have one of these reasons, and no others. @returns their ids */
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

/** Tells the payment provider about an end. Does nothing if the reason was replaced or called off. */
export async function endQueued(ctx: Ctx, { subscriptionId, reason, when }: Queued & Pick<End, 'when'>): Promise<void> {
  const row = await lookupById(ctx, subscriptionId);
  if (!row || row.endedAt || row.endReason !== reason) return;
  if (when === 'at_period_end' && row.endsAt) return;
  await tellEnd(ctx, row, { when });
  const after = await lookupById(ctx, subscriptionId);
  // called off while the provider was told
  if (after?.endsAt && !after.endedAt && after.endReason === null) await tellResume(ctx, row);
}

/** Calls an end off at the payment provider, unless it has another reason by now. */
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

/** Ends a subscription at the provider, and writes what it shows then. Repeating it is harmless. */
export async function tellEnd(
  ctx: Ctx,
  { providerId, account }: SubscriptionRow,
  { when, comment }: Told,
): Promise<void> {
  // scheduling an end twice changes nothing, and an old key would hide that it was called off in between
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

/** It has ended meanwhile, which the sync writes. */
export function ignoreConflict(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'payments.conflict')) throw error;
}

async function lookupById(ctx: Pick<Ctx, 'db'>, id: number): Promise<SubscriptionRow | null> {
  const [row] = await ctx.db.select().from(subscriptions).where(eq(subscriptions.id, id));
  return row ?? null;
}
