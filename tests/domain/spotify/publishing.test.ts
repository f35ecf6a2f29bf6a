import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { products } from '~/db/schema/products';
import { spotifyShows } from '~/db/schema/spotify';
import { DAYS, later } from '~/server/base/time';
import { checkDueShows, checkShowLater } from '~/server/domain/spotify/check-show';
import { deliverShow as deliver } from '~/server/domain/spotify/deliver-show';
import { reconcileListeners } from '~/server/domain/spotify/reconcile-listeners';
import { checkSpotifyShow, deliverShow } from '~/server/queue/jobs/spotify';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import { runJobs } from '../../support/run-jobs';
import { spotifyStage } from '../../support/spotify';
import '../../support/matchers';

const staged = await cast();
const { runtime, make, clock, lucia, ada, paidPodcast, pauseAt } = staged;
const { sandbox, link } = await spotifyStage(staged);
const { db } = runtime;
const ctx = systemCtx(runtime, 'test');
const show = { productId: paidPodcast.id };

const runDeliveries = () => runJobs(runtime, deliverShow.name, (payload, own) => deliver(own, payload));
const rowOf = async (productId: number) => {
  const [row] = await db.select().from(spotifyShows).where(eq(spotifyShows.productId, productId));
  return row!;
};
const viewOf = async () =>
  (await lucia.api.spotify.page()).shows!.find(({ productId }) => productId === paidPodcast.id)!;

await expect(lucia.api.spotify.publish(show)).toFailWith('spotify.owner_not_linked');
await link(lucia, 'lucia');

beforeEach(async () => {
  sandbox.setFault('rss-feeds', null);
  await runDeliveries();
});

test('a published show is submitted once, and its status follows Spotify’s words', async () => {
  await lucia.api.spotify.publish(show);
  await lucia.api.spotify.publish(show);
  expect((await viewOf()).there).toMatchObject({ state: 'requested', feedUrl: null });
  expect(await runDeliveries()).toBe(1);

  const { spotifyUri } = await rowOf(paidPodcast.id);
  expect(await sandbox.store.feed(spotifyUri!)).toMatchObject({
    name: paidPodcast.name,
    url: expect.stringMatching(/^http:\/\/altavoz\.localhost:3000\/feed\/spotify\/[\w-]{32}$/),
  });
  expect((await viewOf()).there).toMatchObject({ state: 'submitted', spotifyUri });
  for (const [words, state] of [
    ['ingested but failed validation', 'rejected'],
    ['ingested with unknown validation status due to rate limit', 'unknown'],
    ['quarantined', 'unknown'],
    ['ingested and valid', 'live'],
  ]) {
    await sandbox.store.setStatus(spotifyUri!, words!);
    await lucia.api.spotify.check(show);
    expect((await viewOf()).there).toMatchObject({ state, remoteStatus: words, checkedAt: clock.now });
  }
});

test('listeners are led to a show on Spotify once it is approved', async () => {
  const nora = await make.person();
  const { spotifyUri } = await rowOf(paidPodcast.id);
  expect(await nora.api.spotify.ofShow(show)).toEqual({ spotifyUri, isLinked: false });
  await link(nora, 'nora-led');
  expect(await nora.api.spotify.ofShow(show)).toEqual({ spotifyUri, isLinked: true });

  await sandbox.store.setStatus(spotifyUri!, 'awaiting ingestion');
  await lucia.api.spotify.check(show);

  expect(await nora.api.spotify.ofShow(show)).toBeNull();
});

const urlOf = async (productId: number) => {
  const [row] = await db.select({ url: products.spotifyShowUrl }).from(products).where(eq(products.id, productId));
  return row!.url;
};
async function approved(name: string) {
  const own = await make.product(lucia, { name });
  await lucia.api.spotify.publish({ productId: own.id });
  await runDeliveries();
  const { spotifyUri } = await rowOf(own.id);
  await sandbox.store.setStatus(spotifyUri!, 'ingested and valid');
  return { own, uri: spotifyUri!, page: `https://open.spotify.com/show/${spotifyUri!.slice('spotify:show:'.length)}` };
}

