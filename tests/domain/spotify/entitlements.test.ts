import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { spotifyLinks, spotifyShows } from '~/db/schema/spotify';
import { DAYS, HOURS, later, MINUTES } from '~/server/base/time';
import { endAccess, grantAccess } from '~/server/domain/access/grant-access';
import type { GrantKey } from '~/server/domain/access/schema';
import { reconcileListeners, syncListeners } from '~/server/domain/spotify/reconcile-listeners';
import { syncEntitlements as sync } from '~/server/domain/spotify/sync-entitlements';
import { reconcileSpotify, syncEntitlements, syncShow } from '~/server/queue/jobs/spotify';
import { type TxCtx, transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import { runJobs } from '../../support/run-jobs';
import { spotifyStage } from '../../support/spotify';

const staged = await cast();
const { runtime, make, clock, lucia, paidPodcast, pauseAt } = staged;
const { sandbox, link } = await spotifyStage(staged);
const { db } = runtime;
const ctx = systemCtx(runtime, 'test');
const PAID = `show_${paidPodcast.id}`;

await db.insert(spotifyShows).values({
  ...{ productId: paidPodcast.id, state: 'live', tokenHash: 'hash', sealedToken: 'sealed', activatedAt: clock.now },
});

const change = (work: (tx: TxCtx) => Promise<unknown>) => transact(ctx, work);
const keyOf = (userId: number): GrantKey => ({ userId, productId: paidPodcast.id, source: 'subscription' });
const runSyncs = () => runJobs(runtime, syncEntitlements.name, (payload, own) => sync(own, payload));
const linkOf = async (userId: number) => {
  const [row] = await db.select().from(spotifyLinks).where(eq(spotifyLinks.userId, userId));
  return row!;
};
const thereOf = async (userId: number) => sandbox.store.entitlementsOf((await linkOf(userId)).partnerUserId);

/** A listener with an account at Spotify, whose first comparison has run. */
async function linked(account: string) {
  const person = await make.person();
  await link(person, account);
  await runSyncs();
  return person;
}

test('a purchase and its end reach Spotify with their jobs, which the grant’s transaction enqueues', async () => {
  const nora = await linked('buyer');
  expect(await thereOf(nora.id)).toEqual([]);

  await change((tx) => grantAccess(tx, keyOf(nora.id)));
  expect(await runSyncs()).toBe(1);
  expect(await thereOf(nora.id)).toEqual([PAID]);

  await change((tx) => endAccess(tx, keyOf(nora.id)));
  expect(await runSyncs()).toBe(1);
  expect(await thereOf(nora.id)).toEqual([]);
});

test('a purchase that is rolled back, and one of a person without a link, enqueue nothing', async () => {
  const [nora, other] = [await linked('rolled-back'), await make.person()];

  await change(async (tx) => {
    await grantAccess(tx, keyOf(nora.id));
    throw new Error('declined');
  }).catch(() => {});
  await change((tx) => grantAccess(tx, keyOf(other.id)));

  expect(await runSyncs()).toBe(0);
});

test('a subscription that ends by itself, as a pause or a refund ends it later, ends at Spotify then', async () => {
  const nora = await linked('ends-later');
  const endsAt = later(clock.now, DAYS(30));
  await change((tx) => grantAccess(tx, { ...keyOf(nora.id), endsAt, renews: true }));
  await runSyncs();
  expect(await thereOf(nora.id)).toEqual([PAID]);
  expect((await linkOf(nora.id)).endsAt).toEqual(endsAt);
  const waiting = await runtime.queue.boss.getQueueSize(syncEntitlements.name);

  await sync(ctx, { userId: nora.id, isNightly: true });
  expect(await runtime.queue.boss.getQueueSize(syncEntitlements.name)).toBe(waiting);
  clock.now = endsAt;
  await sync(ctx, { userId: nora.id });

  expect(await thereOf(nora.id)).toEqual([]);
});

test('an older list can’t arrive after a newer one', async () => {
  const nora = await linked('raced');
  const [row] = await change((tx) => grantAccess(tx, keyOf(nora.id))).then(() =>
    db.select().from(grants).where(eq(grants.userId, nora.id)).limit(1),
  );
  const pause = pauseAt('spotify.replace');
  const first = sync(ctx, { userId: nora.id });
  await pause.reachedBy(first);

  await db.update(grants).set({ endsAt: clock.now }).where(eq(grants.id, row!.id));
  await sync(ctx, { userId: nora.id });
  pause.goOn();
  await first;
  expect(await thereOf(nora.id)).toEqual([PAID]);
  await sync(ctx, { userId: nora.id });

  expect(await thereOf(nora.id)).toEqual([]);
});

test('the lease of a process that was killed ends after a minute', async () => {
  const nora = await linked('killed');
  await change((tx) => grantAccess(tx, keyOf(nora.id)));
  const pause = pauseAt('spotify.replace');
  const killed = sync(ctx, { userId: nora.id });
  await pause.reachedBy(killed);

  await sync(ctx, { userId: nora.id });
  expect(await thereOf(nora.id)).toEqual([]);
  clock.now = later(clock.now, MINUTES(1));
  await sync(ctx, { userId: nora.id });
  expect(await thereOf(nora.id)).toEqual([PAID]);
  pause.goOn();
  await killed;
});

test('while Spotify is away for a day, purchases commit, and the entitlements follow', async () => {
  const nora = await linked('away');
  sandbox.setFault('*', 'away');
  await change((tx) => grantAccess(tx, keyOf(nora.id)));
  await runSyncs();
  for (let attempt = 1; attempt < 30; attempt += 1) {
    clock.now = later(clock.now, HOURS(1));
    await sync(ctx, { userId: nora.id, attempt });
  }
  expect(await linkOf(nora.id)).toMatchObject({ state: 'linked', entitlements: [], leasedUntil: null });

  sandbox.setFault('*', null);
  clock.now = later(clock.now, HOURS(1));
  await sync(ctx, { userId: nora.id, attempt: 30 });

  expect(await thereOf(nora.id)).toEqual([PAID]);
});

test('too many calls: the next attempt comes when Spotify says', async () => {
  const nora = await linked('limited');
  sandbox.setFault('replace-entitlements', { status: 429, retryAfter: 1800 });
  await change((tx) => grantAccess(tx, keyOf(nora.id)));
  await runSyncs();
  sandbox.setFault('replace-entitlements', null);

  // pg-boss counts from the time of the database
  const [job] = await runtime.queue.boss
    .fetch(syncEntitlements.name, { ignoreStartAfter: true, batchSize: 100 })
    .then((jobs) =>
      jobs.filter(
        ({ data }) =>
          (data as { userId: number; attempt?: number }).userId === nora.id &&
          (data as { attempt?: number }).attempt === 1,
      ),
    );
  const { startAfter } = (await runtime.queue.boss.getJobById(syncEntitlements.name, job!.id))!;
  expect(startAfter).toEqual(later(clock.now, MINUTES(30)));
  clock.now = later(clock.now, MINUTES(30));
});

test('a token that Spotify has ended is replaced once', async () => {
  const nora = await linked('token');
  sandbox.endTokens();
  await change((tx) => grantAccess(tx, keyOf(nora.id)));

  await runSyncs();

  expect(await thereOf(nora.id)).toEqual([PAID]);
});

test('a listener whom Spotify does not know is unlinked, but not before the link can be complete', async () => {
  const nora = await make.person();
  await link(nora, 'gone');
  await sandbox.store.unlink((await linkOf(nora.id)).partnerUserId);
  await sync(ctx, { userId: nora.id, isNightly: true });
  expect(await linkOf(nora.id)).toMatchObject({ state: 'linked' });

  clock.now = later(clock.now, HOURS(1));
  await sync(ctx, { userId: nora.id, isNightly: true });

  expect(await linkOf(nora.id)).toMatchObject({ state: 'unlinked', accountKey: null, entitlements: [] });
});

test('at night, every listener is compared with Spotify', async () => {
  const nora = await linked('night');
  await change((tx) => grantAccess(tx, keyOf(nora.id)));
  await runSyncs();
  await sandbox.store.setEntitlements((await linkOf(nora.id)).partnerUserId, ['show_999']);

  await runJobs(runtime, reconcileSpotify.name, (payload, own) => reconcileListeners(own, payload));
  await reconcileListeners(ctx, {});
  await sync(ctx, { userId: nora.id, isNightly: true });

  expect(await thereOf(nora.id)).toEqual([PAID]);
});

test('the creator and the listeners of a show get its entitlement when it is published, and lose it later', async () => {
  const nora = await linked('show-listener');
  await change((tx) => grantAccess(tx, keyOf(nora.id)));
  await db.update(spotifyShows).set({ state: 'removed' });
  await runSyncs();
  expect(await thereOf(nora.id)).toEqual([]);
  await link(lucia, 'lucia-at-spotify');
  expect(await thereOf(lucia.id)).toEqual([]);

  await db.update(spotifyShows).set({ state: 'live' });
  await change((tx) => tx.jobs.enqueue(syncShow, { productId: paidPodcast.id }));
  await runJobs(runtime, syncShow.name, (payload, own) => syncListeners(own, payload));
  await runSyncs();

  expect(await thereOf(nora.id)).toEqual([PAID]);
  expect(await thereOf(lucia.id)).toEqual([PAID]);
});

test('following a show that is sold opens nothing at Spotify', async () => {
  const nora = await linked('follower');

  await change((tx) => grantAccess(tx, { ...keyOf(nora.id), source: 'follow' }));
  await runSyncs();

  expect(await thereOf(nora.id)).toEqual([]);
});
