import { and, eq, gt, isNull, lt, or, sql } from 'drizzle-orm';
import { checkouts } from '~/db/schema/checkouts';
import { couponRedemptions, coupons } from '~/db/schema/coupons';
import type { TxCtx } from '../../runtime/ctx';
import { invalidCoupon } from './errors';

export type Reservation = { couponId: number; checkoutId: string; userId: number | null };

/**
 * Reserves one of the coupon's redemptions for a checkout, in the transaction that inserts the checkout: if 20 buyers
 * come at once, only as many as are left succeed.
 * @throws coupon.invalid if no redemption is left, or the coupon has ended
 */
export async function reserveCoupon(tx: TxCtx, { couponId, checkoutId, userId }: Reservation): Promise<void> {
  const taken = await tx.db
    .update(coupons)
    .set({ taken: sql`${coupons.taken} + 1`, updatedAt: tx.now() })
    .where(and(eq(coupons.id, couponId), isNull(coupons.disabledAt), whereNotEnded(tx.now()), whereLeft()))
    .returning({ id: coupons.id });
  if (taken.length === 0) throw invalidCoupon();
  const now = tx.now();
  await tx.db.insert(couponRedemptions).values({ couponId, checkoutId, userId, createdAt: now, updatedAt: now });
}

/** Releases the redemption of an unpaid checkout. Repeating it changes nothing. */
export async function releaseCoupon(tx: TxCtx, checkoutId: string): Promise<void> {
  const released = await setState(tx, { checkoutId, from: 'reserved', state: 'released' });
  if (released === null) return;
  await tx.db
    .update(coupons)
    .set({ taken: sql`${coupons.taken} - 1`, updatedAt: tx.now() })
    .where(eq(coupons.id, released));
}

/**
 * Redeems the coupon for a paid checkout. A page that was closed but paid anyway has released its redemption; it takes
 * one again, even above the cap, because the payment counts. Repeating it changes nothing.
 */
export async function redeemCoupon(tx: TxCtx, checkoutId: string): Promise<void> {
  if ((await setState(tx, { checkoutId, from: 'reserved', state: 'redeemed' })) !== null) return;
  const again = await setState(tx, { checkoutId, from: 'released', state: 'redeemed' });
  if (again === null) return;
  await tx.db
    .update(coupons)
    .set({ taken: sql`${coupons.taken} + 1`, updatedAt: tx.now() })
    .where(eq(coupons.id, again));
}

/** A coupon may end between the buyer's look at the price and the payment page. */
export const whereNotEnded = (now: Date) => or(isNull(coupons.endsAt), gt(coupons.endsAt, now));
const whereLeft = () => or(isNull(coupons.maxRedemptions), lt(coupons.taken, coupons.maxRedemptions));

type State = 'reserved' | 'redeemed' | 'released';

/** @returns the coupon; null if the redemption was not in the expected state */
async function setState(
  tx: TxCtx,
  { checkoutId, from, state }: { checkoutId: string; from: State; state: State },
): Promise<number | null> {
  // a guest's checkout has an account once it is settled
  const buyer = tx.db.select({ id: checkouts.userId }).from(checkouts).where(eq(checkouts.id, checkoutId));
  const [changed] = await tx.db
    .update(couponRedemptions)
    .set({ state, userId: sql`coalesce(${couponRedemptions.userId}, (${buyer}))`, updatedAt: tx.now() })
    .where(and(eq(couponRedemptions.checkoutId, checkoutId), eq(couponRedemptions.state, from)))
    .returning({ couponId: couponRedemptions.couponId });
  return changed?.couponId ?? null;
}