test('the approval fills in the show’s address on Spotify once, and its end there removes it', async () => {
  const { own, page } = await approved('Filled in');
  const check = () => lucia.api.spotify.check({ productId: own.id });
  expect(await urlOf(own.id)).toBeNull();
  const { version } = (await db.select().from(products).where(eq(products.id, own.id)))[0]!;
  await check();
  expect(await urlOf(own.id)).toBe(page);
  const [filled] = await db.select().from(products).where(eq(products.id, own.id));
  expect(filled!.version).toBe(version + 1);

  await db.update(products).set({ spotifyShowUrl: null }).where(eq(products.id, own.id));
  await check();
  expect(await urlOf(own.id)).toBeNull();

  await db.update(products).set({ spotifyShowUrl: page }).where(eq(products.id, own.id));
  await lucia.api.spotify.withdraw({ productId: own.id });
  await runDeliveries();
  expect(await urlOf(own.id)).toBeNull();
});

test('an address that the creator has given stays, whatever happens at Spotify', async () => {
  const { own, uri } = await approved('Given');
  const given = 'https://open.spotify.com/show/4rOoJ6Egrf8K2IrywzwOMk';
  await lucia.api.products.update({ id: own.id, kind: 'podcast', spotifyShowUrl: given });
  await lucia.api.spotify.check({ productId: own.id });
  expect(await urlOf(own.id)).toBe(given);

  await sandbox.store.remove(uri);
  await expect(lucia.api.spotify.check({ productId: own.id })).toFailWith('spotify.podcast_not_found');

  expect(await urlOf(own.id)).toBe(given);
});

test('an address that was filled in goes when Spotify no longer has the show', async () => {
  const { own, uri, page } = await approved('Removed there');
  await lucia.api.spotify.check({ productId: own.id });
  expect(await urlOf(own.id)).toBe(page);
  await sandbox.store.remove(uri);

  await checkShowLater(ctx, { productId: own.id });

  expect(await urlOf(own.id)).toBeNull();
});

test('Spotify takes no second show of a name; once the show has another one, its creator publishes it again', async () => {
  await sandbox.store.submit({
    uri: 'spotify:show:other',
    name: 'Taken',
    url: 'https://feeds.example/',
    at: clock.now,
  });
  const own = await make.product(lucia, { name: 'taken' });
  await lucia.api.spotify.publish({ productId: own.id });
  await runDeliveries();
  expect(await rowOf(own.id)).toMatchObject({
    state: 'requested',
    failure: 'spotify.duplicate_show',
    spotifyUri: null,
  });

  await lucia.api.products.update({ id: own.id, kind: 'podcast', name: 'Free again' });
  await lucia.api.spotify.publish({ productId: own.id });
  expect(await rowOf(own.id)).toMatchObject({ state: 'requested', failure: null });
  await runDeliveries();

  expect(await rowOf(own.id)).toMatchObject({ state: 'submitted', failure: null });
});

test('a refusal that arrives after the withdrawal is not the creator’s any more', async () => {
  const own = await make.product(lucia, { name: 'Refused late' });
  await lucia.api.spotify.publish({ productId: own.id });
  sandbox.setFault('rss-feeds', { status: 403 });
  const held = sandbox.hold();
  const delivery = deliver(ctx, { productId: own.id });
  await expect.poll(() => sandbox.calls.at(-1)).toBe('rss-feeds');
  await lucia.api.spotify.withdraw({ productId: own.id });
  held.release();
  await delivery;

  expect(await rowOf(own.id)).toMatchObject({ state: 'leaving', failure: null });
});

test('a withdrawn show leaves Spotify, and returns with the same address', async () => {
  const { spotifyUri, tokenHash } = await rowOf(paidPodcast.id);
  await lucia.api.spotify.withdraw(show);
  expect(await rowOf(paidPodcast.id)).toMatchObject({ state: 'leaving' });
  await runDeliveries();
  expect(await rowOf(paidPodcast.id)).toMatchObject({ state: 'removed', spotifyUri: null });
  expect(await sandbox.store.feed(spotifyUri!)).toBeNull();
  await expect(lucia.api.spotify.withdraw(show)).toFailWith('spotify.show_not_there');
  await expect(lucia.api.spotify.check(show)).toFailWith('spotify.no_status');

  await lucia.api.spotify.publish(show);
  await runDeliveries();

  expect(await rowOf(paidPodcast.id)).toMatchObject({ state: 'submitted', tokenHash });
});

