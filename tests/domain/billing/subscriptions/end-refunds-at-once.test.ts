import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { endRefunds, sales, subscriptions } from '~/db/schema/billing';
import { DAYS, later } from '~/server/base/time';
import { queueEnds } from '~/server/domain/billing/subscriptions/end-subscriptions';
import { endWithRefund } from '~/server/domain/billing/subscriptions/ending-refunds';
import { transact } from '~/server/runtime/ctx';
import { shop, showItem } from '../../../support/shop';

const { runtime, ctx, make, paidPodcast, payments, clock, buy, settle, pauseAt } = await shop();
const { db } = runtime;

test('one of two jobs that have read the amount to refund plans it, and it is refunded once', async () => {
  const { id: userId } = await make.person();
  await buy(showItem(paidPodcast, { userId }));
  await settle();
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.userId, userId));
  const own = eq(subscriptions.id, row!.id);
  await transact(ctx, (tx) => queueEnds(tx, own, { reason: 'refunded', when: 'now' }));
  clock.now = later(clock.now, DAYS(10));
  const pause = pauseAt('end-refund.previewed');
  const slow = endWithRefund(ctx, { subscriptionId: row!.id });
  await pause.reachedBy(slow);
  clock.now = later(clock.now, DAYS(1));
  await endWithRefund(ctx, { subscriptionId: row!.id });
  const planned = await db
    .select()
    .from(endRefunds)
    .where(eq(endRefunds.subscriptionId, row!.id))
    .orderBy(endRefunds.paymentId);

  pause.goOn();
  await slow;

  expect(
    await db.select().from(endRefunds).where(eq(endRefunds.subscriptionId, row!.id)).orderBy(endRefunds.paymentId),
  ).toEqual(planned);
  const [sale] = await db.select().from(sales).where(eq(sales.userId, userId));
  expect(await payments.listRefunds(sale!.paymentId)).toHaveLength(1);
});
