import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { episodes } from '~/db/schema/episodes';
import { insertionCampaigns } from '~/db/schema/insertions';
import { creatorPlans } from '~/db/schema/plans';
import { renditions } from '~/db/schema/renditions';
import { DAYS, HOURS, later, utcDay } from '~/server/base/time';
import { findPrivateFeeds } from '~/server/domain/feeds/private-feed';
import { privateLinks } from '~/server/domain/feeds/private-links';
import { countImpressions } from '~/server/domain/insertions/count-impressions';
import { endUnplanned } from '~/server/domain/insertions/end-unplanned';
import { holdRendition } from '~/server/domain/insertions/hold-rendition';
import { loadInsertables } from '~/server/domain/insertions/insertables';
import { prepareEpisode } from '~/server/domain/insertions/prepare-episode';
import { releaseReservations, sweepRenditions } from '~/server/domain/insertions/release-reservations';
import { refreshDue, refreshServed } from '~/server/domain/insertions/served-lengths';
import { removeUnused } from '~/server/domain/media/erase-objects';
import { publicFeed } from '~/server/domain/pages/public-feed';
import { refreshServed as refreshJob } from '~/server/queue/jobs/insertions';
import { removeObjects } from '~/server/queue/jobs/media';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import { insertionMakers } from '../../support/insertions';
import { runJobs } from '../../support/run-jobs';

const { runtime, clock, make, ctxOf, visitor } = await cast({ empty: true });
const { soundEpisode, clip, campaign } = insertionMakers(runtime, make);
const ctx = systemCtx(runtime, 'insertions.refresh-served');
const creator = await make.creator();
const start = clock.now;

type Feed = Awaited<ReturnType<typeof publicFeed>>;
async function lengthsIn(feed: Exclude<Feed, { movedTo: string }> | Pick<Exclude<Feed, { movedTo: string }>, 'pages'>) {
  const { value } = await feed.pages.next();
  return value?.map(({ audio, durationMs }) => [audio.bytes, durationMs]);
}

async function inPublicFeed(slug: string) {
  const feed = await publicFeed(runtime, { domain: creator.domain, slug });
  if ('movedTo' in feed) throw new Error('moved');
  return lengthsIn(feed);
}

test('feeds, pages and REST state the length of what their listeners get', async () => {
  clock.now = start;
  const show = await make.product(creator);
  const episode = await soundEpisode(show);
  const spots = [
    await clip(creator),
    await clip(creator, { seconds: 1, seed: 4 }),
    await clip(creator, { seconds: 3, seed: 7 }),
  ];
  await campaign(show, [spots[0]!]);
  await campaign(show, [spots[1]!], { inPublicFeed: false, inPrivateFeeds: true });
  await campaign(show, [spots[2]!], { inPublicFeed: false, inWebPlayer: true });
  const plain = [episode.audioBytes, episode.durationMs];
  const listener = await make.person();
  await listener.api.feeds.follow({ productId: show.id });
  const [link] = await privateLinks(ctxOf(listener), { productId: show.id });
  const token = link!.url.slice(link!.url.lastIndexOf('/') + 1);
  const inPrivateFeed = async () => {
    const [found] = await findPrivateFeeds(ctx, [token]);
    return { version: found!.version, lengths: await lengthsIn(await found!.read(found!.personal())) };
  };
  const before = await inPrivateFeed();
  expect([await inPublicFeed(show.slug), before.lengths]).toEqual([[plain], [plain]]);

  await refreshServed(ctx, { productId: show.id });

  const inFeed = (await inPublicFeed(show.slug))![0]!;
  const after = await inPrivateFeed();
  const { fileSize, durationSeconds } = await visitor.episodes.get({ id: episode.id });
  const own = await creator.api.episodes.get({ id: episode.id });
  const frame = 27;
  const isLonger = (by: number, ms: number | null | undefined) => Math.abs(ms! - episode.durationMs! - by) < 5 * frame;
  expect([isLonger(2000, inFeed[1]), isLonger(1000, after.lengths![0]![1])]).toEqual([true, true]);
  expect(after.version).not.toBe(before.version);
  // clients of REST get what apps get
  expect([fileSize, durationSeconds! * 1000]).toEqual(inFeed);
  expect([own.fileSize, own.durationSeconds! * 1000]).toEqual(plain);

  await runtime.db.update(insertionCampaigns).set({ isActive: false }).where(eq(insertionCampaigns.productId, show.id));
  await refreshServed(ctx, { productId: show.id });
  expect([await inPublicFeed(show.slug), (await inPrivateFeed()).lengths]).toEqual([[plain], [plain]]);
});

