import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { subscriptions } from '~/db/schema/billing';
import { outbox } from '~/db/schema/notifications';
import { endQueued, resumeQueued } from '~/server/domain/billing/subscriptions/end-subscriptions';
import { cancelSubscription, renewSubscription } from '~/server/domain/billing/subscriptions/my-subscriptions';
import * as showEndings from '~/server/domain/billing/subscriptions/show-endings';
import { restoreTaken, takeDown } from '~/server/domain/console/take-down';
import { endSubscription, resumeSubscription, syncShowSubscriptions } from '~/server/queue/jobs/billing';
import { runJobs } from '../../../support/run-jobs';
import { shop, showItem } from '../../../support/shop';
import '../../../support/matchers';

const { runtime, ctx, ctxOf, make, lucia, tom, settle, buy } = await shop();
const { db } = runtime;
const operator = { name: 'olga' };

async function work(): Promise<void> {
  await runJobs(runtime, syncShowSubscriptions.name, (payload, of) => showEndings.syncShowSubscriptions(of, payload));
  await runJobs(runtime, endSubscription.name, (payload, of) => endQueued(of, payload));
  await runJobs(runtime, resumeSubscription.name, (payload, of) => resumeQueued(of, payload));
  await settle();
}

test('subscriptions to a show that is taken down end with their period, and continue if it is restored before', async () => {
  const show = await make.product(lucia, { name: 'De pago', priceMinor: 900 });
  const [stays, leaves] = [await make.person(), await make.person()];
  for (const { id } of [stays, leaves]) await buy(showItem(show, { userId: id }));
  await settle();
  const rowOf = async (userId: number) =>
    (await db.select().from(subscriptions).where(eq(subscriptions.userId, userId)))[0]!;
  await cancelSubscription(ctxOf({ id: leaves.id, creatorId: null }), { id: (await rowOf(leaves.id)).id });
  await work();
  const offer = { product: show.id, interval: 'month' } as never;
  expect((await tom.api.billing.offer(offer)).sale).not.toBeNull();

  await takeDown(ctx, { operator, target: 'show', id: show.id, ground: 'terms', reason: 'Fraud' });
  await work();
  const { endReason, endsAt, endedAt, periodEnd } = await rowOf(stays.id);
  expect([endReason, endsAt, endedAt]).toEqual(['taken_down', periodEnd, null]);
  expect((await rowOf(leaves.id)).endReason).toBe('subscriber');
  await expect(tom.api.billing.offer(offer)).toFailWith('product.not_found');
  const own = { id: (await rowOf(stays.id)).id };
  await expect(renewSubscription(ctxOf({ id: stays.id, creatorId: null }), own)).toFailWith('billing.not_for_sale');
  const told = await db.select().from(outbox).where(eq(outbox.userId, stays.id)).orderBy(outbox.createdAt);
  expect(told.filter(({ topic }) => topic === 'show_taken_down')).toHaveLength(1);

  await restoreTaken(ctx, { operator, target: 'show', id: show.id });
  await work();
  expect(await rowOf(stays.id)).toMatchObject({ endReason: null, endsAt: null });
  expect(await rowOf(leaves.id)).toMatchObject({ endReason: 'subscriber', endsAt: expect.any(Date) });
});

test('a subscription cancelled before the job that calls the end of a restored show off stays cancelled', async () => {
  const show = await make.product(lucia, { name: 'De pago', priceMinor: 900 });
  const { id: userId } = await make.person();
  await buy(showItem(show, { userId }));
  await settle();
  const read = async () => (await db.select().from(subscriptions).where(eq(subscriptions.userId, userId)))[0]!;
  const { id, periodEnd } = await read();
  await takeDown(ctx, { operator, target: 'show', id: show.id, ground: 'terms', reason: 'Fraud' });
  await work();
  await restoreTaken(ctx, { operator, target: 'show', id: show.id });
  await showEndings.syncShowSubscriptions(ctx, { productId: show.id });

  await cancelSubscription(ctxOf({ id: userId, creatorId: null }), { id });
  await work();

  expect(await read()).toMatchObject({ endReason: 'subscriber', endsAt: periodEnd });
});
