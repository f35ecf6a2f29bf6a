import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { subscriberMoveLines } from '~/db/schema/moving';
import { sellerAccounts } from '~/db/schema/seller-accounts';
import type { PaymentsPort } from '~/server/adapters/payments/port';
import { AppError } from '~/server/base/errors';
import { DAYS, HOURS, later } from '~/server/base/time';
import { disconnectAtProvider, recoverLeaving } from '~/server/domain/billing/subscriptions/disconnect-account';
import { MOVE_LIMITS } from '~/server/limits/moving';
import { leaveAccount } from '~/server/queue/jobs/billing';
import { PASSWORD } from '../../../support/make';
import { movingPeople } from '../../../support/moving-people';
import { movingShop } from '../../../support/moving-shop';
import { runJobs } from '../../../support/run-jobs';

const stage = await movingShop();
const { newCreator, connect, work, runtime, clock, settle, pass, stripe } = stage;
const { db } = runtime;
const { subscriber, rowOf, linesOf, charged } = movingPeople(stage);

let mover: Awaited<ReturnType<typeof newCreator>>;
beforeEach(async () => {
  mover = await newCreator();
});

class Dies extends Error {}
/** Replaces a call of the provider, in all accounts. */
function changed<N extends keyof PaymentsPort>(name: N, change: (call: PaymentsPort[N]) => PaymentsPort[N]): void {
  const wrap = (port: PaymentsPort): PaymentsPort => ({
    ...port,
    [name]: change(port[name]),
    on: (account) => wrap(port.on(account)),
  });
  runtime.ports.payments = wrap(runtime.ports.payments);
}
const realPayments = runtime.ports.payments;
const ofPerson = async (userId: number, account: string) => {
  const { id, customerId } = await rowOf(userId);
  const [line] = await linesOf(id);
  const customer = line!.customerId ?? customerId;
  const { data } = await stripe.subscriptions.list({ customer, status: 'all' }, { stripeAccount: account });
  return { line: line!, there: data.map(({ status }) => status) };
};
const failure = new AppError('payments.invalid', 'invalid');

test('a failure after the switch undoes nothing', async () => {
  const userId = await subscriber(mover);
  const before = await rowOf(userId);
  clock.now = later(clock.now, DAYS(4));
  const account = await connect(mover);
  let switched = false;
  changed('importSubscription', (call) => async (...args) => {
    switched = true;
    return call(...args);
  });
  changed(
    'listCards',
    (call) =>
      async (...args) =>
        switched ? Promise.reject(failure) : call(...args),
  );

  await mover.creator.api.subscriberMoves.start();
  await work();
  runtime.ports.payments = realPayments;

  expect(await rowOf(userId)).toMatchObject({ account, endsAt: null });
  expect(await stage.payments.fetch.subscription(before.providerId)).toMatchObject({ endsAt: before.periodEnd });
  expect((await linesOf(before.id))[0]).toMatchObject({ state: 'moved', failure: null });
  await pass(later(before.periodEnd, HOURS(2)));
  expect(await charged(account, userId)).toBe(2 * 499);
});

test('a subscription created before a failure ends, and the former one continues: no subscriber pays twice', async () => {
  const userId = await subscriber(mover);
  const before = await rowOf(userId);
  clock.now = later(clock.now, DAYS(4));
  const account = await connect(mover);
  changed('importSubscription', (call) => async (...args) => {
    await call(...args);
    throw failure;
  });

  await mover.creator.api.subscriberMoves.start();
  await work();
  runtime.ports.payments = realPayments;

  expect(await rowOf(userId)).toMatchObject({ account: null, providerId: before.providerId, endsAt: null });
  const { line, there } = await ofPerson(userId, account);
  expect([line.state, line.failure, there]).toEqual(['failed', 'payments.invalid', ['canceled']]);
  await pass(later(before.periodEnd, HOURS(2)));
  expect(await charged(account, userId)).toBe(2 * 499);
});

test('a line that another job gives up while it is created is not moved', async () => {
  const userId = await subscriber(mover);
  const before = await rowOf(userId);
  clock.now = later(clock.now, DAYS(4));
  const account = await connect(mover);
  changed('importSubscription', (call) => async (...args) => {
    const isOwn = eq(subscriberMoveLines.subscriptionId, before.id);
    await db.update(subscriberMoveLines).set({ failure: 'payments.invalid' }).where(isOwn);
    return call(...args);
  });

  await mover.creator.api.subscriberMoves.start();
  await work();
  runtime.ports.payments = realPayments;

  expect(await rowOf(userId)).toMatchObject({ account: null, providerId: before.providerId, endsAt: null });
  const { line, there } = await ofPerson(userId, account);
  expect([line.state, there]).toEqual(['failed', ['canceled']]);
});

const leaving = () => runJobs(runtime, leaveAccount.name, (payload, ctx) => disconnectAtProvider(ctx, payload));
const heldAt = async (account: string) =>
  (await db.select().from(sellerAccounts).where(eq(sellerAccounts.accountId, account)))[0]!;

test('an account is given back after the move to it has stopped', async () => {
  await subscriber(mover);
  clock.now = later(clock.now, DAYS(4));
  const account = await connect(mover);
  const { api } = mover.creator;
  await api.subscriberMoves.start();
  await api.sellerAccount.disconnect({ currentPassword: PASSWORD });

  await leaving();
  expect((await heldAt(account)).releasedAt).toBeNull();

  await work();
  expect((await api.subscriberMoves.overview()).latest!.status).toBe('stopped');
  await stage.recover();
  await recoverLeaving(stage.ctx);
  await leaving();
  expect((await heldAt(account)).releasedAt).not.toBeNull();
});

test('a disconnection stops the move: begun subscriptions go back, and the rest stays', async () => {
  const people = [];
  for (let at = 0; at < MOVE_LIMITS.atOnce + 1; at += 1) people.push(await subscriber(mover));
  clock.now = later(clock.now, DAYS(4));
  const account = await connect(mover);
  const { api } = mover.creator;
  let calls = 0;
  changed('importSubscription', (call) => async (...args) => {
    const created = await call(...args);
    calls += 1;
    if (calls === 1) throw new Dies();
    if (calls === MOVE_LIMITS.atOnce) await api.sellerAccount.disconnect({ currentPassword: PASSWORD });
    return created;
  });
  await api.subscriberMoves.start();
  await work().catch((error) => expect(error).toBeInstanceOf(Dies));
  // the jobs that ran beside the killed one
  const moved = async () =>
    (await api.subscriberMoves.overview()).latest!.counts.find(({ state }) => state === 'moved');
  await expect.poll(async () => (await moved())?.lines).toBe(MOVE_LIMITS.atOnce - 1);
  runtime.ports.payments = realPayments;

  await stage.recover();
  await work();
  await settle();

  const { latest } = await api.subscriberMoves.overview();
  expect(latest!.status).toBe('stopped');
  expect(latest!.counts).toEqual(
    expect.arrayContaining([
      { state: 'moved', reason: null, lines: MOVE_LIMITS.atOnce - 1 },
      { state: 'failed', reason: null, lines: 1 },
      { state: 'stays', reason: 'stopped', lines: 1 },
    ]),
  );
  for (const userId of people) {
    const { line, there } = await ofPerson(userId, account);
    const former = await stage.payments.fetch.subscription(line.fromId);
    if (line.state !== 'moved') expect([former.endsAt, there.filter((s) => s !== 'canceled')]).toEqual([null, []]);
    else expect(former.endsAt).not.toBeNull();
  }
});
