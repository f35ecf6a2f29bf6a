import { eq } from 'drizzle-orm';
import { payByForms } from 'stripe-sandbox/testing/pay-by-forms';
import { expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { sales, subscriptions } from '~/db/schema/billing';
import { checkouts } from '~/db/schema/checkouts';
import { creatorPlans } from '~/db/schema/plans';
import { products } from '~/db/schema/products';
import { spotifyLinks, spotifyShows } from '~/db/schema/spotify';
import { billingHandlers } from '~/jobs/handlers/billing';
import { deleteDueAccount } from '~/jobs/handlers/deletion';
import { spotifyHandlers } from '~/jobs/handlers/spotify';
import { DAYS, HOURS, later, MINUTES, monthsLater } from '~/server/base/time';
import { listMyGifts } from '~/server/domain/billing/base/gift-links';
import { giftsOnSale, giftTermsShown } from '~/server/domain/billing/base/rules';
import { buyGift as giftInput } from '~/server/domain/billing/base/schema';
import { buyGift } from '~/server/domain/billing/gifts/buy-gift';
import { redeemGift } from '~/server/domain/billing/gifts/redeem-gift';
import { finishOverdueCard, overdueToken, startOverdueCard } from '~/server/domain/billing/payers/overdue-links';
import { cancelSubscription, renewSubscription } from '~/server/domain/billing/subscriptions/my-subscriptions';
import { endPause, pauseSubscription } from '~/server/domain/billing/subscriptions/pause-subscription';
import { startMove } from '~/server/domain/moving/account-moves/move-subscriptions';
import { reconcileListeners } from '~/server/domain/spotify/reconcile-listeners';
import { syncEntitlements } from '~/server/queue/jobs/spotify';
import { runDueJobs } from '../../support/clocked-jobs';
import { movingShop } from '../../support/moving-shop';
import { GOOD_CARD, showItem } from '../../support/shop';
import { spotifyStage } from '../../support/spotify';

const RENEWAL_FAILS = '4000000000000044';
const stage = await movingShop();
const { runtime, ctx, ctxOf, visitorCtx, make, clock, settle, buy, fetch, newCreator, connect, upload, work } = stage;
const { customerIn, copied } = stage;
const { sandbox, linkedRow } = await spotifyStage(stage);
const { db } = runtime;
// the clock moves beyond her trial
const mover = await newCreator();
const { creator, show, ref } = mover;
await db.insert(creatorPlans).values({ creatorId: creator.creatorId, plan: 'PRO', since: clock.now });
const SHOW = `show_${show.id}`;

async function putOnSpotify(productId: number) {
  const secret = { tokenHash: `hash ${productId}`, sealedToken: 'sealed' };
  await db.insert(spotifyShows).values({ productId, state: 'live', ...secret, activatedAt: clock.now });
}
await putOnSpotify(show.id);

/** Tells Spotify what the events until now have changed: within a minute, because the clock moves no further. */
async function tell(): Promise<void> {
  await settle();
  await runDueJobs(runtime, billingHandlers);
  await settle();
  clock.now = later(clock.now, MINUTES(1));
  await runDueJobs(runtime, spotifyHandlers);
}
/** Moves the clock to a minute after an event, so that its jobs have run. */
async function passTo(event: Date): Promise<void> {
  clock.now = event;
  await tell();
}
const heard = async (userId: number) => {
  const [row] = await db.select().from(spotifyLinks).where(eq(spotifyLinks.userId, userId));
  return sandbox.store.entitlementsOf(row!.partnerUserId);
};
async function listener(): Promise<Awaited<ReturnType<typeof make.person>>> {
  const person = await make.person({ email: `p${Math.random().toString().slice(2)}@mail.example` });
  await db.update(users).set({ emailVerifiedAt: clock.now }).where(eq(users.id, person.id));
  await linkedRow(person.id);
  return person;
}
const rowOf = async (userId: number) =>
  (await db.select().from(subscriptions).where(eq(subscriptions.userId, userId)))[0]!;
const as = (person: { id: number }) => ctxOf({ id: person.id, creatorId: null });

async function subscriber({ number = GOOD_CARD, terms = {} }: { number?: string; terms?: object } = {}) {
  const person = await listener();
  await buy(showItem(show, { userId: person.id }, terms), number);
  await tell();
  expect(await heard(person.id)).toEqual([SHOW]);
  return { person, row: await rowOf(person.id) };
}

/** A paid gift. @returns the token of its link */
async function gift(giver: { id: number }, item: typeof show, choice: { months?: number }): Promise<string> {
  const shown = giftTermsShown(giftsOnSale(item), item.currency);
  const input = giftInput.parse({ product: item.id, ...choice, shown, terms: 'on', adult: 'on' });
  const { url } = await buyGift(ctxOf({ id: giver.id, creatorId: null }, { now: clock.now }), input, 'browser');
  await payByForms(fetch, url, { number: GOOD_CARD, proven: true });
  await tell();
  const [mine] = await listMyGifts(as(giver));
  return new URL(mine!.url!).searchParams.get('token')!;
}
async function redeem(friend: { id: number }, token: string): Promise<void> {
  await redeemGift(ctxOf({ id: friend.id, creatorId: null }, { now: clock.now }), { token });
  await tell();
}

test('a purchase reaches Spotify, of this show only, and each renewal keeps it', async () => {
  const other = await newCreator();
  const person = await listener();
  await buy(showItem(other.show, { userId: person.id }));
  await tell();
  expect(await heard(person.id)).toEqual([]);

  await buy(showItem(show, { userId: person.id }));
  await tell();
  expect(await heard(person.id)).toEqual([SHOW]);
  await putOnSpotify(other.show.id);
  await reconcileListeners(ctx, {});
  await tell();
  expect(await heard(person.id)).toEqual([SHOW, `show_${other.show.id}`]);

  await passTo(later(clock.now, DAYS(32)));
  expect(await heard(person.id)).toEqual([SHOW, `show_${other.show.id}`]);
});

test('a trial opens the episodes before the first payment, and the payment keeps them', async () => {
  const { person, row } = await subscriber({ terms: { trialDays: 14 } });
  expect(row.status).toBe('trialing');

  await passTo(later(row.periodEnd, HOURS(2)));

  expect(await rowOf(person.id)).toMatchObject({ status: 'active' });
  expect(await heard(person.id)).toEqual([SHOW]);
});

test('a trial that is cancelled ends at Spotify with its last day', async () => {
  const { person, row } = await subscriber({ terms: { trialDays: 14 } });
  await cancelSubscription(as(person), { id: row.id });
  await tell();
  expect(await heard(person.id)).toEqual([SHOW]);

  await passTo(row.periodEnd);

  expect(await heard(person.id)).toEqual([]);
});

test('a cancellation keeps the paid month, and can be called off', async () => {
  const [{ person, row }, stays] = [await subscriber(), await subscriber()];
  for (const each of [{ person, row }, stays]) await cancelSubscription(as(each.person), { id: each.row.id });
  await tell();
  await renewSubscription(as(stays.person), { id: stays.row.id });
  await passTo(later(row.periodEnd, -MINUTES(2)));
  expect(await heard(person.id)).toEqual([SHOW]);

  await passTo(row.periodEnd);
  expect(await heard(person.id)).toEqual([]);
  await passTo(later(stays.row.periodEnd, HOURS(2)));

  expect(await heard(stays.person.id)).toEqual([SHOW]);
});

test('a failed renewal keeps access for seven days, and a card that pays brings it back', async () => {
  const { person, row } = await subscriber({ number: RENEWAL_FAILS });
  await passTo(later(row.periodEnd, HOURS(2)));
  expect((await rowOf(person.id)).pastDueSince).not.toBeNull();
  await passTo(later(row.periodEnd, DAYS(6)));
  expect(await heard(person.id)).toEqual([SHOW]);
  await passTo(later(row.periodEnd, DAYS(7) + HOURS(2)));
  expect(await heard(person.id)).toEqual([]);

  const token = overdueToken(ctx, row);
  const { url } = await startOverdueCard(visitorCtx({ now: clock.now }), { token });
  await payByForms(fetch, url, { number: '5555555555554444', email: 'oyente@mail.example', proven: true });
  const saved = await db.select().from(checkouts).where(eq(checkouts.userId, person.id)).orderBy(checkouts.createdAt);
  const checkout = saved.find(({ purpose }) => purpose === 'card')!.id;
  await finishOverdueCard(visitorCtx({ now: clock.now }), { token, checkout });
  await tell();

  expect(await heard(person.id)).toEqual([SHOW]);
});

test('a pause begins and ends at Spotify like here, and its creator can end it earlier', async () => {
  const [{ person, row }, early] = [await subscriber(), await subscriber()];
  for (const each of [row, early.row]) await pauseSubscription(ctxOf(creator), { id: each.id, months: 1 });
  await tell();
  expect(await heard(person.id)).toEqual([SHOW]);
  await passTo(later(early.row.periodEnd, MINUTES(1)));
  expect([await heard(person.id), await heard(early.person.id)]).toEqual([[], []]);

  await endPause(ctxOf(creator), { id: early.row.id });
  await tell();
  expect([await heard(person.id), await heard(early.person.id)]).toEqual([[], [SHOW]]);

  await passTo(later(monthsLater(row.periodEnd, 1), HOURS(3)));
  expect(await heard(person.id)).toEqual([SHOW]);
});

test('a refunded purchase and a refunded gift end; a refunded part does not, nor does a month of a subscription', async () => {
  const series = await make.product(creator, { kind: 'audio_series', name: 'Serie', priceMinor: 1500 });
  await putOnSpotify(series.id);
  const [whole, part, giver, friend] = [await listener(), await listener(), await listener(), await listener()];
  for (const { id } of [whole, part]) await buy(showItem(series, { userId: id }));
  await redeem(friend, await gift(giver, series, {}));
  const { person } = await subscriber();
  const opened = async () => [
    await heard(whole.id),
    await heard(part.id),
    await heard(friend.id),
    await heard(person.id),
  ];
  const once = [`show_${series.id}`];
  expect(await opened()).toEqual([once, once, once, [SHOW]]);

  const refund = async (
    buyer: { id: number },
    item: { id: number; kind: 'podcast' | 'audio_series' },
    amount?: string,
  ) => {
    const [sale] = await db.select().from(sales).where(eq(sales.userId, buyer.id));
    const { id, kind } = item;
    await creator.api.buyers.refund({ id, kind, saleId: sale!.id, amount, refundedMinor: 0 });
  };
  await refund(whole, series);
  await refund(part, series, '1.00');
  await refund(giver, series);
  await refund(person, show);
  await tell();

  expect(await opened()).toEqual([[], once, [], [SHOW]]);
});

test('a buyer whom the creator removes loses the episodes at Spotify, too', async () => {
  const { person } = await subscriber();
  await creator.api.buyers.remove({ ...ref, userId: person.id });
  await tell();

  expect(await heard(person.id)).toEqual([]);
});

test('a creator who returns to the free plan keeps the subscribers, here and at Spotify', async () => {
  const { person } = await subscriber();
  await db.update(creatorPlans).set({ plan: 'FREE' }).where(eq(creatorPlans.creatorId, creator.creatorId));
  await reconcileListeners(ctx, {});
  await passTo(later(clock.now, DAYS(32)));

  expect(await heard(person.id)).toEqual([SHOW]);
  await db.update(creatorPlans).set({ plan: 'PRO' }).where(eq(creatorPlans.creatorId, creator.creatorId));
});

test('a deleted account leaves Spotify, and its subscription does not bring it back', async () => {
  const { person } = await subscriber();
  const [{ partnerUserId } = { partnerUserId: '' }] = await db
    .select()
    .from(spotifyLinks)
    .where(eq(spotifyLinks.userId, person.id));
  await db.update(users).set({ deletionDueAt: clock.now }).where(eq(users.id, person.id));
  await deleteDueAccount(ctx, { userId: person.id });
  await tell();
  await passTo(later(clock.now, DAYS(32)));

  expect(await sandbox.store.entitlementsOf(partnerUserId)).toBeNull();
  expect(await db.$count(spotifyLinks, eq(spotifyLinks.userId, person.id))).toBe(0);
});

test('subscribers of another host are entitled once they are imported, and nobody loses anything by a move', async () => {
  const { person } = await subscriber();
  const brought = await listener();
  const customer = await customerIn(brought.email);
  await copied(creator.creatorId, [customer]);
  const renewsAt = later(clock.now, DAYS(12)).toISOString();
  const list = [[brought.email, 'Ana', customer, '', '4.99', 'eur', 'month', renewsAt, ''].join(',')];
  await creator.api.subscriberImports.confirm({ id: await upload(mover, list), stopped: true });
  await work();
  await tell();
  expect(await heard(brought.id)).toEqual([SHOW]);

  await connect(mover);
  await startMove(ctxOf(creator));
  await work();
  await tell();
  expect([await heard(person.id), await heard(brought.id)]).toEqual([[SHOW], [SHOW]]);
});

test('an event whose job was lost is found at night; so is a show that was taken down', async () => {
  const person = await listener();
  await buy(showItem(show, { userId: person.id }));
  await settle();
  await runtime.queue.boss.purgeQueue(syncEntitlements.name);
  await tell();
  expect(await heard(person.id)).toEqual([]);

  await reconcileListeners(ctx, {});
  await tell();
  expect(await heard(person.id)).toEqual([SHOW]);

  await db.update(products).set({ takenDownAt: clock.now }).where(eq(products.id, show.id));
  await reconcileListeners(ctx, {});
  await tell();
  expect(await heard(person.id)).toEqual([]);
  await db.update(products).set({ takenDownAt: null }).where(eq(products.id, show.id));
  await db.update(spotifyShows).set({ state: 'live' }).where(eq(spotifyShows.productId, show.id));
});

// the last one, because its months pass the real date, after which the tests' payment provider sells nothing
test('a gift opens the episodes when it is redeemed, until its months are over', async () => {
  const [giver, friend] = [await listener(), await listener()];
  const token = await gift(giver, show, { months: 3 });
  expect([await heard(giver.id), await heard(friend.id)]).toEqual([[], []]);

  await redeem(friend, token);
  expect([await heard(giver.id), await heard(friend.id)]).toEqual([[], [SHOW]]);

  await passTo(monthsLater(clock.now, 3));
  expect(await heard(friend.id)).toEqual([]);
});