test('a new file has its own length until its rendition is made', async () => {
  clock.now = start;
  const show = await make.product(creator);
  const episode = await soundEpisode(show);
  await campaign(show, [await clip(creator)]);
  await refreshServed(ctx, { productId: show.id });
  const other = { audioKey: `audio/${creator.creatorId}/9/new.mp3`, audioBytes: 777_777, durationMs: 9000 };

  await runtime.db.update(episodes).set(other).where(eq(episodes.id, episode.id));

  expect(await inPublicFeed(show.slug)).toEqual([[777_777, 9000]]);
});

test('a replaced file stays for a day if somebody has begun a rendition of it', async () => {
  clock.now = start;
  const show = await make.product(creator);
  const [heard, unheard] = [await soundEpisode(show), await soundEpisode(show, { slug: 'other' })];
  await campaign(show, [await clip(creator)]);
  const listener = {
    listenerKey: 'ab'.repeat(16),
    formerKey: null,
    country: null,
    app: 'antennapod',
    isMachine: false,
    isKept: true,
    isSubscriber: false,
  };
  const [episode] = await loadInsertables(runtime, show.id, [heard.id]);
  await holdRendition(ctx, episode!, { ...listener, door: 'public_feed' });
  await refreshServed(ctx, { productId: show.id });
  const keys = [heard.audioKey!, unheard.audioKey!];
  const stored = async () => {
    const found = await Promise.all(keys.map((key) => runtime.ports.storage.list(key.replace('.mp3', '.'), 10)));
    return found.map((list) => list.map(({ key }) => /[^.]+$/.exec(key)![0]));
  };
  await runtime.db.update(episodes).set({ audioKey: 'audio/1/1/other.mp3' }).where(eq(episodes.productId, show.id));

  await removeUnused(ctx, { keys, folders: [] });
  expect(await stored()).toEqual([['frames', 'mp3'], []]);

  clock.now = later(start, HOURS(25));
  await removeUnused(ctx, { keys, folders: [] });
  expect(await stored()).toEqual([[], []]);
  const later24 = await runtime.db.execute<{ start: Date }>(
    `select start_after as start from pgboss.job where name = '${removeObjects.name}'`,
  );
  expect(later24).toHaveLength(1);
});

test('renditions of former campaigns are deleted after some days, with their tags', async () => {
  clock.now = start;
  const show = await make.product(creator);
  const episode = await soundEpisode(show);
  const row = await campaign(show, [await clip(creator)]);
  await refreshServed(ctx, { productId: show.id });
  const count = () => runtime.db.$count(renditions, eq(renditions.episodeId, episode.id));
  await runtime.db.update(insertionCampaigns).set({ isActive: false }).where(eq(insertionCampaigns.id, row.id));

  clock.now = later(start, DAYS(8));
  await sweepRenditions(ctx);
  expect(await count()).toBe(1);
  await refreshServed(ctx, { productId: show.id });
  await sweepRenditions(ctx);
  expect(await count()).toBe(0);
  await releaseReservations(ctx);
  await runJobs(runtime, removeObjects.name, async () => {});
});