test('a show that is withdrawn while Spotify takes it is removed there', async () => {
  const own = await make.product(lucia, { name: 'Raced' });
  await lucia.api.spotify.publish({ productId: own.id });
  const pause = pauseAt('spotify.submitted');
  const delivery = runDeliveries();
  await pause.reachedBy(delivery);
  await lucia.api.spotify.withdraw({ productId: own.id });
  pause.goOn();
  await delivery;
  const { spotifyUri } = await rowOf(own.id);
  expect(await sandbox.store.feed(spotifyUri!)).not.toBeNull();

  await runDeliveries();

  expect(await sandbox.store.feed(spotifyUri!)).toBeNull();
  expect(await rowOf(own.id)).toMatchObject({ state: 'removed' });
});

test('a process that is killed after Spotify has taken a show: the next attempt finds the same one', async () => {
  const own = await make.product(lucia, { name: 'Killed' });
  await lucia.api.spotify.publish({ productId: own.id });
  const pause = pauseAt('spotify.submitted');
  const killed = runDeliveries();
  await pause.reachedBy(killed);

  await deliver(ctx, { productId: own.id });

  const { spotifyUri } = await rowOf(own.id);
  expect(await sandbox.store.feed(spotifyUri!)).toMatchObject({ name: 'Killed' });
  pause.goOn();
  await killed;
  await runDeliveries();
  expect(await rowOf(own.id)).toMatchObject({ spotifyUri, state: 'submitted' });
});

test('a show that another delivery has sent and had approved meanwhile stays at Spotify', async () => {
  const own = await make.product(lucia, { name: 'Twice' });
  await lucia.api.spotify.publish({ productId: own.id });
  const pause = pauseAt('spotify.submitted');
  const first = runDeliveries();
  await pause.reachedBy(first);
  await deliver(ctx, { productId: own.id });
  const { spotifyUri } = await rowOf(own.id);
  await sandbox.store.setStatus(spotifyUri!, 'ingested and valid');
  await lucia.api.spotify.check({ productId: own.id });

  pause.goOn();
  await first;
  await runDeliveries();

  expect(await rowOf(own.id)).toMatchObject({ state: 'live', spotifyUri });
  expect(await sandbox.store.feed(spotifyUri!)).not.toBeNull();
});

test('a status that arrives after the withdrawal changes nothing', async () => {
  const own = await make.product(lucia, { name: 'Late status' });
  await lucia.api.spotify.publish({ productId: own.id });
  await runDeliveries();
  const pause = pauseAt('spotify.checked');
  const check = lucia.api.spotify.check({ productId: own.id });
  await pause.reachedBy(check);
  await lucia.api.spotify.withdraw({ productId: own.id });
  pause.goOn();
  await check;

  expect(await rowOf(own.id)).toMatchObject({ state: 'leaving', checkedAt: null });
});

test('while Spotify is away, the show waits; a refusal is shown to its creator', async () => {
  const own = await make.product(lucia, { name: 'Waiting' });
  await lucia.api.spotify.publish({ productId: own.id });
  sandbox.setFault('rss-feeds', 'away');
  await runDeliveries();
  expect(await rowOf(own.id)).toMatchObject({ state: 'requested', failure: null });
  sandbox.setFault('rss-feeds', { status: 403 });
  await deliver(ctx, { productId: own.id, attempt: 1 });
  expect(await rowOf(own.id)).toMatchObject({ state: 'requested', failure: 'spotify.url_not_allowed' });

  sandbox.setFault('rss-feeds', null);
  await deliver(ctx, { productId: own.id, attempt: 2 });

  expect(await rowOf(own.id)).toMatchObject({ state: 'submitted', failure: null });
});

test('a show that was removed at Spotify is no longer there, and can be published again', async () => {
  const own = await make.product(lucia, { name: 'Gone' });
  await lucia.api.spotify.publish({ productId: own.id });
  await runDeliveries();
  await sandbox.store.remove((await rowOf(own.id)).spotifyUri!);

  await expect(lucia.api.spotify.check({ productId: own.id })).toFailWith('spotify.podcast_not_found');

  expect(await rowOf(own.id)).toMatchObject({ state: 'removed', failure: 'spotify.podcast_not_found' });
  await lucia.api.spotify.publish({ productId: own.id });
  expect(await rowOf(own.id)).toMatchObject({ state: 'requested', failure: null });
});

