import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { creators } from '~/db/schema/creators';
import { openCheckout } from '~/server/domain/billing/checkout/checkouts';
import { redeemCoupon } from '~/server/domain/coupons/redeem-coupon';
import { findUsableCoupon, orderedCoupon } from '~/server/domain/coupons/usable-coupon';
import { transact } from '~/server/runtime/ctx';
import { ADDRESSES, shop, showItem } from '../../support/shop';
import '../../support/matchers';

const { runtime, make, ctx, ctxOf, lucia, paidPodcast, pass } = await shop();
const { db } = runtime;
await db.update(creators).set({ timeZone: 'Europe/Madrid' }).where(eq(creators.id, lucia.creatorId));
const ENDS = new Date('2026-03-05T23:00:00Z');
const terms = { discountType: 'percentage', discount: '20', productId: paidPodcast.id, lastDay: '2026-03-05' } as const;
const request = (code: string) => ({ code, productId: paidPodcast.id, every: 'month' as const });
const listed = async (state?: 'ended' | 'active') => (await lucia.api.coupons.list({ state })).items;

test('a coupon ends with its last day in the creator’s time zone, and an open payment page keeps its price', async () => {
  const { id } = await lucia.api.coupons.create({ ...terms, couponCode: 'BLACKFRIDAY' });
  const [early, late] = [await make.person(), await make.person()];
  const item = async (person: { id: number; creatorId?: number | null }) => {
    const usable = await findUsableCoupon(ctxOf({ creatorId: null, ...person }), request('blackfriday'));
    return { ...showItem(paidPodcast, { userId: person.id }), coupon: orderedCoupon(ctx, usable), paths: ADDRESSES };
  };
  await pass(new Date(ENDS.getTime() - 1000));
  const opened = await openCheckout(ctx, await item(early));
  const prepared = await item(late);
  expect(await listed('active')).toMatchObject([{ id, state: 'active', endsAt: ENDS }]);

  await pass(ENDS);

  expect(await listed('ended')).toMatchObject([{ id, state: 'ended', endsAt: ENDS }]);
  expect(await listed('active')).toEqual([]);
  await expect(item(late)).toFailWith('coupon.invalid');
  // the code ended between the check and the payment page
  await expect(openCheckout(ctx, prepared)).toFailWith('coupon.invalid');
  expect(await openCheckout(ctx, await item(early))).toEqual(opened);
  await transact(ctx, (tx) => redeemCoupon(tx, opened.id));
  expect(await listed('ended')).toMatchObject([{ id, redeemed: 1 }]);
});

test('a last day that is over is refused, and today is not', async () => {
  await pass(new Date('2026-03-08T22:30:00Z'));

  await expect(lucia.api.coupons.create({ ...terms, couponCode: 'LATE', lastDay: '2026-03-07' })).toFailWith(
    'coupon.last_day_over',
  );
  await expect(lucia.api.coupons.create({ ...terms, couponCode: 'NEVER', lastDay: '9999-12-31' })).toFailWith(
    'field.date_invalid',
  );
  await lucia.api.coupons.create({ ...terms, couponCode: 'TODAY', lastDay: '2026-03-08' });
  expect((await listed('active')).map(({ code }) => code)).toEqual(['TODAY']);
});