test('feeds state the length of the file once a cap has no room, and that of the clip when room returns', async () => {
  clock.now = start;
  const show = await make.product(creator, { slug: 'tope' });
  const episode = await soundEpisode(show);
  await campaign(show, [await clip(creator)], { cap: 2 });
  await refreshServed(ctx, { productId: show.id });
  const plain = [[episode.audioBytes, episode.durationMs]];
  const refreshed = () =>
    runJobs(runtime, refreshJob.name, (part: { productId: number }, jobCtx) => refreshServed(jobCtx, part));
  const download = async (nth: number) => {
    const [found] = await loadInsertables(runtime, show.id, [episode.id]);
    const keys = { listenerKey: `0${nth}`.repeat(16), formerKey: null };
    const who = { country: null, app: 'antennapod', isMachine: false, isSubscriber: false, isKept: true };
    await holdRendition(ctx, found!, { ...keys, ...who, door: 'public_feed' });
    await refreshed();
    return inPublicFeed('tope');
  };

  const inserted = await inPublicFeed('tope');
  expect(inserted).not.toEqual(plain);
  expect(await download(1)).toEqual(inserted);
  expect(await download(2)).toEqual(plain);
  expect(await refreshed()).toBe(0);
  expect(await download(3)).toEqual(plain);

  clock.now = later(start, HOURS(25));
  await releaseReservations(ctx);
  await refreshed();
  expect(await inPublicFeed('tope')).toEqual(inserted);
});

test('a campaign that was stopped after it was chosen is not played, with or without a cap', async () => {
  clock.now = start;
  const changes = [{ isActive: false }, { endedAt: start }, { deletedAt: start }];
  for (const cap of [null, 5])
    for (const [nth, change] of changes.entries()) {
      const show = await make.product(creator);
      const episode = await soundEpisode(show);
      const stopped = await campaign(show, [await clip(creator)], { cap });
      const [found] = await loadInsertables(runtime, show.id, [episode.id]);
      await runtime.db.update(insertionCampaigns).set(change).where(eq(insertionCampaigns.id, stopped.id));
      const who = { country: null, app: 'antennapod', isMachine: false, isSubscriber: false, isKept: true };
      const keys = { listenerKey: `e${nth}`.repeat(16), formerKey: null };

      expect(await holdRendition(ctx, found!, { ...keys, ...who, door: 'public_feed' })).toBeNull();

      const [row] = await runtime.db.select().from(insertionCampaigns).where(eq(insertionCampaigns.id, stopped.id));
      expect(row!.reserved).toBe(0);
    }
});

test('an impression without a reservation that takes the last room of a cap changes the stated lengths', async () => {
  clock.now = start;
  const show = await make.product(creator, { slug: 'lleno' });
  const episode = await soundEpisode(show);
  const spot = await clip(creator);
  const { id: campaignId } = await campaign(show, [spot], { cap: 2 });
  const other = await make.product(creator);
  await soundEpisode(other);
  await campaign(other, [spot], { cap: 9 });
  for (const { id: productId } of [show, other]) await refreshServed(ctx, { productId });
  const [rendition] = await runtime.db.select().from(renditions).where(eq(renditions.episodeId, episode.id));
  const heard = (listenerKey: string) => ({
    ...{ day: utcDay(start), at: start, listenerKey: listenerKey.repeat(32), formerKey: null },
    ...{ episodeId: episode.id, renditionId: rendition!.id, neededBytes: 1000, country: 'ES', app: 'antennapod' },
    spans: [{ from: 0, to: 2000 }],
    clips: [{ position: 0, campaignId, from: 0, to: 1000 }],
  });
  const due = async () => {
    await refreshDue(ctx);
    return runJobs(runtime, refreshJob.name, (part: { productId: number }, jobCtx) => refreshServed(jobCtx, part));
  };
  await due();
  const inserted = await inPublicFeed('lleno');

  await countImpressions(runtime.db, [heard('1')]);
  expect(await due()).toBe(0);
  await countImpressions(runtime.db, [heard('2')]);
  expect(await due()).toBe(1);

  expect(inserted).not.toEqual([[episode.audioBytes, episode.durationMs]]);
  expect(await inPublicFeed('lleno')).toEqual([[episode.audioBytes, episode.durationMs]]);
});

