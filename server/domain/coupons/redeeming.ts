import { and, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import { couponRedemptions, coupons } from '~/db/schema/coupons';
import type { TxCtx } from '../../ctx';
import { invalidCoupon } from './errors';

export type Reservation = { couponId: number; checkoutId: string; userId: number | null };

/** Takes one of the coupon's redemptions for a checkout. @throws coupon.invalid if none is left */
export async function reserveCoupon(tx: TxCtx, { couponId, checkoutId, userId }: Reservation): Promise<void> {
  const hasRoom = or(isNull(coupons.maxRedemptions), lt(coupons.taken, coupons.maxRedemptions));
  const taken = await tx.db
    .update(coupons)
    .set({ taken: sql`${coupons.taken} + 1`, updatedAt: tx.now() })
    .where(and(eq(coupons.id, couponId), isNull(coupons.disabledAt), hasRoom))
    .returning({ id: coupons.id });
  if (taken.length === 0) throw invalidCoupon();
  const now = tx.now();
  await tx.db.insert(couponRedemptions).values({ couponId, checkoutId, userId, createdAt: now, updatedAt: now });
}

/** Gives the redemption of a checkout back that nobody paid. Repeating it changes nothing. */
export async function releaseCoupon(tx: TxCtx, checkoutId: string): Promise<void> {
  const [released] = await setState(tx, { checkoutId, from: ['reserved'], state: 'released' });
  if (!released) return;
  await tx.db
    .update(coupons)
    .set({ taken: sql`${coupons.taken} - 1`, updatedAt: tx.now() })
    .where(eq(coupons.id, released.couponId));
}

/**
 * Uses the redemption of a checkout that was paid. A page that was closed and paid all the same has given it back: it
 * counts, although it may be one too many for the cap.
 */
export async function redeemCoupon(tx: TxCtx, checkoutId: string): Promise<void> {
  await setState(tx, { checkoutId, from: ['reserved', 'released'], state: 'redeemed' });
}

type State = 'reserved' | 'redeemed' | 'released';

const setState = (tx: TxCtx, change: { checkoutId: string; from: State[]; state: State }) =>
  tx.db
    .update(couponRedemptions)
    .set({ state: change.state, updatedAt: tx.now() })
    .where(and(eq(couponRedemptions.checkoutId, change.checkoutId), inArray(couponRedemptions.state, change.from)))
    .returning({ couponId: couponRedemptions.couponId });
