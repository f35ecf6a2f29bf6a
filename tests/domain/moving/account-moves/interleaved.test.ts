import { and, eq, isNull } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { subscriptions } from '~/db/schema/billing';
import { checkouts } from '~/db/schema/checkouts';
import { subscriberImportLines, subscriberImports, subscriberMoves } from '~/db/schema/moving';
import { outbox } from '~/db/schema/notifications';
import { products } from '~/db/schema/products';
import type { EndReason } from '~/db/values/billing';
import { DAYS, HOURS, later } from '~/server/base/time';
import { type End, endQueued, queueEnds } from '~/server/domain/billing/subscriptions/end-subscriptions';
import { endWithRefund } from '~/server/domain/billing/subscriptions/ending-refunds';
import { cancelSubscription } from '~/server/domain/billing/subscriptions/my-subscriptions';
import { syncShowSubscriptions } from '~/server/domain/billing/subscriptions/show-endings';
import { noOwnAccount } from '~/server/domain/moving/account-moves/errors';
import { runMove, startMove } from '~/server/domain/moving/account-moves/move-subscriptions';
import { giveUp } from '~/server/domain/moving/account-moves/undo-move';
import { runSubscriberImport } from '~/server/domain/moving/subscriber-imports/run-import';
import { continueImport, endImport } from '~/server/domain/moving/subscriber-imports/steps';
import type { ProductRow } from '~/server/domain/products/queries';
import { endSubscription, refundEnd, syncShowSubscriptions as syncJob } from '~/server/queue/jobs/billing';
import { removeObjects } from '~/server/queue/jobs/media';
import { transact } from '~/server/runtime/ctx';
import { movingPeople } from '../../../support/moving-people';
import { COLUMNS, movingShop } from '../../../support/moving-shop';
import { runJobs } from '../../../support/run-jobs';
import '../../../support/matchers';

const stage = await movingShop();
const { ctx, ctxOf, make, newCreator, connect, customerIn, copied, upload, work, runtime, stripe, clock, pauseAt } =
  stage;
const { db } = runtime;
const { subscriber, rowOf, linesOf } = movingPeople(stage);

let mover: Awaited<ReturnType<typeof newCreator>>;
beforeEach(async () => {
  mover = await newCreator();
});

/** An import of one subscriber that waits for the creator's confirmation. */
async function checkedImport(email: string) {
  const customer = await customerIn(email);
  await copied(mover.creator.creatorId, [customer]);
  const renewsAt = later(clock.now, DAYS(12)).toISOString();
  return upload(mover, [[email, 'Ana', customer, '', '4.20', 'eur', 'month', renewsAt, ''].join(',')]);
}
const emailsTo = async (email: string) =>
  (await db.select().from(outbox).where(eq(outbox.to, email)).orderBy(outbox.createdAt)).map(({ topic }) => topic);

async function tellEnds(): Promise<void> {
  await runJobs(runtime, endSubscription.name, (payload, of) => endQueued(of, payload));
  await runJobs(runtime, refundEnd.name, (payload, of) => endWithRefund(of, payload));
}

/** A move of one subscriber whose first step is still queued. */
async function begunMove() {
  const userId = await subscriber(mover);
  const before = await rowOf(userId);
  clock.now = later(clock.now, DAYS(4));
  const account = await connect(mover);
  await startMove(ctxOf(mover.creator));
  const [line] = await linesOf(before.id);
  const run = () => runMove(ctx, { moveId: line!.moveId, step: 0 });
  const there = async () => {
    const [line] = await linesOf(before.id);
    const customer = line!.customerId!;
    const { data } = await stripe.subscriptions.list({ customer, status: 'all' }, { stripeAccount: account });
    return data.map(({ status }) => status);
  };
  return { before, userId, line: line!, run, there };
}

test('a line that another job has moved meanwhile is not given up', async () => {
  const { before, line } = await begunMove();
  const [move] = await db.select().from(subscriberMoves).where(eq(subscriberMoves.id, line.moveId));
  const pause = pauseAt('move.failed');
  const givenUp = giveUp(ctx, { move: move!, line, checkoutId: before.checkoutId! }, noOwnAccount());
  await pause.reachedBy(givenUp);
  await work();

  pause.goOn();
  await givenUp;

  expect(await linesOf(before.id)).toMatchObject([{ state: 'moved', failure: null }]);
});

