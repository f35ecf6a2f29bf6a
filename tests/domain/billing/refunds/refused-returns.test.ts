import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { sales } from '~/db/schema/billing';
import { outbox } from '~/db/schema/notifications';
import { DAYS, later } from '~/server/base/time';
import { syncRefunds } from '~/server/domain/billing/refunds/refunds';
import { returnRefused } from '~/server/domain/billing/refunds/return-refused';
import { returnRefused as returnJob } from '~/server/queue/jobs/billing';
import { shop, showItem } from '../../../support/shop';

const { runtime, ctx, make, lucia, stripe, clock, settle, pass, buy } = await shop();
const { db } = runtime;
const series = await make.product(lucia, { kind: 'audio_series', name: 'Serie', priceMinor: 1500 });
const REFUND_FAILS = '4000000000005126';

/** Runs the queued returns, whatever their time: the queue has a clock of its own. */
async function work(): Promise<void> {
  for (const { id, data } of await runtime.queue.boss.fetch(returnJob.name, {
    batchSize: 100,
    ignoreStartAfter: true,
  })) {
    await returnRefused(ctx, data as never);
    await runtime.queue.boss.complete(returnJob.name, id);
  }
}
const refundsOf = async (payment: string) => (await stripe.refunds.list({ payment_intent: payment })).data;

test('a refused payment whose refund fails is returned again twice, and then the operator is told, once', async () => {
  const { id: userId, email } = await make.person();
  await buy(showItem(series, { userId }), REFUND_FAILS);
  // in another browser, without a log-in
  await buy(showItem(series, { email, browserHash: 'other' }), REFUND_FAILS);
  await settle();
  const rows = await db.select().from(sales).where(eq(sales.userId, userId)).orderBy(sales.id);
  const payment = rows.at(-1)!.paymentId;
  const seen: number[] = [];

  for (const days of [1, 1, 1, 3, 2, 5]) {
    await pass(later(clock.now, DAYS(days)));
    await syncRefunds(ctx, payment);
    await work();
    seen.push((await refundsOf(payment)).length);
  }

  expect(rows).toHaveLength(2);
  expect(seen.at(-1)).toBe(3);
  const told = await db.select().from(outbox).where(eq(outbox.topic, 'return_failed')).orderBy(outbox.createdAt);
  expect(told).toMatchObject([{ to: ctx.settings.operator.email, text: expect.stringContaining(payment) }]);
});
