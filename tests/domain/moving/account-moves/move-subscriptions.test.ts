import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { sales } from '~/db/schema/billing';
import { sellerAccounts } from '~/db/schema/seller-accounts';
import type { PaymentsPort } from '~/server/adapters/payments/port';
import { DAYS, HOURS, later } from '~/server/base/time';
import { pointsUpTo } from '../../../support/deep';
import { movingPeople } from '../../../support/moving-people';
import { movingShop } from '../../../support/moving-shop';
import '../../../support/matchers';

const stage = await movingShop();
const { newCreator, connect, work, runtime, clock, settle, pass, stripe } = stage;
const { db } = runtime;
const { subscriber, rowOf, linesOf, charged } = movingPeople(stage);
const grantOf = async (userId: number) => (await db.select().from(grants).where(eq(grants.userId, userId)))[0]!;

let mover: Awaited<ReturnType<typeof newCreator>>;
beforeEach(async () => {
  mover = await newCreator();
});

test('subscriptions move with their renewal and price, and no subscriber is charged twice or loses access', async () => {
  const userId = await subscriber(mover);
  const before = await rowOf(userId);
  const grantBefore = await grantOf(userId);
  clock.now = later(clock.now, DAYS(4));
  const account = await connect(mover);

  await mover.creator.api.subscriberMoves.start();
  await work();
  await settle();

  const after = await rowOf(userId);
  expect(after).toMatchObject({ id: before.id, account, priceMinor: 499, periodEnd: before.periodEnd, endsAt: null });
  expect(after.providerId).not.toBe(before.providerId);
  expect(await grantOf(userId)).toMatchObject({
    endsAt: grantBefore.endsAt,
    renews: true,
    startsAt: grantBefore.startsAt,
  });
  expect(await stage.payments.fetch.subscription(before.providerId)).toMatchObject({ endsAt: before.periodEnd });
  expect(await charged(account, userId)).toBe(499);

  await pass(later(before.periodEnd, HOURS(2)));
  expect(await stage.payments.fetch.subscription(before.providerId)).toMatchObject({ endedAt: before.periodEnd });
  expect(await stage.payments.on(account).fetch.subscription(after.providerId)).toMatchObject({
    status: 'active',
    periodStart: before.periodEnd,
  });
  expect(await charged(account, userId)).toBe(2 * 499);
  expect((await rowOf(userId)).endedAt).toBeNull();
  expect((await grantOf(userId)).endsAt! > clock.now).toBe(true);
  expect(await mover.creator.api.subscriberMoves.overview()).toMatchObject({
    sums: [],
    latest: { status: 'done', counts: [{ state: 'moved', lines: 1 }], staying: [] },
  });
});

test('subscriptions that would lose something stay, with the reason', async () => {
  const [ending, good] = [await subscriber(mover), await subscriber(mover)];
  const { providerId } = await rowOf(ending);
  await stage.payments.cancel(providerId, 'at_period_end', 'leaves');
  await settle();
  clock.now = later(clock.now, DAYS(4));
  await connect(mover);

  await mover.creator.api.subscriberMoves.start();
  await work();

  const { latest } = await mover.creator.api.subscriberMoves.overview();
  expect(latest!.counts).toEqual(
    expect.arrayContaining([
      { state: 'moved', reason: null, lines: 1 },
      { state: 'stays', reason: 'ending', lines: 1 },
    ]),
  );
  expect((await rowOf(good)).account).not.toBeNull();
  expect((await rowOf(ending)).account).toBeNull();
});

test('one that renews soon waits for its renewal', async () => {
  const userId = await subscriber(mover);
  const { periodEnd, id } = await rowOf(userId);
  clock.now = later(periodEnd, -HOURS(1));
  const account = await connect(mover);

  await mover.creator.api.subscriberMoves.start();
  await work();
  expect(await linesOf(id)).toMatchObject([{ state: 'waiting', retryAt: later(periodEnd, HOURS(3)) }]);

  await pass(later(periodEnd, HOURS(4)));
  await stage.recover();
  await work();
  expect(await rowOf(userId)).toMatchObject({ account, endsAt: null });
  expect(await charged(account, userId)).toBe(2 * 499);
});

test('without an account of their own, a creator has nowhere to move to', async () => {
  await subscriber(mover);

  await expect(mover.creator.api.subscriberMoves.start()).toFailWith('subscriber_move.no_account');
});

test('a card that cannot be copied leaves the subscription as it was', async () => {
  const userId = await subscriber(mover);
  const before = await rowOf(userId);
  clock.now = later(clock.now, DAYS(4));
  await connect(mover);
  const { copyCard } = runtime.ports.payments;
  runtime.ports.payments.copyCard = (from, to, key) => copyCard({ ...from, card: 'pm_none' }, to, key);

  await mover.creator.api.subscriberMoves.start();
  await work();
  runtime.ports.payments.copyCard = copyCard;

  expect(await rowOf(userId)).toMatchObject({ providerId: before.providerId, account: null, endsAt: null });
  expect(await stage.payments.fetch.subscription(before.providerId)).toMatchObject({ endsAt: null, status: 'active' });
  expect((await grantOf(userId)).renews).toBe(true);
});

class Dies extends Error {}
const CALLS = ['cancel', 'copyCard', 'listSubscriptions', 'createCustomer', 'importSubscription', 'listCards'] as const;

/** Fails before or after the n-th call of the provider, like a killed process. */
function dyingAt(real: PaymentsPort, at: number): PaymentsPort {
  let calls = 0;
  const wrap = (port: PaymentsPort): PaymentsPort => ({
    ...port,
    ...Object.fromEntries(
      CALLS.map((name) => [
        name,
        async (...args: never[]) => {
          calls += 1;
          if (calls * 2 - 1 === at) throw new Dies();
          const result = await (port[name] as (...args: never[]) => Promise<unknown>)(...args);
          if (calls * 2 === at) throw new Dies();
          return result;
        },
      ]),
    ),
    on: (account) => wrap(port.on(account)),
  });
  return wrap(real);
}

const sellsHere = (accountId: string, here: boolean) =>
  db
    .update(sellerAccounts)
    .set({ status: here ? 'restricted' : 'active' })
    .where(eq(sellerAccounts.accountId, accountId));

test('a move that dies at any call of the provider is completed: no second subscription, no second charge', async () => {
  const account = await connect(mover);
  const real = runtime.ports.payments;
  const deaths = pointsUpTo(14);
  for (const at of deaths) {
    await sellsHere(account, true);
    const userId = await subscriber(mover);
    await sellsHere(account, false);
    const before = await rowOf(userId);
    clock.now = later(clock.now, DAYS(1));
    await mover.creator.api.subscriberMoves.start();
    runtime.ports.payments = dyingAt(real, at);
    await work().catch((error) => expect(error).toBeInstanceOf(Dies));
    runtime.ports.payments = real;
    await settle();
    expect((await grantOf(userId)).renews, `access after a death at ${at}`).toBe(true);
    await stage.recover();
    await work();
    const after = await rowOf(userId);
    expect(after, `died at ${at}`).toMatchObject({ account, periodEnd: before.periodEnd, endsAt: null });
    const { data } = await stripe.subscriptions.list({ customer: after.customerId }, { stripeAccount: account });
    expect(data).toHaveLength(1);
  }
  expect(await db.$count(sales, eq(sales.creatorId, mover.creator.creatorId))).toBe(deaths.length);
});
