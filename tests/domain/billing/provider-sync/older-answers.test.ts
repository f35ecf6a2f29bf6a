import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { disputes, sales, subscriptions } from '~/db/schema/billing';
import { outbox } from '~/db/schema/notifications';
import { products } from '~/db/schema/products';
import type { PaymentsPort } from '~/server/adapters/payments/port';
import { HOURS, later, SECONDS } from '~/server/base/time';
import { remindOrEnd } from '~/server/domain/billing/payers/overdue';
import { syncDispute } from '~/server/domain/billing/provider-sync/disputes';
import { syncRefunds } from '~/server/domain/billing/refunds/refunds';
import { endQueued, queueEnds, resumeQueued } from '~/server/domain/billing/subscriptions/end-subscriptions';
import { cancelSubscription, renewSubscription } from '~/server/domain/billing/subscriptions/my-subscriptions';
import { syncShowSubscriptions } from '~/server/domain/billing/subscriptions/show-endings';
import { syncSubscription } from '~/server/domain/billing/subscriptions/subscriptions';
import { endSubscription, syncShowSubscriptions as syncJob } from '~/server/queue/jobs/billing';
import { transact } from '~/server/runtime/ctx';
import { lockWaits } from '../../../support/lock-waits';
import { runJobs } from '../../../support/run-jobs';
import { shop, showItem } from '../../../support/shop';

const { runtime, ctx, ctxOf, make, lucia, paidPodcast, payments, clock, buy, settle, pass, pauseAt } = await shop();
const { db } = runtime;

const DISPUTED = '4000000000000259';
const FAILS_AT_RENEWAL = '4000000000000044';

async function subscribed(show = paidPodcast, card?: string) {
  const { id: userId } = await make.person();
  await buy(showItem(show, { userId }), card);
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

test('an end that is called off while the provider hears of it does not happen there', async () => {
  const { read, before } = await subscribed();
  const end = { reason: 'taken_down', when: 'at_period_end' } as const;
  await transact(ctx, (tx) => queueEnds(tx, eq(subscriptions.id, before.id), end));
  const about = { subscriptionId: before.id, reason: end.reason };
  const slow: PaymentsPort = {
    ...payments,
    on: () => slow,
    cancel: async (...args) => {
      await resumeQueued(ctx, about);
      return payments.cancel(...args);
    },
  };

  await endQueued({ ...ctx, ports: { ...ctx.ports, payments: slow } }, { ...about, when: end.when });

  expect(await payments.fetch.subscription(before.providerId)).toMatchObject({ endsAt: null });
  expect(await read()).toMatchObject({ endsAt: null, endReason: null });
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

test('a subscriber who cancels while a show becomes free does not renew if it stays paid', async () => {
  const show = await make.product(lucia, { name: 'Quizás', priceMinor: 900 });
  const { userId, before } = await subscribed(show);
  await lucia.api.products.startFreeConversion({ id: show.id, kind: 'podcast' });
  const grantOf = async () => (await db.select().from(grants).where(eq(grants.userId, userId)))[0]!;
  expect((await grantOf()).renewalStoppedAt).not.toBeNull();

  await cancelSubscription(ctxOf({ id: userId, creatorId: null }), { id: before.id });
  await lucia.api.products.callOffFreeConversion({ id: show.id, kind: 'podcast' });

  expect(await grantOf()).toMatchObject({ renews: false, renewalStoppedAt: null });
});

test('a show that is deleted while a subscriber renews charges no subscriber', async () => {
  const show = await make.product(lucia, { name: 'Breve', priceMinor: 900 });
  const { userId, read, before } = await subscribed(show);
  const subscriber = ctxOf({ id: userId, creatorId: null });
  await cancelSubscription(subscriber, { id: before.id });
  const pause = pauseAt('renewal.read');
  const renewed = renewSubscription(subscriber, { id: before.id });
  await pause.reachedBy(renewed);
  await db.update(products).set({ retiredAt: clock.now }).where(eq(products.id, show.id));
  await syncShowSubscriptions(ctx, { productId: show.id });

  pause.goOn();
  await renewed.catch((error) => expect(error).toMatchObject({ code: 'billing.subscription_not_found' }));
  await runJobs(runtime, syncJob.name, (payload, of) => syncShowSubscriptions(of, payload));
  await runJobs(runtime, endSubscription.name, (payload, of) => endQueued(of, payload));

  expect(await read()).toMatchObject({ endReason: 'creator', endedAt: expect.any(Date) });
});

test('an older answer does not reopen a dispute that the bank has decided', async () => {
  const { userId } = await subscribed(paidPodcast, DISPUTED);
  const [sale] = await db.select().from(sales).where(eq(sales.userId, userId));
  const stored = async () => (await db.select().from(disputes).where(eq(disputes.saleId, sale!.id)))[0]!;
  const { providerId } = await stored();
  const pause = pauseAt('dispute.fetched');
  const older = syncDispute(ctx, providerId);
  await pause.reachedBy(older);
  await payments.answerDispute(providerId, 'losing_evidence', `answer/${providerId}`);
  await settle();

  pause.goOn();
  await older;

  expect(await stored()).toMatchObject({ status: 'lost', closedAt: expect.any(Date) });
});

test('one of two jobs that have seen the same failed renewal sends an email about it', async () => {
  const { userId, read, before } = await subscribed(paidPodcast, FAILS_AT_RENEWAL);
  await pass(later(before.periodEnd, HOURS(2)));
  expect((await read()).pastDueSince).not.toBeNull();
  const pause = pauseAt('overdue.read');
  const slow = remindOrEnd(ctx, { subscriptionId: before.id });
  await pause.reachedBy(slow);
  await remindOrEnd(ctx, { subscriptionId: before.id });

  pause.goOn();
  await slow;

  expect(await db.$count(outbox, and(eq(outbox.userId, userId), eq(outbox.topic, 'payment_failed')))).toBe(1);
});
