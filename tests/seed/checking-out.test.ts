import { and, eq } from 'drizzle-orm';
import { payByForms } from 'stripe-sandbox/testing/pay-by-forms';
import { expect, test } from 'vitest';
import { checkouts } from '~/db/schema/checkouts';
import { DAYS, later } from '~/server/base/time';
import { openCheckout } from '~/server/domain/billing/checkout/checkouts';
import { payOnce } from '~/server/seed/checking-out';
import { ADDRESSES, GOOD_CARD, shop, showItem } from '../support/shop';

const { runtime, ctx, clock, fetch, sandbox, make, lucia, tom } = await shop();

test('a payment page that has expired since an earlier start is replaced, and the purchase is made once', async () => {
  const show = await make.product(lucia, { name: 'De pago', priceMinor: 500 });
  const item = { ...showItem(show, { userId: tom.id }), paths: ADDRESSES };
  await openCheckout(ctx, item);
  clock.now = later(clock.now, DAYS(2));
  await sandbox.tick();
  const isIt = and(eq(checkouts.userId, tom.id), eq(checkouts.productId, show.id));
  const pay = (url: string) =>
    payByForms(fetch, url, { number: GOOD_CARD, email: 'tom@mail.example', proven: true }).then(() => {});
  const payment = { isIt, open: () => openCheckout(ctx, item), pay };

  const id = await payOnce(ctx, payment);

  expect(await payOnce(ctx, payment)).toBe(id);
  const rows = await runtime.db.select().from(checkouts).where(isIt).orderBy(checkouts.createdAt);
  expect(rows.map(({ status }) => status)).toEqual(['closed', 'settled']);
});
