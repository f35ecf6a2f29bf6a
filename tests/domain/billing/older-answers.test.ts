import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { sales, subscriptions } from '~/db/schema/billing';
import { transact } from '~/server/ctx';
import { queueEnds } from '~/server/domain/billing/ending';
import { syncRefunds } from '~/server/domain/billing/refunds';
import { syncSubscription } from '~/server/domain/billing/subscriptions';
import { later, SECONDS } from '~/server/time';
import { lockWaits } from '../../support/lock-waits';
import { shop, showItem } from '../../support/shop';

const { runtime, ctx, make, lucia, paidPodcast, payments, clock, buy, settle, pauseAt } = await shop();
const { db } = runtime;

async function subscribed() {
  const { id: userId } = await make.person();
  await buy(showItem(paidPodcast, { userId }));
  await settle();
  const read = async () => (await db.select().from(subscriptions).where(eq(subscriptions.userId, userId)))[0]!;
  return { userId, read, before: await read() };
}

test('an older answer about a subscription does not overwrite a newer one', async () => {
  const { userId, read, before } = await subscribed();
  const pause = pauseAt('subscription.fetched');
  const older = syncSubscription(ctx, before.providerId);
  await pause.reachedBy(older);
  clock.now = later(clock.now, SECONDS(1));
  await payments.cancel(before.providerId, 'at_period_end', `leaves/${userId}`);
  await syncSubscription(ctx, before.providerId);

  pause.goOn();
  await older;

  expect(await read()).toMatchObject({ endsAt: before.periodEnd });
  const [grant] = await db.select().from(grants).where(eq(grants.userId, userId));
  expect(grant).toMatchObject({ renews: false, endsAt: before.periodEnd });
});

test('an end that is decided while an answer is written is not lost', async () => {
  const { read, before } = await subscribed();
  const pause = pauseAt('subscription.read');
  const written = syncSubscription(ctx, before.providerId);
  await pause.reachedBy(written);

  const end = { reason: 'creator', when: 'at_period_end' } as const;
  const ended = transact(ctx, (tx) => queueEnds(tx, eq(subscriptions.id, before.id), end));
  await Promise.race([ended, lockWaits(db)]);
  pause.goOn();
  await Promise.all([written, ended]);

  expect(await read()).toMatchObject({ endReason: 'creator' });
});

test('an older list of refunds does not take a newer refund away', async () => {
  const { id: userId } = await make.person();
  const series = await make.product(lucia, { kind: 'audio_series', name: 'Serie', priceMinor: 1500 });
  await buy(showItem(series, { userId }));
  await settle();
  const [sale] = await db.select().from(sales).where(eq(sales.userId, userId));
  const pause = pauseAt('refunds.listed');
  const older = syncRefunds(ctx, sale!.paymentId);
  await pause.reachedBy(older);
  await payments.refund(sale!.paymentId, { amount: { minor: 500, currency: 'eur' }, reference: {} }, 'newer');
  await syncRefunds(ctx, sale!.paymentId);

  pause.goOn();
  await older;

  expect(await db.select().from(sales).where(eq(sales.id, sale!.id))).toMatchObject([{ refundedMinor: 500 }]);
});
