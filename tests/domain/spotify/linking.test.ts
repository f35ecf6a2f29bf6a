import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { spotifyLinks } from '~/db/schema/spotify';
import { HOURS, later, MINUTES } from '~/server/base/time';
import { syncEntitlements } from '~/server/domain/spotify/sync-entitlements';
import { eraseLink, tellUnlinked } from '~/server/domain/spotify/unlink-account';
import { unlinkUser } from '~/server/queue/jobs/spotify';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import { runJobs } from '../../support/run-jobs';
import { spotifyStage } from '../../support/spotify';
import '../../support/matchers';

const staged = await cast();
const { runtime, make, clock, tom, ada, pauseAt } = staged;
const { sandbox, agree, link } = await spotifyStage(staged);
const { db } = runtime;

const linkOf = async (userId: number) => {
  const [row] = await db.select().from(spotifyLinks).where(eq(spotifyLinks.userId, userId));
  return row;
};
const runUnlinking = () => runJobs(runtime, unlinkUser.name, (payload, ctx) => tellUnlinked(ctx, payload));

test('a listener links an account, and Spotify gets an id that says nothing of them', async () => {
  const done = await link(tom, 'tom-at-spotify');

  expect(done).toMatch(/_sandbox\/spotify\/completed$/);
  const row = await linkOf(tom.id);
  expect(row).toMatchObject({ state: 'linked', accountName: 'tom-at-spotify', entitlements: [] });
  expect(row!.partnerUserId).toMatch(/^[0-9a-f]{64}$/);
  expect(row!.accountKey).not.toContain('tom');
  expect(await sandbox.store.entitlementsOf(row!.partnerUserId)).toEqual([]);
  expect(await tom.api.spotify.page()).toMatchObject({ isOffered: true, link: { state: 'linked' }, shows: null });
});

test('a second account of the same listener replaces the first one', async () => {
  const nora = await make.person();
  await link(nora, 'nora-1');
  const { partnerUserId } = (await linkOf(nora.id))!;

  await link(nora, 'nora-2');

  expect(await linkOf(nora.id)).toMatchObject({ partnerUserId, accountName: 'nora-2', state: 'linked' });
  const free = await make.person();
  await link(free, 'nora-1');
  expect(await linkOf(free.id)).toMatchObject({ state: 'linked' });
});

test('a Spotify account can’t be linked to two people, even at the same moment', async () => {
  const people = await Promise.all([make.creator(), make.creator()]);
  const answers = await Promise.all(people.map(async ({ api }) => agree((await api.spotify.link()).url, 'shared')));

  const results = await Promise.allSettled(people.map(({ api }, i) => api.spotify.finish(answers[i]!)));

  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const [rejected] = results.filter((result) => result.status === 'rejected');
  await expect(Promise.reject((rejected as PromiseRejectedResult).reason)).toFailWith('spotify.linked_elsewhere');
  const rows = await Promise.all(people.map(({ id }) => linkOf(id)));
  expect(rows.filter((row) => row?.state === 'linked')).toHaveLength(1);
});

test('an account that Spotify has linked to somebody else keeps the former link', async () => {
  const nora = await make.person();
  await link(nora, 'nora-kept');
  await sandbox.store.register({ id: 'f'.repeat(64), account: 'sandbox-other-taken', entitlements: [] });

  await expect(link(nora, 'taken')).toFailWith('spotify.linked_elsewhere');

  expect(await linkOf(nora.id)).toMatchObject({ state: 'linked', accountName: 'nora-kept', leasedUntil: null });
});

test('an answer works once, in the session in which the link began, and for half an hour', async () => {
  const nora = await make.person();
  const answer = await agree((await nora.api.spotify.link()).url, 'nora-once');
  await expect(ada.api.spotify.finish(answer)).toFailWith('spotify.linking_expired');
  await nora.api.spotify.finish(answer);

  await expect(nora.api.spotify.finish(answer)).toFailWith('spotify.linking_expired');
  await expect(nora.api.spotify.finish({ ...answer, state: 'forged' })).toFailWith('spotify.linking_expired');
  const late = await agree((await nora.api.spotify.link()).url, 'nora-late');
  clock.now = later(clock.now, MINUTES(31));
  await expect(nora.api.spotify.finish(late)).toFailWith('spotify.linking_expired');
  expect(await linkOf(nora.id)).toMatchObject({ accountName: 'nora-once' });
});

test('a code that was used already, or that Spotify never issued, links nothing', async () => {
  const nora = await make.person();
  const used = await agree((await nora.api.spotify.link()).url, 'nora-code');
  await nora.api.spotify.finish(used);
  await nora.api.spotify.unlink();
  const { state } = await agree((await nora.api.spotify.link()).url, 'nora-code');

  await expect(nora.api.spotify.finish({ state, code: used.code })).toFailWith('spotify.malformed_authentication');

  expect(await linkOf(nora.id)).toMatchObject({ state: 'unlinked', accountKey: null });
});