test('a subscription created after its line was given up ends, so no subscriber pays twice', async () => {
  const { before, line, run, there } = await begunMove();
  const pause = pauseAt('move.begun');
  const slow = run();
  await pause.reachedBy(slow);
  const [move] = await db.select().from(subscriberMoves).where(eq(subscriberMoves.id, line.moveId));
  const [current] = await linesOf(before.id);
  await giveUp(ctx, { move: move!, line: current!, checkoutId: before.checkoutId! }, noOwnAccount());

  pause.goOn();
  await slow;

  expect(await there()).toEqual(['canceled']);
  expect(await linesOf(before.id)).toMatchObject([{ state: 'failed' }]);
});

test('the slower of two jobs that have created the same subscription does not end it', async () => {
  const { before, run, there } = await begunMove();
  const pause = pauseAt('move.created');
  const slow = run();
  await pause.reachedBy(slow);
  await run();

  pause.goOn();
  await slow;

  expect(await linesOf(before.id)).toMatchObject([{ state: 'moved' }]);
  expect(await there()).not.toContain('canceled');
});

test('a job that is late with a step of a move does not begin a later one again', async () => {
  const waiting = await rowOf(await subscriber(mover));
  // the subscription renews an hour after the move has begun
  clock.now = later(waiting.periodEnd, -DAYS(4) - HOURS(1));
  const { line, run } = await begunMove();
  const pause = pauseAt('move.created');
  const slow = run();
  await pause.reachedBy(slow);
  for (const step of [0, 1]) await runMove(ctx, { moveId: line.moveId, step });

  pause.goOn();
  await slow;

  const [move] = await db.select().from(subscriberMoves).where(eq(subscriberMoves.id, line.moveId));
  expect(move).toMatchObject({ status: 'running', step: 2 });
});

test.each([
  ['was read', work],
  ['is cancelled before it was read', (id: number) => mover.creator.api.subscriberImports.cancel({ id })],
])('a list that %s is deleted', async (_, end) => {
  const { creator, ref } = mover;
  const subscribersKey = await make.upload(
    creator,
    'subscribers',
    Buffer.from(`${COLUMNS}\ngone@mail.example,Ana,cus_1,,4.20,eur,month,,\n`),
  );
  const { id } = await creator.api.subscriberImports.request({ ...ref, subscribersKey });

  await end(id);

  const removed: string[] = [];
  await runJobs(runtime, removeObjects.name, async ({ keys }: { keys: string[] }) => void removed.push(...keys));
  expect(removed).toContainEqual(expect.stringContaining(subscribersKey));
});

test.each(['import.listed', 'import.checked'] as const)(
  'two jobs that were at %s with the same line: one imports it',
  async (seam) => {
    const email = `${seam}@mail.example`;
    const id = await checkedImport(email);
    await mover.creator.api.subscriberImports.confirm({ id, stopped: true, welcome: true });
    const [row] = await db.select().from(subscriberImports).where(eq(subscriberImports.id, id));
    const run = () => runSubscriberImport(ctx, { importId: id, step: row!.step });
    const pause = pauseAt(seam);
    const slow = run();
    await pause.reachedBy(slow);
    await run();

    pause.goOn();
    await slow;

    const [user] = await db.select().from(users).where(eq(users.email, email));
    expect(await db.$count(checkouts, eq(checkouts.userId, user!.id))).toBe(1);
    const lines = await db
      .select()
      .from(subscriberImportLines)
      .where(eq(subscriberImportLines.importId, id))
      .orderBy(subscriberImportLines.line);
    expect(lines).toMatchObject([{ state: 'done', outcome: 'recreate', userId: user!.id }]);
    expect(await emailsTo(email)).toEqual(['subscriber_welcome']);
  },
);

test('an import that is confirmed twice at once starts once', async () => {
  const id = await checkedImport('once@mail.example');
  const confirm = () => mover.creator.api.subscriberImports.confirm({ id, stopped: true });
  const pause = pauseAt('import.found');
  const slow = confirm();
  await pause.reachedBy(slow);
  await confirm();

  pause.goOn();

  await expect(slow).toFailWith('subscriber_import.not_ready');
});

test('a step of an import ends once', async () => {
  const id = await checkedImport('step@mail.example');
  await mover.creator.api.subscriberImports.confirm({ id, stopped: true });
  const read = async () => (await db.select().from(subscriberImports).where(eq(subscriberImports.id, id)))[0]!;
  const row = await read();
  const next = () => transact(ctx, (tx) => continueImport(tx, row, { attempts: 0 }));

  expect([await next(), await next()]).toEqual([true, false]);

  expect((await read()).step).toBe(row.step + 1);
});