test('shows whose campaigns are over are looked at once more, and never again', async () => {
  clock.now = start;
  const show = await make.product(creator);
  await soundEpisode(show);
  await campaign(show, [await clip(creator)], { lastDay: utcDay(start) });
  const due = async () => {
    await refreshDue(ctx);
    const shows: number[] = [];
    await runJobs(runtime, refreshJob.name, async (part: { productId: number }, jobCtx) => {
      shows.push(part.productId);
      await refreshServed(jobCtx, part);
    });
    return shows.filter((id) => id === show.id).length;
  };

  const counts = [];
  for (const days of [0, 0, 1, 2, 3]) {
    clock.now = later(start, DAYS(days));
    counts.push(await due());
  }

  expect(counts).toEqual([1, 0, 1, 0, 0]);
});

test('a new episode whose clip was converted for others states its length as soon as it was measured', async () => {
  clock.now = start;
  const show = await make.product(creator, { slug: 'nuevo' });
  await campaign(show, [await clip(creator)]);
  const episode = await soundEpisode(show);
  expect(await inPublicFeed('nuevo')).toEqual([[episode.audioBytes, episode.durationMs]]);

  await prepareEpisode(systemCtx(runtime, 'insertions.prepare-episode'), episode.id);
  await runJobs(runtime, refreshJob.name, (part: { productId: number }, jobCtx) => refreshServed(jobCtx, part));

  const [[bytes] = []] = (await inPublicFeed('nuevo')) ?? [];
  expect(bytes).toBeGreaterThan(episode.audioBytes!);
});

test('feeds state the length with a paced campaign again when room of its day returns', async () => {
  clock.now = start;
  const show = await make.product(creator, { slug: 'ritmo' });
  const episode = await soundEpisode(show);
  const lastDay = utcDay(later(start, DAYS(4)));
  await campaign(show, [await clip(creator)], { cap: 5, isPaced: true, firstDay: utcDay(start), lastDay });
  await refreshServed(ctx, { productId: show.id });
  const inserted = await inPublicFeed('ritmo');
  const refreshed = () =>
    runJobs(runtime, refreshJob.name, (part: { productId: number }, jobCtx) => refreshServed(jobCtx, part));
  const [found] = await loadInsertables(runtime, show.id, [episode.id]);
  const who = { country: null, app: 'antennapod', isMachine: false, isSubscriber: false, isKept: true };
  await holdRendition(ctx, found!, { listenerKey: '0f'.repeat(16), formerKey: null, ...who, door: 'public_feed' });
  await refreshed();
  expect(await inPublicFeed('ritmo')).toEqual([[episode.audioBytes, episode.durationMs]]);

  clock.now = later(start, HOURS(25));
  await releaseReservations(ctx);

  expect(await refreshed()).toBe(1);
  expect(await inPublicFeed('ritmo')).toEqual(inserted);
});

test('at the end of a plan, feeds state the length of the file again', async () => {
  clock.now = start;
  const other = await make.creator();
  const show = await make.product(other, { slug: 'sin-plan' });
  const episode = await soundEpisode(show);
  await campaign(show, [await clip(other)]);
  await refreshServed(ctx, { productId: show.id });
  const stated = async () => {
    const feed = await publicFeed(runtime, { domain: other.domain, slug: show.slug });
    if ('movedTo' in feed) throw new Error('moved');
    return lengthsIn(feed);
  };
  const plain = [[episode.audioBytes, episode.durationMs]];
  expect(await stated()).not.toEqual(plain);

  await runtime.db.insert(creatorPlans).values({ creatorId: other.creatorId, plan: 'FREE', since: start });
  await endUnplanned(ctx);
  await runJobs(runtime, refreshJob.name, (part: { productId: number }, jobCtx) => refreshServed(jobCtx, part));

  expect(await stated()).toEqual(plain);
});
