import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { sales, subscriptions } from '~/db/schema/billing';
import { outbox } from '~/db/schema/notifications';
import { creatorPlans } from '~/db/schema/plans';
import { products } from '~/db/schema/products';
import { DAYS, earlier, HOURS, later, MINUTES, monthsLater } from '~/server/base/time';
import {
  callOffFreeConversion,
  completeFreeConversion,
  freeConversionState,
  startFreeConversion,
} from '~/server/domain/access/free-conversion';
import { endQueued, recoverEnds, resumeQueued } from '~/server/domain/billing/subscriptions/end-subscriptions';
import { cancelSubscription } from '~/server/domain/billing/subscriptions/my-subscriptions';
import { lookupPausable, pauseSubscription } from '~/server/domain/billing/subscriptions/pause-subscription';
import * as showEndings from '~/server/domain/billing/subscriptions/show-endings';
import { endSubscription, resumeSubscription, syncShowSubscriptions } from '~/server/queue/jobs/billing';
import { runJobs } from '../../../support/run-jobs';
import { shop, showItem } from '../../../support/shop';

const { runtime, ctx, ctxOf, make, lucia, clock, settle, buy, pass, payments } = await shop();
const { db } = runtime;
const owner = ctxOf({ ...lucia });

async function work(): Promise<void> {
  await runJobs(runtime, syncShowSubscriptions.name, (payload, of) => showEndings.syncShowSubscriptions(of, payload));
  await runJobs(runtime, endSubscription.name, (payload, of) => endQueued(of, payload));
  await runJobs(runtime, resumeSubscription.name, (payload, of) => resumeQueued(of, payload));
  await settle();
}

async function showWith(count: number, number?: string) {
  const show = await make.product(lucia, { name: 'De pago', priceMinor: 900 });
  const people: { id: number }[] = [];
  for (let i = 0; i < count; i += 1) people.push(await make.person());
  for (const { id } of people) await buy(showItem(show, { userId: id }), number);
  await settle();
  const rows = () =>
    db.select().from(subscriptions).where(eq(subscriptions.productId, show.id)).orderBy(subscriptions.userId);
  return { show, people, rows, ref: { id: show.id, kind: 'podcast' as const } };
}
const emailsOf = async (userId: number) =>
  (await db.select().from(outbox).where(eq(outbox.userId, userId)).orderBy(outbox.createdAt))
    .map(({ topic }) => topic)
    .filter((topic) => topic !== 'verify_email');

test('while a show becomes free, the provider charges no subscriber; calling it off resumes only these subscriptions', async () => {
  const { ref, rows, people } = await showWith(2);
  const [left] = await rows();
  await cancelSubscription(ctxOf({ id: people[0]!.id, creatorId: null }), { id: left!.id });
  // the period does not include the days of a late renewal
  expect((await freeConversionState(owner, ref)).lastEnd).toEqual((await rows())[1]!.periodEnd);
  await startFreeConversion(owner, { ...ref, how: 'at_period_end' });
  await work();
  await work();

  const waiting = await rows();
  expect(waiting.map(({ endReason }) => endReason)).toEqual(['subscriber', 'show_becomes_free']);
  for (const { providerId, periodEnd } of waiting)
    expect(await payments.fetch.subscription(providerId)).toMatchObject({ endsAt: periodEnd });
  expect(await emailsOf(people[1]!.id)).toEqual(['subscription_becomes_free']);

  await callOffFreeConversion(owner, ref);
  await work();
  expect(await rows()).toMatchObject([
    { endReason: 'subscriber', endsAt: expect.any(Date) },
    { endReason: null, endsAt: null },
  ]);
  const [grant] = await db.select().from(grants).where(eq(grants.userId, people[1]!.id));
  expect(grant).toMatchObject({ renews: true });
});

test('the show is free after the last paid period, and no subscriber was charged again', async () => {
  const { ref, rows, show } = await showWith(2);
  await startFreeConversion(owner, { ...ref, how: 'at_period_end' });
  await work();
  const [{ periodEnd }] = (await rows()) as [Awaited<ReturnType<typeof rows>>[number]];

  await pass(later(periodEnd, MINUTES(5)));
  await work();
  expect(
    await completeFreeConversion(
      { ...ctx, actor: { type: 'system', job: 'products.complete-conversion' } },
      { productId: show.id },
    ),
  ).toBe(true);
  expect((await rows()).every(({ endedAt }) => endedAt !== null)).toBe(true);
  const [free] = await db.select().from(products).where(eq(products.id, show.id));
  expect(free).toMatchObject({ priceMinor: null, freeConversion: null });
});

test('a killed job ends a subscription all the same', async () => {
  const { show, rows } = await showWith(1);
  await db.update(products).set({ freeConversion: 'at_period_end' }).where(eq(products.id, show.id));
  await showEndings.syncShowSubscriptions(ctx, { productId: show.id });
  // the job that notifies the provider gets lost
  await runJobs(runtime, endSubscription.name, async () => {});
  expect(await rows()).toMatchObject([{ endReason: 'show_becomes_free', endsAt: null }]);

  await recoverEnds(ctx);
  await work();
  expect(await rows()).toMatchObject([{ endsAt: expect.any(Date) }]);
});

test('an overdue subscription to a show that was made free or deleted is not charged any more', async () => {
  const { rows, show } = await showWith(1, '4000000000000044');
  const [row] = await rows();
  await pass(later(row!.periodEnd, DAYS(8)));
  expect(await rows()).toMatchObject([{ status: 'past_due', endedAt: null }]);

  await db.update(products).set({ retiredAt: clock.now }).where(eq(products.id, show.id));
  await showEndings.syncShowSubscriptions(ctx, { productId: show.id });
  await work();
  expect(await rows()).toMatchObject([{ endReason: 'creator', endedAt: expect.any(Date) }]);
});