test('an import that its creator has cancelled does not end again', async () => {
  const id = await checkedImport('cancelled@mail.example');
  await mover.creator.api.subscriberImports.confirm({ id, stopped: true });
  await mover.creator.api.subscriberImports.cancel({ id });

  const isEnded = await transact(ctx, (tx) => endImport(tx, { id }, { status: 'done' }));

  expect([isEnded, await stage.statusOf(id)]).toEqual([false, 'cancelled']);
});

test('a creator who has switched the welcome email off sends none', async () => {
  const id = await checkedImport('quiet@mail.example');

  await mover.creator.api.subscriberImports.confirm({ id, stopped: true, welcome: false });
  await work();

  expect(await db.$count(users, eq(users.email, 'quiet@mail.example'))).toBe(1);
  expect(await emailsTo('quiet@mail.example')).toEqual([]);
});

test.each(['import.checked', 'import.brought'] as const)(
  'no subscriber pays for a show that was made free when its import was at %s',
  async (seam) => {
    const email = `free-${seam}@mail.example`;
    const id = await checkedImport(email);
    await mover.creator.api.subscriberImports.confirm({ id, stopped: true });
    const [row] = await db.select().from(subscriberImports).where(eq(subscriberImports.id, id));
    const pause = pauseAt(seam);
    const run = runSubscriberImport(ctx, { importId: id, step: row!.step });
    await pause.reachedBy(run);
    await mover.creator.api.products.startFreeConversion(mover.ref);
    const { id: productId } = mover.show;
    await runJobs(runtime, syncJob.name, (payload, of) => syncShowSubscriptions(of, payload));

    pause.goOn();
    await run;
    await runJobs(runtime, syncJob.name, (payload, of) => syncShowSubscriptions(of, payload));
    await tellEnds();

    const running = and(eq(subscriptions.productId, productId), isNull(subscriptions.endedAt));
    expect(await db.$count(subscriptions, running)).toBe(0);
  },
);

test('an end that is decided while a subscription moves is told to the new one', async () => {
  const { before, userId, run } = await begunMove();
  const pause = pauseAt('move.created');
  const moved = run();
  await pause.reachedBy(moved);
  await cancelSubscription(ctxOf({ id: userId, creatorId: null }), { id: before.id });

  pause.goOn();
  await moved;
  await tellEnds();

  expect(await rowOf(userId)).toMatchObject({ endReason: 'subscriber', endsAt: before.periodEnd });
});

/** Reasons for an end. If the show has a certain state, the reason follows from it. */
const ENDS: [EndReason, End['when'], Partial<ProductRow>?][] = [
  ['creator', 'now', { retiredAt: clock.now }],
  ['show_becomes_free', 'now', { priceMinor: null }],
  ['refunded', 'now', { freeConversion: 'refund', freeConversionAt: clock.now }],
  ['show_becomes_free', 'at_period_end', { freeConversion: 'at_period_end', freeConversionAt: clock.now }],
  ['taken_down', 'at_period_end', { takenDownAt: clock.now }],
  ['creator', 'at_period_end'],
  ['card_removed', 'at_period_end'],
  ['account_disconnected', 'at_period_end'],
  ['account_suspended', 'at_period_end'],
  ['account_deleted', 'now'],
  ['disputed', 'now'],
  ['duplicate', 'now'],
  ['unpaid', 'now'],
];

test.each(ENDS)('a subscription that moves meanwhile ends as its reason says: %s, %s', async (reason, when, state) => {
  const { before, userId, run, there } = await begunMove();
  const { id: productId } = mover.show;
  const pause = pauseAt('move.created');
  const moved = run();
  await pause.reachedBy(moved);
  if (state) await db.update(products).set(state).where(eq(products.id, productId));
  if (state) await syncShowSubscriptions(ctx, { productId });
  else await transact(ctx, (tx) => queueEnds(tx, eq(subscriptions.id, before.id), { reason, when }));
  await tellEnds();

  pause.goOn();
  await moved;
  await tellEnds();

  const end = when === 'now' ? { endedAt: expect.any(Date) } : { endedAt: null, endsAt: before.periodEnd };
  expect(await rowOf(userId)).toMatchObject({ endReason: reason, ...end });
  expect((await there()).includes('canceled')).toBe(when === 'now');
});
