import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { coupons } from '~/db/schema/coupons';
import { createCoupon, setCouponState } from '../domain/coupons/manage-coupons';
import { redeemCoupon, reserveCoupon } from '../domain/coupons/redeem-coupon';
import * as schema from '../domain/coupons/schema';
import { lookupProductBySlug } from '../domain/products/queries';
import { requireCreator } from '../policy/actor';
import { type Ctx, transact } from '../runtime/ctx';
import type { Runtime } from '../runtime/runtime';
import { actAs } from './acting';
import type { DemoCoupon, DemoPerson } from './demo-types';

/** Creates each kind of coupon, in each state. */
export async function seedCoupons(runtime: Runtime, cast: readonly DemoPerson[]): Promise<void> {
  for (const person of cast) {
    if (!person.coupons) continue;
    const ctx = await actAs(runtime, person);
    for (const coupon of person.coupons) await ensureCoupon(ctx, coupon);
  }
}

async function ensureCoupon(ctx: Ctx, { slug, uses = 0, isDisabled, ...terms }: DemoCoupon): Promise<void> {
  const { creatorId } = requireCreator(ctx);
  const found = await lookupProductBySlug(ctx, creatorId, slug);
  const known = await ctx.db.select({ code: coupons.code }).from(coupons).where(eq(coupons.creatorId, creatorId));
  if (!found || known.some(({ code }) => code === terms.couponCode)) return;
  const input = schema.createCoupon.parse({ productId: found.product.id, ...terms });
  await transact(ctx, async (tx) => {
    const { id: couponId } = await createCoupon(tx, input);
    for (let i = 0; i < uses; i += 1) {
      const checkoutId = randomUUID();
      await reserveCoupon(tx, { couponId, checkoutId, userId: null });
      await redeemCoupon(tx, checkoutId);
    }
    if (isDisabled) await setCouponState(tx, { id: couponId, disabled: true });
  });
}