test('jobs ask for statuses that are due, and faults of Spotify are left to the next ones', async () => {
  const own = await make.product(lucia, { name: 'Checked' });
  await lucia.api.spotify.publish({ productId: own.id });
  await runDeliveries();
  const { spotifyUri } = await rowOf(own.id);
  await sandbox.store.setStatus(spotifyUri!, 'ingested and valid');
  const runChecks = async () => {
    await checkDueShows(ctx);
    return runJobs(runtime, checkSpotifyShow.name, (payload, job) => checkShowLater(job, payload));
  };
  await runChecks();
  expect(await rowOf(own.id)).toMatchObject({ state: 'live' });
  const isOwnDue = async () => {
    await checkDueShows(ctx);
    const jobs = await runtime.queue.boss.fetch(checkSpotifyShow.name, { batchSize: 100 });
    return jobs.some(({ data }) => (data as typeof show).productId === own.id);
  };
  expect(await isOwnDue()).toBe(false);

  clock.now = later(clock.now, DAYS(1));
  expect(await isOwnDue()).toBe(true);
  sandbox.setFault('rss-feeds', 'away');
  await checkShowLater(ctx, { productId: own.id });
  expect(await rowOf(own.id)).toMatchObject({ state: 'live', failure: 'spotify.away' });
});

test('shows that drip or are archived can’t be published, and another creator’s can’t be found', async () => {
  const dripping = await make.product(lucia, { name: 'Drips', dripDays: 7, priceMinor: 499 });
  const archived = await make.product(lucia, { name: 'Archived', archivedAt: clock.now });

  await expect(lucia.api.spotify.publish({ productId: dripping.id })).toFailWith('spotify.show_drips');
  await expect(lucia.api.spotify.publish({ productId: archived.id })).toFailWith('spotify.show_not_public');
  await expect(ada.api.spotify.publish(show)).toFailWith('product.not_found');
  await expect(ada.api.spotify.withdraw(show)).toFailWith('product.not_found');
  await expect(ada.api.spotify.check(show)).toFailWith('product.not_found');
});

test('a show that is taken down leaves Spotify at night', async () => {
  const own = await make.product(lucia, { name: 'Taken down' });
  await lucia.api.spotify.publish({ productId: own.id });
  await runDeliveries();
  await db.update(products).set({ takenDownAt: clock.now }).where(eq(products.id, own.id));

  await reconcileListeners(ctx, {});
  await runDeliveries();

  expect(await rowOf(own.id)).toMatchObject({ state: 'removed' });
});

test('without access to deliveries, the creator gets the address and submits it', async () => {
  const own = await make.product(lucia, { name: 'By hand' });
  const { delivery } = runtime.ports.spotify;
  runtime.ports.spotify.delivery = null;
  try {
    await lucia.api.spotify.publish({ productId: own.id });
    const { delivers, shows } = await lucia.api.spotify.page();
    expect(delivers).toBe(false);
    expect(shows!.find(({ productId }) => productId === own.id)!.there).toMatchObject({
      state: 'by_hand',
      feedUrl: expect.stringMatching(/\/feed\/spotify\/[\w-]{32}$/),
    });
    await lucia.api.spotify.withdraw({ productId: own.id });
    await runDeliveries();
    expect(await rowOf(own.id)).toMatchObject({ state: 'removed' });
  } finally {
    runtime.ports.spotify.delivery = delivery;
  }
});

test('without a contract, nothing is offered, and nothing fails', async () => {
  const { openAccess } = runtime.ports.spotify;
  runtime.ports.spotify.openAccess = null;
  try {
    expect(await lucia.api.spotify.page()).toMatchObject({ isOffered: false, shows: null });
    await expect(lucia.api.spotify.link()).toFailWith('spotify.not_offered');
    await expect(lucia.api.spotify.publish(show)).toFailWith('spotify.not_offered');
    await reconcileListeners(ctx, {});
  } finally {
    runtime.ports.spotify.openAccess = openAccess;
  }
});
