import { and, eq, isNull, ne } from 'drizzle-orm';
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

/** @param id from a reference at the provider, which may be anything */
export async function lookupCheckout(ctx: Db, id: string | undefined): Promise<CheckoutRow | null> {
  if (!id || !UUID.test(id)) return null;
  const [row] = await ctx.db.select().from(checkouts).where(eq(checkouts.id, id));
  return row ?? null;
}

/**
 * The same, if it belongs to the account at the provider on which the context acts: anybody can write anything into the
 * references of an account of their own.
 */
export async function lookupOwnCheckout(
  ctx: Pick<Ctx, 'db' | 'ports'>,
  id: string | undefined,
): Promise<CheckoutRow | null> {
  const row = await lookupCheckout(ctx, id);
  return row?.account === ctx.ports.payments.account ? row : null;
}

/** The context of the account at the provider where a payment page is; the given one if we do not know it. */
export async function onCheckoutsAccount(ctx: Ctx, providerId: string): Promise<Ctx> {
  const [row] = await ctx.db
    .select({ account: checkouts.account })
    .from(checkouts)
    .where(eq(checkouts.providerId, providerId));
  return row ? onAccount(ctx, row.account) : ctx;
}

/** The same, locked until the end of the transaction. */
export async function lockCheckout(tx: Db, id: string): Promise<CheckoutRow> {
  const [row] = await tx.db.select().from(checkouts).where(eq(checkouts.id, id)).for('update');
  if (!row) throw new Error(`checkout ${id} is missing`);
  return row;
}

export async function lookupSubscription(ctx: Db, providerId: string): Promise<SubscriptionRow | null> {
  const [row] = await ctx.db.select().from(subscriptions).where(eq(subscriptions.providerId, providerId));
  return row ?? null;
}

/** The same, locked until the end of the transaction. */
export async function lockSubscription(tx: Db, providerId: string): Promise<SubscriptionRow | null> {
  const [row] = await tx.db.select().from(subscriptions).where(eq(subscriptions.providerId, providerId)).for('update');
  return row ?? null;
}

export async function lookupSale(ctx: Db, paymentId: string): Promise<SaleRow | null> {
  const [row] = await ctx.db.select().from(sales).where(eq(sales.paymentId, paymentId));
  return row ?? null;
}

type Item = { userId: number; productId: number };

/** Whether the person subscribes to the show, by another subscription than the one given. */
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

/** Whether a plan of the creator's runs, by another subscription than the one given. */
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

/** What decides whether a show is for sale now. Null if it is deleted. */
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
