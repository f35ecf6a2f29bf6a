import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { disputes, sales, subscriptions } from '~/db/schema/billing';
import { creatorPlans } from '~/db/schema/plans';
import { DAYS, later, MINUTES } from '~/server/base/time';
import { completeFreeConversion, startFreeConversion } from '~/server/domain/access/free-conversion';
import { askForUnused, findUnused } from '~/server/domain/billing/refunds/unused-payments';
import { endWithRefund, recoverEndRefunds } from '~/server/domain/billing/subscriptions/ending-refunds';
import { syncShowSubscriptions } from '~/server/domain/billing/subscriptions/show-endings';
import { changeToYearly, previewYearly } from '~/server/domain/billing/subscriptions/yearly';
import { refundEnd, syncShowSubscriptions as syncJob } from '~/server/queue/jobs/billing';
import { completeConversion } from '~/server/queue/jobs/products';
import { runJobs } from '../../../support/run-jobs';
import { shop, showItem } from '../../../support/shop';
import { runUnused, shownRefunds } from '../../../support/unused-payments';

const { runtime, ctx, ctxOf, make, lucia, clock, settle, buy, pass, payments } = await shop();
const { db } = runtime;
const owner = ctxOf({ ...lucia });
await db.insert(creatorPlans).values({ creatorId: lucia.creatorId, plan: 'PRO', since: clock.now });

async function subscribed(number?: string) {
  const show = await make.product(lucia, { name: 'De pago', priceMinor: 1000, annualPriceMinor: 9000 });
  const { id: userId } = await make.person();
  await buy(showItem(show, { userId }), number);
  await settle();
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.userId, userId));
  return { show: { id: show.id, kind: 'podcast' as const }, userId, subscriptionId: row!.id };
}
type Subscribed = Awaited<ReturnType<typeof subscribed>>;

async function toYearly({ userId, subscriptionId }: Subscribed) {
  const person = ctxOf({ id: userId, creatorId: null });
  const { at, due, yearly } = await previewYearly(person, { id: subscriptionId });
  await changeToYearly(person, { id: subscriptionId, at, dueMinor: due.minor, yearlyMinor: yearly.minor });
  await settle();
}
async function work() {
  await runJobs(runtime, syncJob.name, (payload, of) => syncShowSubscriptions(of, payload));
  await runJobs(runtime, refundEnd.name, (payload, of) => endWithRefund(of, payload));
  await runJobs(runtime, completeConversion.name, (payload, of) => completeFreeConversion(of, payload));
  await settle();
}
/** @returns the amount shown before the show becomes free, and the amount that goes back */
async function freed({ show, userId }: Subscribed, meanwhile = async () => {}) {
  const { totals } = await shownRefunds(runtime, owner, show);
  await startFreeConversion(owner, { ...show, how: 'refund' });
  await work();
  await meanwhile();
  const paid = await db.select().from(sales).where(eq(sales.userId, userId)).orderBy(sales.id);
  const lists = await Promise.all(paid.map(({ paymentId }) => payments.listRefunds(paymentId)));
  const back = lists.flat().reduce((sum, { amount }) => sum + amount.minor, 0);
  return { shown: totals[0]?.refund.minor ?? 0, back };
}

test('at most the shown amount goes back of a disputed payment that the bank returns', async () => {
  const one = await subscribed('4000000000000259');
  const [dispute] = await db
    .select({ id: disputes.providerId })
    .from(disputes)
    .innerJoin(sales, eq(sales.id, disputes.saleId))
    .where(eq(sales.userId, one.userId));

  const { shown, back } = await freed(one, async () => {
    await payments.answerDispute(dispute!.id, 'winning_evidence', 'won');
    await pass(later(clock.now, DAYS(2)));
    await recoverEndRefunds(ctx);
    await work();
  });

  expect(back).toBeGreaterThan(900);
  expect(shown).toBeGreaterThanOrEqual(back);
});

test.each([0, 20, 40, 200])('at most the shown amount goes back %i days after a change to yearly', async (days) => {
  const one = await subscribed();
  await pass(later(clock.now, DAYS(15)));
  await toYearly(one);
  await pass(later(clock.now, DAYS(days)));

  const { shown, back } = await freed(one);

  expect(back).toBeGreaterThan(4000);
  expect(shown).toBeGreaterThanOrEqual(back);
  // and not much more
  expect(shown - back).toBeLessThan(100);
});

test('amounts are computed once for a creator who asks twice, shown for a quarter of an hour, and then asked for again', async () => {
  const { id } = await make.product(lucia, { name: 'De pago', priceMinor: 1000 });
  const show = { id, kind: 'podcast' } as const;
  expect(await findUnused(owner, show)).toBeNull();

  await Promise.all([askForUnused(owner, show), askForUnused(owner, show)]);

  expect(await findUnused(owner, show)).toEqual({ askedAt: clock.now, found: null });
  expect(await runUnused(runtime)).toBe(1);
  expect(await findUnused(owner, show)).toMatchObject({ found: { totals: [], subscriptions: 0 } });
  await askForUnused(owner, show);
  expect(await runUnused(runtime)).toBe(0);
  clock.now = later(clock.now, MINUTES(15));
  expect(await findUnused(owner, show)).toBeNull();
  await askForUnused(owner, show);
  expect(await findUnused(owner, show)).toEqual({ askedAt: clock.now, found: null });
  expect(await runUnused(runtime)).toBe(1);
});
