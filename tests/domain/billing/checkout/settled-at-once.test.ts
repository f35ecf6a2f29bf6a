import { eq } from 'drizzle-orm';
import { payByForms } from 'stripe-sandbox/testing/pay-by-forms';
import { expect, test } from 'vitest';
import { subscriptions } from '~/db/schema/billing';
import { checkouts } from '~/db/schema/checkouts';
import { coupons } from '~/db/schema/coupons';
import { later, MINUTES } from '~/server/base/time';
import { openCheckout } from '~/server/domain/billing/checkout/checkouts';
import { recoverPayments, syncExpiredCheckout } from '~/server/domain/billing/provider-sync/events';
import { syncCheckout } from '~/server/domain/billing/provider-sync/sync-checkout';
import { findUsableCoupon, orderedCoupon } from '~/server/domain/coupons/usable-coupon';
import { syncOpenCheckout } from '~/server/queue/jobs/billing';
import { lockWaits } from '../../../support/lock-waits';
import { runJobs } from '../../../support/run-jobs';
import { ADDRESSES, GOOD_CARD, shop, showItem } from '../../../support/shop';

const { runtime, ctx, make, visitorCtx, lucia, paidPodcast, sandbox, fetch, clock, buy, settle, pauseAt } =
  await shop();
const { db } = runtime;
const paidSeries = await make.product(lucia, { kind: 'audio_series', name: 'Serie de pago', priceMinor: 1500 });
type Item = Parameters<typeof buy>[0];

/** Pays on a separate page, like another browser in which the buyer is not logged in. */
async function pay(item: Item): Promise<string> {
  const { id, url } = await openCheckout(ctx, { ...item, paths: ADDRESSES });
  await payByForms(fetch, url, { number: GOOD_CARD, proven: true });
  return id;
}
const rowOf = async (id: string) => (await db.select().from(checkouts).where(eq(checkouts.id, id)))[0]!;

test.each([
  ['subscriptions', paidPodcast],
  ['purchases', paidSeries],
])('two %s for one show that are settled at once: the second one is refused', async (_, show) => {
  const buyer = await make.person();
  const ids = [
    await pay(showItem(show, { userId: buyer.id })),
    await pay(showItem(show, { email: buyer.email, browserHash: 'other' })),
  ];
  const [first, second] = await Promise.all(ids.map(rowOf));
  const pause = pauseAt('settle.decided');

  const settled = syncCheckout(ctx, first!.providerId!);
  await pause.reachedBy(settled);
  const refused = syncCheckout(ctx, second!.providerId!);
  await Promise.race([refused, lockWaits(db)]);
  pause.goOn();
  await Promise.all([settled, refused]);

  const reasons = (await Promise.all(ids.map(rowOf))).map(({ refusedFor }) => refusedFor);
  expect(reasons).toEqual([null, 'already_subscribed']);
});

test('a refused subscription is shown as ended, although no webhook tells of its end', async () => {
  const buyer = await make.person();
  await buy(showItem(paidPodcast, { userId: buyer.id }));
  await settle();
  const again = await pay(showItem(paidPodcast, { email: buyer.email, browserHash: 'again' }));

  await syncCheckout(ctx, (await rowOf(again)).providerId!);

  const [refused] = await db.select().from(subscriptions).where(eq(subscriptions.checkoutId, again));
  expect(refused).toMatchObject({ endReason: 'duplicate', endedAt: expect.any(Date) });
});

test('two clicks of a buyer without an account open one payment page', async () => {
  const item = showItem(paidSeries, { email: 'guest@mail.example', browserHash: 'guest' });
  const open = () => openCheckout(ctx, { ...item, paths: ADDRESSES });
  const pause = pauseAt('checkout.looked');
  const first = open();
  await pause.reachedBy(first);
  const second = open();
  await Promise.race([second, lockWaits(db)]);

  pause.goOn();

  expect((await first).id).toBe((await second).id);
});

test('a refused payment gives the redemption of its coupon back', async () => {
  const buyer = await make.person();
  const terms = { discountType: 'percentage', discount: '20', productId: paidPodcast.id, redemptions: 1 } as const;
  const { id } = await lucia.api.coupons.create({ ...terms, couponCode: 'ONCE' });
  const request = { code: 'ONCE', productId: paidPodcast.id, every: 'month', browserHash: 'a' } as const;
  const coupon = orderedCoupon(ctx, await findUsableCoupon(visitorCtx(), request));
  await buy(showItem(paidPodcast, { userId: buyer.id }));
  await settle();
  const again = await pay({ ...showItem(paidPodcast, { email: buyer.email, browserHash: 'a' }), coupon });

  await settle();

  expect(await rowOf(again)).toMatchObject({ status: 'settled', refusedFor: 'already_subscribed' });
  expect(await db.select().from(coupons).where(eq(coupons.id, id))).toMatchObject([{ taken: 0 }]);
});

test('a payment page that has expired without an event is looked at', async () => {
  const { id } = await openCheckout(ctx, { ...showItem(paidSeries, { userId: lucia.id }), paths: ADDRESSES });
  clock.now = later((await rowOf(id)).expiresAt, MINUTES(1));
  await sandbox.tick();

  await recoverPayments(ctx);
  await runJobs(runtime, syncOpenCheckout.name, (payload, of) => syncExpiredCheckout(of, payload));

  expect(await rowOf(id)).toMatchObject({ status: 'closed' });
});
