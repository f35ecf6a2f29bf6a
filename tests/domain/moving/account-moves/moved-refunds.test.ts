import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { sales } from '~/db/schema/billing';
import { DAYS, HOURS, later } from '~/server/base/time';
import { completeFreeConversion, startFreeConversion } from '~/server/domain/access/free-conversion';
import { endWithRefund } from '~/server/domain/billing/subscriptions/ending-refunds';
import { syncShowSubscriptions } from '~/server/domain/billing/subscriptions/show-endings';
import { refundEnd, syncShowSubscriptions as syncJob } from '~/server/queue/jobs/billing';
import { completeConversion } from '~/server/queue/jobs/products';
import { movingPeople } from '../../../support/moving-people';
import { movingShop } from '../../../support/moving-shop';
import { runJobs } from '../../../support/run-jobs';
import { shownRefunds } from '../../../support/unused-payments';

const stage = await movingShop();
const { newCreator, connect, work, runtime, ctxOf, clock, settle, pass, payments } = stage;
const { db } = runtime;
const { subscriber, rowOf } = movingPeople(stage);

async function moved() {
  const mover = await newCreator();
  const userId = await subscriber(mover);
  const { periodEnd } = await rowOf(userId);
  clock.now = later(clock.now, DAYS(4));
  const account = await connect(mover);
  await mover.creator.api.subscriberMoves.start();
  await work();
  await settle();
  return { mover, userId, account, periodEnd };
}
async function freeWithRefunds({ creator, ref }: Awaited<ReturnType<typeof newCreator>>) {
  const owner = ctxOf({ ...creator });
  const estimate = await shownRefunds(runtime, owner, ref);
  await startFreeConversion(owner, { ...ref, how: 'refund' });
  await runJobs(runtime, syncJob.name, (payload, of) => syncShowSubscriptions(of, payload));
  await runJobs(runtime, refundEnd.name, (payload, of) => endWithRefund(of, payload));
  await runJobs(runtime, completeConversion.name, (payload, of) => completeFreeConversion(of, payload));
  await settle();
  return estimate;
}
const returnedTo = async (userId: number) => {
  const paid = await db.select().from(sales).where(eq(sales.userId, userId)).orderBy(sales.id);
  return Promise.all(
    paid.map(async ({ paymentId, sellerAccount }) => {
      const found = await payments.on(sellerAccount).listRefunds(paymentId);
      return found.reduce((sum, { amount }) => sum + amount.minor, 0);
    }),
  );
};

test('a subscriber who moved within the paid period gets its unused part back from our account', async () => {
  const { mover, userId, periodEnd } = await moved();
  await pass(later(periodEnd, -DAYS(10)));

  const estimate = await freeWithRefunds(mover);

  const [back] = await returnedTo(userId);
  // ten days of a month of 4.99
  expect(back).toBeGreaterThan(150);
  expect(back).toBeLessThan(190);
  expect(estimate.totals[0]!.refund.minor).toBeGreaterThanOrEqual(back!);
  expect(await rowOf(userId)).toMatchObject({ endReason: 'refunded', endedAt: expect.any(Date) });
});

test('after a renewal on the own account, only that payment is refunded', async () => {
  const { mover, userId, periodEnd } = await moved();
  await pass(later(periodEnd, HOURS(2)));
  await pass(later(periodEnd, DAYS(5)));

  await freeWithRefunds(mover);

  const [former, renewal] = await returnedTo(userId);
  expect(former).toBe(0);
  expect(renewal).toBeGreaterThan(380);
});
