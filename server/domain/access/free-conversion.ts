import { and, eq, isNotNull } from 'drizzle-orm';
import { grants } from '~/db/schema/access';
import { creators } from '~/db/schema/creators';
import { products } from '~/db/schema/products';
import type { Money } from '../../base/money';
import { authorize } from '../../policy/authorize';
import { whereProductVisible } from '../../policy/visibility';
import { syncShowSubscriptions } from '../../queue/jobs/billing';
import { completeConversion } from '../../queue/jobs/products';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { queueAccountEmail } from '../accounts/base/email-links';
import { findUser } from '../accounts/base/queries';
import { requireRoomForProduct } from '../plans/quotas';
import { alreadyFree, notBecomingFree, productNotFound, refundingSubscribers } from '../products/errors';
import { KINDS } from '../products/kinds';
import { keepPaid, lockProduct, makeFree, waitForLastSubscription } from '../products/price-product';
import { findProductRecord, type ProductRow } from '../products/queries';
import type { FindProduct, FreeConversion, StartFreeConversion } from '../products/schema';
import { countGrants, countPaying, lastSubscriptionEnd, sumPrices, whereSubscribed } from '../products/subscribers';
import { recordAbout } from '../team/activity';

/**
 * A paid show becomes free only once it has no subscribers (spec §4). Its subscriptions end with their periods, or now
 * with their unused part refunded. New subscriptions are refused meanwhile, and a job completes the change when the
 * last subscription has ended (docs/decisions/0143 and 0187).
 */
export type ConversionState = {
  isFree: boolean;
  /** When the show began to wait for its last subscription to end; null if it does not wait. */
  waitingSince: Date | null;
  /** How the subscriptions end; null if the show does not wait. */
  how: FreeConversion | null;
  /** Number of subscriptions that have not ended; `subscribersAtStart`: their number when the show began to wait. */
  subscribers: number;
  subscribersAtStart: number;
  lastEnd: Date | null;
  /** The prices of the running subscriptions, by currency: about what was paid for their present periods. */
  prices: Money[];
};

/** @throws product.not_found */
export async function freeConversionState(ctx: Ctx, { id, kind }: FindProduct): Promise<ConversionState> {
  const { product } = await findProductRecord(ctx, id, kind);
  const own = authorize(ctx, 'product.price', product);
  const since = own.freeConversionAt;
  const [{ subscriptions }, lastEnd, atStart, prices] = await Promise.all([
    countPaying(ctx, own.id),
    lastSubscriptionEnd(ctx, own.id),
    since && countGrants(ctx, own.id, since),
    sumPrices(ctx, own),
  ]);
  const subscribersAtStart = atStart ? (atStart.subscription ?? 0) : subscriptions;
  return {
    isFree: own.priceMinor === null,
    waitingSince: since,
    how: own.freeConversion,
    subscribers: subscriptions,
    subscribersAtStart,
    lastEnd,
    prices,
  };
}

/**
 * Ends all subscriptions and makes the show free after the last one ends, or at once if there are no subscriptions.
 * Repeating it changes nothing. A show that waits for the ends of periods can change to refunds.
 * @throws product.already_free, plan.max_free_products
 */
export async function startFreeConversion(ctx: Ctx, { id, kind, how }: StartFreeConversion): Promise<void> {
  const { product } = await findProductRecord(ctx, id, kind);
  const own = authorize(ctx, 'product.price', product);
  await transact(ctx, async (tx) => {
    const current = await lockProduct(tx, own.id);
    if (!current) throw productNotFound();
    if (current.priceMinor === null) throw alreadyFree();
    if (current.freeConversion === 'refund' || current.freeConversion === how) return;
    await recordAbout(tx, how === 'refund' ? 'product.refunding' : 'product.becoming_free', own);
    await requireRoomForProduct(tx, { creatorId: own.creatorId, isPaid: false });
    const { subscriptions } = await countPaying(tx, own.id);
    await tx.jobs.enqueue(syncShowSubscriptions, { productId: own.id });
    if (subscriptions === 0) return makeFree(tx, current);
    await waitForLastSubscription(tx, current, how);
    await stopRenewals(tx, own.id);
    await enqueueCompletion(tx, own.id);
  });
}

