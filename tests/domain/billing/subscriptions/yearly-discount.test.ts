import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { subscriptions } from '~/db/schema/billing';
import { findUsableCoupon, orderedCoupon } from '~/server/domain/coupons/usable-coupon';
import { shop, showItem } from '../../../support/shop';

const { runtime, ctx, ctxOf, make, lucia, settle, buy } = await shop();

test('before a change to yearly, the lines add up to the amount that is charged, also with a coupon', async () => {
  const show = await make.product(lucia, { name: 'De pago', priceMinor: 400, annualPriceMinor: 4000 });
  const { id: userId, api } = await make.person();
  const terms = { discountType: 'flat', discount: '1.50', duration: 'lifetime', productId: show.id } as const;
  await lucia.api.coupons.create({ ...terms, couponCode: 'SIEMPRE' });
  const request = { code: 'SIEMPRE', productId: show.id, every: 'month' as const };
  const coupon = orderedCoupon(ctx, await findUsableCoupon(ctxOf({ id: userId, creatorId: null }), request));
  await buy({ ...showItem(show, { userId }), coupon });
  await settle();
  const [row] = await runtime.db.select().from(subscriptions).where(eq(subscriptions.userId, userId));

  const { yearly, credit, discount, due } = await api.subscriptions.yearlyPreview({ id: row!.id });

  // 2.50 were paid for the month, of which all is unused
  expect([yearly, credit, discount, due].map(({ minor }) => minor)).toEqual([4000, 250, 150, 3600]);
});