test.each([
  ['deleted', { retiredAt: clock.now }],
  ['made free', { priceMinor: null }],
])('an end whose job was lost comes at once if the show is %s', async (_, change) => {
  const { show, rows } = await showWith(1);
  await db.update(products).set(change).where(eq(products.id, show.id));
  await showEndings.syncShowSubscriptions(ctx, { productId: show.id });
  await runJobs(runtime, endSubscription.name, async () => {});
  expect(await rows()).toMatchObject([{ endsAt: null, endedAt: null }]);

  await recoverEnds(ctx);
  await work();

  expect(await rows()).toMatchObject([{ endedAt: clock.now }]);
});

test('a deleted account pays for nothing, and the subscribers of a deleted creator are told', async () => {
  const { rows, people } = await showWith(2);
  await showEndings.endSubscriptionsOf(ctx, { userId: people[0]!.id });
  await work();
  expect(await rows()).toMatchObject([{ endReason: 'account_deleted', endedAt: expect.any(Date) }, { endsAt: null }]);

  await showEndings.endSubscriptionsOf(ctx, { userId: lucia.id });
  await showEndings.endSubscriptionsOf(ctx, { userId: lucia.id });
  await work();
  const [, second] = await rows();
  expect(second).toMatchObject({ endReason: 'creator', endsAt: second!.periodEnd, endedAt: null });
  expect(await emailsOf(people[1]!.id)).toEqual(['creator_leaves']);
});

test('a pause begins where the paid month ends, skips the payments, and resumes by itself', async () => {
  await db.insert(creatorPlans).values({ creatorId: lucia.creatorId, plan: 'PRO' });
  const { rows, people, ref } = await showWith(1);
  const pausable = () => lookupPausable(owner, { productId: ref.id, userId: people[0]!.id });
  const [before] = await rows();
  const paid = () => db.$count(sales, eq(sales.userId, people[0]!.id));
  const grant = async () => (await db.select().from(grants).where(eq(grants.userId, people[0]!.id)))[0]!;
  const stranger = ctxOf(await make.creator());
  await expect(pauseSubscription(stranger, { id: before!.id, months: 1 })).rejects.toMatchObject({ kind: 'not_found' });

  // a yearly subscription, which is paid in advance
  const change = (every: 'month' | 'year') =>
    db.update(subscriptions).set({ every }).where(eq(subscriptions.id, before!.id));
  await change('year');
  const yearly = pauseSubscription(owner, { id: before!.id, months: 1 });
  await expect(yearly).rejects.toMatchObject({ code: 'billing.not_pausable' });
  expect(await pausable()).toBeNull();
  await change('month');
  const leaves = (endsAt: Date | null) =>
    db.update(subscriptions).set({ endsAt }).where(eq(subscriptions.id, before!.id));
  await leaves(before!.periodEnd);
  expect(await pausable()).toBeNull();
  await leaves(null);

  await pauseSubscription(owner, { id: before!.id, months: 2 });
  await settle();
  expect(await pausable()).toMatchObject({ id: before!.id, pausedFrom: before!.periodEnd });
  expect(await grant()).toMatchObject({ endsAt: before!.periodEnd, renews: false });

  await pass(later(before!.periodEnd, DAYS(10)));
  await pass(later(before!.periodEnd, DAYS(45)));
  expect(await paid()).toBe(1);
  expect(await grant()).toMatchObject({ endsAt: before!.periodEnd });

  await pass(later(monthsLater(before!.periodEnd, 2), HOURS(3)));
  expect(await rows()).toMatchObject([{ status: 'active', pausedUntil: null, pausedFrom: null }]);
  expect(await paid()).toBe(2);
  expect((await grant()).endsAt! > later(clock.now, DAYS(20))).toBe(true);
});

test('another length of a pause is counted from its beginning', async () => {
  await db.insert(creatorPlans).values({ creatorId: lucia.creatorId, plan: 'PRO' }).onConflictDoNothing();
  const { rows } = await showWith(1);
  const [before] = await rows();
  await pauseSubscription(owner, { id: before!.id, months: 3 });
  await pass(later(before!.periodEnd, DAYS(10)));

  await pauseSubscription(owner, { id: before!.id, months: 2 });

  const until = earlier(monthsLater(before!.periodEnd, 2), HOURS(1));
  expect(await rows()).toMatchObject([{ pausedFrom: before!.periodEnd, pausedUntil: until }]);
});

test('a pause needs a plan that includes it', async () => {
  await db.delete(creatorPlans);
  const { rows } = await showWith(1);
  const [row] = await rows();
  const late = ctxOf({ ...lucia }, { now: later(clock.now, DAYS(400)) });
  await expect(pauseSubscription(late, { id: row!.id, months: 1 })).rejects.toMatchObject({ kind: 'limit_reached' });
});

test('an overdue subscription is not charged any more once its show has become free', async () => {
  await db.insert(creatorPlans).values({ creatorId: lucia.creatorId, plan: 'PRO' });
  const { rows, show, ref } = await showWith(1, '4000000000000044');
  const [row] = await rows();
  await pass(later(row!.periodEnd, DAYS(1)));
  await startFreeConversion(owner, { ...ref, how: 'at_period_end' });
  await work();
  // access has ended, but the subscription has not
  await pass(later(row!.periodEnd, DAYS(8)));
  expect(await rows()).toMatchObject([{ status: 'past_due', endedAt: null }]);

  expect(await completeFreeConversion(owner, { productId: show.id })).toBe(true);
  await work();

  expect(await rows()).toMatchObject([{ endReason: 'show_becomes_free', endedAt: expect.any(Date) }]);
});
