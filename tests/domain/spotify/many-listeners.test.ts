import { eq, inArray } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { users } from '~/db/schema/accounts';
import { spotifyLinks } from '~/db/schema/spotify';
import { spotifyHandlers } from '~/jobs/handlers/spotify';
import { later, MINUTES, SECONDS } from '~/server/base/time';
import { grantAccess } from '~/server/domain/access/grant-access';
import { partnerUserIdOf } from '~/server/domain/spotify/queries';
import { reconcileListeners, syncListeners } from '~/server/domain/spotify/reconcile-listeners';
import { syncEntitlements as sync } from '~/server/domain/spotify/sync-entitlements';
import { SPOTIFY_SHOW_LIMITS } from '~/server/limits/spotify';
import { syncEntitlements, syncShow } from '~/server/queue/jobs/spotify';
import { transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import { runDueJobs } from '../../support/clocked-jobs';
import { spotifyStage } from '../../support/spotify';

const staged = await cast();
const { runtime, make, clock, lucia, paidPodcast, pauseAt } = staged;
const { sandbox, link, linkedRow } = await spotifyStage(staged);
const { db } = runtime;
const ctx = systemCtx(runtime, 'test');
const PAID = `show_${paidPodcast.id}`;
const MANY = SPOTIFY_SHOW_LIMITS.syncedAtOnce + 3;
const run = () => runDueJobs(runtime, spotifyHandlers);
const linkOf = async (userId: number) =>
  (await db.select().from(spotifyLinks).where(eq(spotifyLinks.userId, userId)))[0]!;
const thereOf = async (userId: number) => sandbox.store.entitlementsOf((await linkOf(userId)).partnerUserId);

/** More linked listeners than one job handles, who have bought the show. */
async function crowd(): Promise<number[]> {
  const account = { name: 'Ana', language: 'en', currency: 'eur', signedUpWith: 'password' } as const;
  const values = Array.from({ length: MANY }, (_, i) => ({ ...account, email: `crowd${i}@mail.example` }));
  const rows = await db
    .insert(users)
    .values(values.map((value) => ({ ...value, termsAcceptedAt: clock.now })))
    .returning({ id: users.id });
  const ids = rows.map(({ id }) => id);
  const links = ids.map((userId) => ({ userId, partnerUserId: partnerUserIdOf(runtime, userId) }));
  await db.insert(spotifyLinks).values(links.map((row) => ({ ...row, state: 'linked' as const, syncedAt: clock.now })));
  for (const { partnerUserId: id } of links) await sandbox.store.register({ id, account: id, entitlements: [] });
  const bought = { productId: paidPodcast.id, source: 'purchase' as const, startsAt: clock.now, dripsFrom: clock.now };
  await db.insert(grants).values(ids.map((userId) => ({ ...bought, userId })));
  return ids;
}

await link(lucia, 'lucia');
const ids = await crowd();
await lucia.api.spotify.publish({ productId: paidPodcast.id });

test('publishing a show entitles all of its listeners, in parts, and its creator', async () => {
  await run();
  const [first, last] = [ids[0]!, ids.at(-1)!];
  expect([await thereOf(first), await thereOf(last), await thereOf(lucia.id)]).toEqual([[PAID], [PAID], [PAID]]);
});

test('the nightly comparison reaches everybody, slowly', async () => {
  const last = await linkOf(ids.at(-1)!);
  await sandbox.store.setEntitlements(last.partnerUserId, []);

  await reconcileListeners(ctx, {});
  await run();
  expect(await thereOf(last.userId)).toEqual([]);
  // the second part begins after the first one
  for (let part = 0; part < 2; part += 1) {
    clock.now = later(clock.now, SECONDS(MANY / SPOTIFY_SHOW_LIMITS.perSecond));
    await run();
  }

  expect(await thereOf(last.userId)).toEqual([PAID]);
});

test('a listener who unlinks while a job talks to Spotify stays unlinked', async () => {
  const nora = await make.person();
  await linkedRow(nora.id);
  await transact(ctx, (tx) => grantAccess(tx, { userId: nora.id, productId: paidPodcast.id, source: 'purchase' }));
  const pause = pauseAt('spotify.replace');
  const running = sync(ctx, { userId: nora.id });
  await pause.reachedBy(running);
  await nora.api.spotify.unlink();
  pause.goOn();
  await running;

  const ended = { state: 'unlinked', accountName: null, entitlements: [], syncedAt: null, leasedUntil: null };
  expect(await linkOf(nora.id)).toMatchObject(ended);
  await run();
  expect(await thereOf(nora.id)).toBeNull();
});

test('a purchase while Spotify registers the account is delivered as soon as the link is complete', async () => {
  const nora = await make.person();
  const pause = pauseAt('spotify.registered');
  const linking = link(nora, 'registering');
  await pause.reachedBy(linking);
  await transact(ctx, (tx) => grantAccess(tx, { userId: nora.id, productId: paidPodcast.id, source: 'purchase' }));
  // the job of the purchase gets lost: the link's own job must not
  await runtime.queue.boss.purgeQueue(syncEntitlements.name);
  pause.goOn();
  await linking;
  expect(await thereOf(nora.id)).toEqual([]);

  clock.now = later(clock.now, MINUTES(2));
  await run();

  expect(await thereOf(nora.id)).toEqual([PAID]);
});

test('the end of a link frees its lease, so that the next link is not busy', async () => {
  const nora = await make.person();
  await link(nora, 'free-lease');
  await nora.api.spotify.unlink();
  await run();

  expect(await linkOf(nora.id)).toMatchObject({ state: 'unlinked', leasedUntil: null });
  await link(nora, 'free-lease-again');
  expect(await linkOf(nora.id)).toMatchObject({ state: 'linked' });
});

test('a withdrawn show ends the entitlements of those who have it, in one part if it is not full', async () => {
  await db.delete(grants).where(inArray(grants.userId, ids.slice(5)));
  await run();
  await lucia.api.spotify.withdraw({ productId: paidPodcast.id });
  await run();

  expect([await thereOf(ids[0]!), await thereOf(lucia.id)]).toEqual([[], []]);
  await syncListeners(ctx, { productId: paidPodcast.id });
  expect(await runtime.queue.boss.getQueueSize(syncShow.name)).toBe(0);
});
