import { and, eq, isNotNull, isNull, ne } from 'drizzle-orm';
import { grants } from '~/db/schema/access';
import { sales, subscriptions } from '~/db/schema/billing';
import { checkouts } from '~/db/schema/checkouts';
import { products } from '~/db/schema/products';
import { whereLiveGrant } from '../../../policy/visibility';
import type { Ctx } from '../../../runtime/ctx';
import { onAccount } from '../../payouts/seller-status';
import type { SubscriptionRow } from './rules';

export type CheckoutRow = typeof checkouts.$inferSelect;
export type SaleRow = typeof sales.$inferSelect;
type Db = Pick<Ctx, 'db'>;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @param id untrusted: it comes from a reference at the provider */
export async function lookupCheckout(ctx: Db, id: string | undefined): Promise<CheckoutRow | null> {
  if (!id || !UUID.test(id)) return null;
  const [row] = await ctx.db.select().from(checkouts).where(eq(checkouts.id, id));
  return row ?? null;
}

/**
 * Finds a checkout only if it belongs to the provider's account on which the context acts: creators can write any value
 * into the references of their own accounts.
 */
export async function lookupOwnCheckout(
  ctx: Pick<Ctx, 'db' | 'ports'>,
  id: string | undefined,
): Promise<CheckoutRow | null> {
  const row = await lookupCheckout(ctx, id);
  return row?.account === ctx.ports.payments.account ? row : null;
}

/** The context of the provider's account where a payment page is; the given context if the page is unknown. */
export async function onCheckoutsAccount(ctx: Ctx, providerId: string): Promise<Ctx> {
  const [row] = await ctx.db
    .select({ account: checkouts.account })
    .from(checkouts)
    .where(eq(checkouts.providerId, providerId));
  return row ? onAccount(ctx, row.account) : ctx;
}

/** Like lookupCheckout, with a lock until the end of the transaction. */
export async function lockCheckout(tx: Db, id: string): Promise<CheckoutRow> {
  const [row] = await tx.db.select().from(checkouts).where(eq(checkouts.id, id)).for('update');
  if (!row) throw new Error(`checkout ${id} is missing`);
  return row;
}

export async function lookupSubscription(ctx: Db, providerId: string): Promise<SubscriptionRow | null> {
  const [row] = await ctx.db.select().from(subscriptions).where(eq(subscriptions.providerId, providerId));
  return row ?? null;
}

/** Like lookupSubscription, with a lock until the end of the transaction. */
export async function lockSubscription(tx: Db, providerId: string): Promise<SubscriptionRow | null> {
  const [row] = await tx.db.select().from(subscriptions).where(eq(subscriptions.providerId, providerId)).for('update');
  return row ?? null;
}

export async function lookupSale(ctx: Db, paymentId: string): Promise<SaleRow | null> {
  const [row] = await ctx.db.select().from(sales).where(eq(sales.paymentId, paymentId));
  return row ?? null;
}

type Item = { userId: number; productId: number };

/** Whether the person has another subscription to the show than the given one. */
export async function subscribesTo(ctx: Db, item: Item, exceptProviderId = ''): Promise<boolean> {
  const [row] = await ctx.db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.userId, item.userId),
        eq(subscriptions.productId, item.productId),
        isNull(subscriptions.endedAt),
        ne(subscriptions.providerId, exceptProviderId),
      ),
    )
    .limit(1);
  return row !== undefined;
}

/** Whether the person has ever subscribed to the show. */
export async function hasSubscribed(ctx: Db, { userId, productId }: Item): Promise<boolean> {
  const own = and(eq(subscriptions.userId, userId), eq(subscriptions.productId, productId));
  return (await ctx.db.$count(subscriptions, and(own, eq(subscriptions.purpose, 'show')))) > 0;
}

/** Whether the creator's plan is paid by another running subscription than the given one. */
export async function runsPlan(ctx: Db, creatorId: number, exceptProviderId: string): Promise<boolean> {
  const [row] = await ctx.db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.creatorId, creatorId),
        eq(subscriptions.purpose, 'plan'),
        isNull(subscriptions.endedAt),
        ne(subscriptions.providerId, exceptProviderId),
      ),
    )
    .limit(1);
  return row !== undefined;
}

/** The subscription that pays for the creator's plan now. */
export async function lookupPlanSubscription(ctx: Db, creatorId: number): Promise<SubscriptionRow | null> {
  const isOwn = and(eq(subscriptions.creatorId, creatorId), eq(subscriptions.purpose, 'plan'));
  const [row] = await ctx.db
    .select()
    .from(subscriptions)
    .where(and(isOwn, isNull(subscriptions.endedAt)))
    .limit(1);
  return row ?? null;
}

/** The provider's id of a payment page for a plan of the creator that we believe to be open. */
export async function lookupOpenPlanPage(ctx: Db, creatorId: number): Promise<string | null> {
  const { providerId, purpose, status } = checkouts;
  const isOpen = and(eq(purpose, 'plan'), eq(status, 'open'), isNotNull(providerId));
  const [row] = await ctx.db
    .select({ providerId })
    .from(checkouts)
    .where(and(eq(checkouts.creatorId, creatorId), isOpen))
    .limit(1);
  return row?.providerId ?? null;
}

/** Whether the person has bought the audio series. */
export async function hasPurchased(ctx: Pick<Ctx, 'db' | 'now'>, { userId, productId }: Item): Promise<boolean> {
  const [row] = await ctx.db
    .select({ id: grants.id })
    .from(grants)
    .where(
      and(
        eq(grants.userId, userId),
        eq(grants.productId, productId),
        eq(grants.source, 'purchase'),
        whereLiveGrant(ctx.now().toISOString()),
      ),
    )
    .limit(1);
  return row !== undefined;
}

/** Facts that decide whether a show is for sale now. Null if the show is deleted. */
export async function lookupOffer(ctx: Db, productId: number) {
  const [row] = await ctx.db
    .select({
      id: products.id,
      kind: products.kind,
      name: products.name,
      creatorId: products.creatorId,
      priceMinor: products.priceMinor,
      annualPriceMinor: products.annualPriceMinor,
      currency: products.currency,
      freeConversion: products.freeConversion,
      archivedAt: products.archivedAt,
      takenDownAt: products.takenDownAt,
    })
    .from(products)
    .where(and(eq(products.id, productId), isNull(products.retiredAt)));
  return row ?? null;
}