/**
 * Keeps the show paid: the subscriptions whose renewal the change stopped renew again. Refunds stay.
 * @throws product.not_becoming_free, product.refunding_subscribers
 */
export async function callOffFreeConversion(ctx: Ctx, { id, kind }: FindProduct): Promise<void> {
  const { product } = await findProductRecord(ctx, id, kind);
  const own = authorize(ctx, 'product.price', product);
  await transact(ctx, async (tx) => {
    const current = await lockProduct(tx, own.id);
    if (!current?.freeConversion) throw notBecomingFree();
    if (current.freeConversion === 'refund') throw refundingSubscribers();
    await keepPaid(tx, current);
    await recordAbout(tx, 'product.kept_paid', own);
    await resumeRenewals(tx, own.id);
    await tx.jobs.enqueue(syncShowSubscriptions, { productId: own.id });
  });
}

/**
 * Makes a waiting show free once its last subscription has ended, and tells its creator. Does nothing before that, or
 * if the change was called off.
 * @returns whether the show became free
 */
export async function completeFreeConversion(ctx: Ctx, { productId }: { productId: number }): Promise<boolean> {
  return transact(ctx, async (tx) => {
    const current = await lockProduct(tx, productId);
    if (!current?.freeConversion) return false;
    authorize(tx, 'product.manage', current);
    const { subscriptions } = await countPaying(tx, productId);
    if (subscriptions > 0) return false;
    await makeFree(tx, current);
    // overdue subscriptions give no access, but could still be charged
    await tx.jobs.enqueue(syncShowSubscriptions, { productId });
    await tellCreator(tx, current);
    return true;
  });
}

/** Completes changes whose job was lost, or whose last subscription ended in another way. */
export async function recoverFreeConversions(ctx: Ctx): Promise<void> {
  const waiting = await ctx.db
    .select({ productId: products.id })
    .from(products)
    .where(and(isNotNull(products.freeConversion), whereProductVisible()))
    .limit(RECOVERED_AT_ONCE);
  await transact(ctx, async (tx) => {
    for (const { productId } of waiting) await tx.jobs.enqueue(completeConversion, { productId });
  });
}

const RECOVERED_AT_ONCE = 500;

async function enqueueCompletion(tx: TxCtx, productId: number): Promise<void> {
  const at = await lastSubscriptionEnd(tx, productId);
  if (at) await tx.jobs.enqueue(completeConversion, { productId }, { at });
}

/** Billing reads `renewalStoppedAt` to set the same at the payment provider. */
async function stopRenewals(tx: TxCtx, productId: number): Promise<void> {
  await tx.db
    .update(grants)
    .set({ renews: false, renewalStoppedAt: tx.now(), updatedAt: tx.now() })
    .where(and(whereSubscribed(tx, productId), eq(grants.renews, true)));
}

/** Skips subscriptions that subscribers have cancelled themselves. */
async function resumeRenewals(tx: TxCtx, productId: number): Promise<void> {
  const stopped = and(whereSubscribed(tx, productId), isNotNull(grants.renewalStoppedAt));
  await tx.db.update(grants).set({ renews: true, updatedAt: tx.now() }).where(stopped);
  await tx.db.update(grants).set({ renewalStoppedAt: null }).where(eq(grants.productId, productId));
}

async function tellCreator(tx: TxCtx, product: ProductRow): Promise<void> {
  const [owner] = await tx.db
    .select({ userId: creators.userId })
    .from(creators)
    .where(eq(creators.id, product.creatorId));
  const user = owner && (await findUser(tx, owner.userId));
  if (!user) return;
  const url = tx.urls.app(`/${KINDS[product.kind].path}/${product.id}`);
  await queueAccountEmail(tx, user, { topic: 'show_became_free', url, show: product.name });
}
