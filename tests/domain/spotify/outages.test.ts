import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { spotifyLinks, spotifyOutages, spotifyShows } from '~/db/schema/spotify';
import { spotifyHandlers } from '~/jobs/handlers/spotify';
import { DAYS, HOURS, later, MINUTES, SECONDS } from '~/server/base/time';
import { grantAccess } from '~/server/domain/access/grant-access';
import { lookupPause } from '~/server/domain/spotify/pause-calls';
import { reconcileListeners } from '~/server/domain/spotify/reconcile-listeners';
import { syncEntitlements as sync } from '~/server/domain/spotify/sync-entitlements';
import {
  checkSpotifyShow,
  deliverShow,
  reconcileSpotify,
  syncEntitlements,
  unlinkUser,
} from '~/server/queue/jobs/spotify';
import { transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import { runDueJobs } from '../../support/clocked-jobs';
import { spotifyStage } from '../../support/spotify';
import '../../support/matchers';

const staged = await cast();
const { runtime, make, clock, lucia, paidPodcast, podcast } = staged;
const { sandbox, link, linkedRow } = await spotifyStage(staged);
const { db } = runtime;
const ctx = systemCtx(runtime, 'test');
const PAID = `show_${paidPodcast.id}`;
const run = () => runDueJobs(runtime, spotifyHandlers);

/** Moves the clock in steps, and runs the jobs that are due then. */
async function pass(time: number, step = MINUTES(1)): Promise<void> {
  for (const end = later(clock.now, time); clock.now < end; ) {
    clock.now = later(clock.now, step);
    await run();
  }
}
const countCalls = async (name: string, work: () => Promise<unknown>) => {
  const before = sandbox.calls.filter((call) => call === name).length;
  await work();
  return sandbox.calls.filter((call) => call === name).length - before;
};
const buy = (userId: number) =>
  transact(ctx, (tx) => grantAccess(tx, { userId, productId: paidPodcast.id, source: 'subscription' }));
const thereOf = async (userId: number) => {
  const [row] = await db.select().from(spotifyLinks).where(eq(spotifyLinks.userId, userId));
  return sandbox.store.entitlementsOf(row!.partnerUserId);
};
const outages = () => db.select().from(spotifyOutages).orderBy(spotifyOutages.service);
async function listeners(count: number) {
  const people = [];
  for (let i = 0; i < count; i += 1) {
    const person = await make.person();
    await linkedRow(person.id);
    people.push(person);
  }
  return people;
}

await link(lucia, 'lucia');
await db.insert(spotifyShows).values({
  ...{ productId: paidPodcast.id, state: 'live', tokenHash: 'hash', sealedToken: 'sealed', activatedAt: clock.now },
  ...{ checkedAt: clock.now },
});

beforeEach(async () => {
  for (const call of ['*', 'rss-feeds', 'replace-entitlements', 'unlink-user']) sandbox.setFault(call, null);
  await pass(HOURS(1), MINUTES(10));
  expect(await outages()).toEqual([]);
});

test.each([
  ['refuses connections', 'away' as const],
  ['answers 503', { status: 503 }],
])('Spotify %s for a day: one job tries after each pause, and then everything is caught up', async (_, fault) => {
  const people = await listeners(6);
  sandbox.setFault('*', fault);
  for (const { id } of people) await buy(id);

  const tries = await countCalls('replace-entitlements', async () => {
    await run();
    await pass(DAYS(1), MINUTES(10));
  });
  // three before the pause; 1, 2, 4 … minutes to an hour, and then one each hour
  expect(tries).toBeGreaterThan(20);
  expect(tries).toBeLessThan(34);
  expect(await outages()).toMatchObject([{ service: 'open_access', failures: expect.any(Number) }]);
  expect(await lookupPause(ctx, 'open_access')).not.toBeNull();

  sandbox.setFault('*', null);
  await pass(HOURS(1), MINUTES(10));

  for (const { id } of people) expect(await thereOf(id)).toEqual([PAID]);
  expect(await outages()).toEqual([]);
  expect(await db.$count(spotifyLinks, eq(spotifyLinks.state, 'unlinked'))).toBe(0);
});

test('with too many calls, no job calls before the time that Spotify names', async () => {
  const people = await listeners(5);
  sandbox.setFault('replace-entitlements', { status: 429, retryAfter: 1800 });
  for (const { id } of people) await buy(id);

  expect(await countCalls('replace-entitlements', run)).toBe(1);
  expect(await countCalls('replace-entitlements', () => pass(MINUTES(29)))).toBe(0);
  sandbox.setFault('replace-entitlements', null);
  await pass(MINUTES(2));

  for (const { id } of people) expect(await thereOf(id)).toEqual([PAID]);
});

test('after a pause one job tries, and the others make no call; if its process is killed, another one tries', async () => {
  const people = await listeners(4);
  sandbox.setFault('replace-entitlements', { status: 429, retryAfter: 600 });
  for (const { id } of people) await buy(id);
  await run();
  sandbox.setFault('replace-entitlements', null);
  clock.now = later(clock.now, MINUTES(10));
  const held = sandbox.hold();
  const runFor = ({ id }: { id: number }) => sync(systemCtx(runtime, 'test'), { userId: id });
  const [first, second] = [people[0]!, people[1]!];
  const killed = runFor(first);
  await expect.poll(async () => (await outages())[0]?.retryAt).toEqual(later(clock.now, MINUTES(1)));
  expect(await countCalls('replace-entitlements', () => runFor(second))).toBe(0);

  clock.now = later(clock.now, MINUTES(1));
  let trying: Promise<void> | undefined;
  const calls = await countCalls('replace-entitlements', async () => {
    trying = runFor(second);
    await expect.poll(async () => (await outages())[0]?.retryAt).toEqual(later(clock.now, MINUTES(1)));
    await expect.poll(() => sandbox.calls.at(-1)).toBe('replace-entitlements');
  });

  expect(calls).toBe(1);
  held.release();
  await Promise.all([killed, trying]);
  expect(await outages()).toEqual([]);
  await pass(MINUTES(2));
  for (const { id } of people) expect(await thereOf(id)).toEqual([PAID]);
});

test('one listener whose call always fails stops no other one', async () => {
  const [poor, ...others] = await listeners(4);
  await buy(poor!.id);
  sandbox.setFault('replace-entitlements', { status: 500 });
  await run();
  sandbox.setFault('replace-entitlements', null);
  expect(await outages()).toMatchObject([{ failures: 1, retryAt: null }]);

  for (const { id } of others) await buy(id);
  await run();

  for (const { id } of others) expect(await thereOf(id)).toEqual([PAID]);
  expect(await outages()).toEqual([]);
});

test('one listener whose call fails again and again stops no other one', async () => {
  const [poor, nora] = await listeners(2);
  await buy(poor!.id);
  sandbox.setFault('replace-entitlements', { status: 500 });
  await run();
  await pass(MINUTES(20));
  expect(await outages()).toMatchObject([{ failures: 1, retryAt: null }]);
  sandbox.setFault('replace-entitlements', null);

  await buy(nora!.id);
  await run();

  expect(await thereOf(nora!.id)).toEqual([PAID]);
  await pass(HOURS(1), MINUTES(10));
});

test('a nightly comparison is left out during an outage, and one that has begun waits until another job has tried', async () => {
  const [nora] = await listeners(1);
  sandbox.setFault('replace-entitlements', { status: 429, retryAfter: 600 });
  await buy(nora!.id);
  await run();
  const waiting = () => runtime.queue.boss.getQueueSize(reconcileSpotify.name);

  await reconcileListeners(ctx, {});
  expect(await waiting()).toBe(0);
  await reconcileListeners(ctx, { after: 1 });
  expect(await waiting()).toBe(1);
  const tries = await countCalls('replace-entitlements', () => pass(MINUTES(11)));
  expect([tries, await waiting()]).toEqual([1, 1]);

  sandbox.setFault('replace-entitlements', null);
  await pass(HOURS(2), MINUTES(1));
  expect([await waiting(), await thereOf(nora!.id)]).toEqual([0, [PAID]]);
});

test('deliveries and listeners have pauses of their own, and people who link an account wait for neither', async () => {
  const [nora] = await listeners(1);
  sandbox.setFault('rss-feeds', { status: 429, retryAfter: 7200 });
  await lucia.api.spotify.publish({ productId: podcast.id });
  await buy(nora!.id);
  await run();

  expect(await outages()).toMatchObject([{ service: 'delivery' }]);
  expect(await thereOf(nora!.id)).toEqual([PAID]);
  const person = await make.person();
  await link(person, 'unhindered');
  expect(await countCalls('rss-feeds', () => pass(HOURS(1), MINUTES(5)))).toBe(0);
  sandbox.setFault('rss-feeds', null);
  await pass(HOURS(1), MINUTES(5));

  const [show] = await db.select().from(spotifyShows).where(eq(spotifyShows.productId, podcast.id));
  expect(show).toMatchObject({ state: 'submitted', failure: null });
});

test('a refusal is an answer: it ends the pause', async () => {
  const [nora] = await listeners(1);
  sandbox.setFault('*', { status: 429, retryAfter: 60 });
  await buy(nora!.id);
  await run();
  sandbox.setFault('*', null);
  sandbox.setFault('replace-entitlements', { status: 403 });

  await pass(MINUTES(2));

  expect(await outages()).toEqual([]);
});

test('checks of statuses, the ends of links and the nightly comparison wait, too', async () => {
  const [nora, other] = await listeners(2);
  await db
    .update(spotifyShows)
    .set({ spotifyUri: 'spotify:show:one' })
    .where(eq(spotifyShows.productId, paidPodcast.id));
  sandbox.setFault('*', { status: 429, retryAfter: 3600 });
  await buy(nora!.id);
  await transact(ctx, (tx) => tx.jobs.enqueue(deliverShow, { productId: podcast.id }));
  await run();
  await transact(ctx, (tx) => tx.jobs.enqueue(checkSpotifyShow, { productId: paidPodcast.id }));
  await run();
  const [before] = await db.select().from(spotifyShows).where(eq(spotifyShows.productId, paidPodcast.id));

  const calls = sandbox.calls.length;
  await other!.api.spotify.unlink();
  await reconcileListeners(ctx, {});
  await transact(ctx, (tx) => tx.jobs.enqueue(checkSpotifyShow, { productId: paidPodcast.id }));
  await pass(MINUTES(30), MINUTES(10));
  const [during] = await db.select().from(spotifyShows).where(eq(spotifyShows.productId, paidPodcast.id));
  expect(sandbox.calls.length).toBe(calls);
  expect(during).toEqual(before);
  expect(await runtime.queue.boss.getQueueSize(syncEntitlements.name)).toBeLessThan(3);
  expect(await runtime.queue.boss.getQueueSize(unlinkUser.name)).toBe(1);

  sandbox.setFault('*', null);
  await pass(HOURS(1), SECONDS(60));
  expect(await thereOf(nora!.id)).toEqual([PAID]);
  expect(await runtime.queue.boss.getQueueSize(unlinkUser.name)).toBe(0);
});