test('whoever declines at Spotify is told so', async () => {
  const nora = await make.person();
  const answer = await agree((await nora.api.spotify.link()).url, null);

  await expect(nora.api.spotify.finish(answer)).toFailWith('spotify.access_denied');
  expect(await linkOf(nora.id)).toBeUndefined();
});

test('a fault of Spotify ends the attempt, and the next one works', async () => {
  const nora = await make.person();
  sandbox.setFault('register-user', 'away');
  await expect(link(nora, 'nora-away')).toFailWith('spotify.away');
  expect(await linkOf(nora.id)).toMatchObject({ state: 'unlinked', accountKey: null, leasedUntil: null });

  sandbox.setFault('register-user', null);
  await link(nora, 'nora-away');
  expect(await linkOf(nora.id)).toMatchObject({ state: 'linked' });
});

test('a failed attempt after an unlinking leaves the user unlinked', async () => {
  const nora = await make.person();
  await link(nora, 'nora-former');
  await nora.api.spotify.unlink();
  sandbox.setFault('register-user', { status: 403 });
  await expect(link(nora, 'nora-former')).toFailWith('spotify.access_denied');
  sandbox.setFault('register-user', null);

  expect(await linkOf(nora.id)).toMatchObject({ state: 'unlinked', accountKey: null, leasedUntil: null });
});

test('a process that is killed after Spotify has the link: the night finds it', async () => {
  const nora = await make.person();
  const answer = await agree((await nora.api.spotify.link()).url, 'nora-killed');
  const pause = pauseAt('spotify.registered');
  const killed = nora.api.spotify.finish(answer);
  await pause.reachedBy(killed);
  const row = (await linkOf(nora.id))!;
  expect(row).toMatchObject({ state: 'linking' });
  expect(await sandbox.store.entitlementsOf(row.partnerUserId)).toEqual([]);

  clock.now = later(clock.now, HOURS(8));
  await syncEntitlements(systemCtx(runtime, 'test'), { userId: nora.id, isNightly: true });

  expect(await linkOf(nora.id)).toMatchObject({ state: 'linked', leasedUntil: null });
  pause.goOn();
  await killed;
});

test('a link that never reached Spotify ends at night', async () => {
  const nora = await make.person();
  const partnerUserId = 'a'.repeat(64);
  await db.insert(spotifyLinks).values({ userId: nora.id, partnerUserId, accountKey: 'lost', state: 'linking' });

  await syncEntitlements(systemCtx(runtime, 'test'), { userId: nora.id, isNightly: true });

  expect(await linkOf(nora.id)).toMatchObject({ state: 'unlinked', accountKey: null });
});

test('unlinking ends the link at Spotify, unless the listener links again before', async () => {
  const nora = await make.person();
  await link(nora, 'nora-ends');
  const { partnerUserId } = (await linkOf(nora.id))!;
  await nora.api.spotify.unlink();
  await link(nora, 'nora-ends');
  await runUnlinking();
  expect(await sandbox.store.entitlementsOf(partnerUserId)).toEqual([]);

  await nora.api.spotify.unlink();
  await nora.api.spotify.unlink();
  expect(await runUnlinking()).toBe(1);

  expect(await sandbox.store.entitlementsOf(partnerUserId)).toBeNull();
  expect(await linkOf(nora.id)).toMatchObject({ state: 'unlinked', accountName: null });
});

test('a deleted account leaves nothing here and nothing at Spotify', async () => {
  const nora = await make.person();
  await link(nora, 'nora-erased');
  const { partnerUserId } = (await linkOf(nora.id))!;

  await eraseLink(systemCtx(runtime, 'test'), { userId: nora.id });
  await eraseLink(systemCtx(runtime, 'test'), { userId: nora.id });
  await runUnlinking();

  expect(await linkOf(nora.id)).toBeUndefined();
  expect(await sandbox.store.entitlementsOf(partnerUserId)).toBeNull();
});

test('the end of a link waits while Spotify is away', async () => {
  const nora = await make.person();
  await link(nora, 'nora-waits');
  const { partnerUserId } = (await linkOf(nora.id))!;
  await nora.api.spotify.unlink();
  sandbox.setFault('unlink-user', { status: 503 });
  await runUnlinking();
  expect(await sandbox.store.entitlementsOf(partnerUserId)).toEqual([]);

  sandbox.setFault('unlink-user', null);
  await tellUnlinked(systemCtx(runtime, 'test'), { partnerUserId, attempt: 1 });

  expect(await sandbox.store.entitlementsOf(partnerUserId)).toBeNull();
});
