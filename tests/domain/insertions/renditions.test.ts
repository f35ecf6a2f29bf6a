import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { insertionCampaigns, insertionPoints } from '~/db/schema/insertions';
import { renditions, servedRenditions, servedShows } from '~/db/schema/renditions';
import { bufferSource } from '~/server/audio/bytes';
import { checkMp3 } from '~/server/audio/check-mp3';
import { readTags, writeId3 } from '~/server/audio/tags';
import { toRendition } from '~/server/audio/timeline';
import { ensureRendition, lookupRendition } from '~/server/domain/insertions/renditions';
import { refreshDue, refreshServed } from '~/server/domain/insertions/served-lengths';
import { RENDITION_LIMITS } from '~/server/limits/insertions';
import { refreshServed as refreshJob } from '~/server/queue/jobs/insertions';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import { lameFrames } from '../../support/encodings';
import { assembled, insertionMakers } from '../../support/insertions';
import { lockWaits } from '../../support/lock-waits';
import { runJobs } from '../../support/run-jobs';

const { runtime, clock, make, pauseAt } = await cast({ empty: true });
const { soundEpisode, clip, campaign } = insertionMakers(runtime, make);
const ctx = systemCtx(runtime, 'insertions.refresh-served');

const creator = await make.creator({ timeZone: 'America/New_York' });
const show = await make.product(creator);

const sourceOf = (episode: Awaited<ReturnType<typeof soundEpisode>>) => ({
  episodeId: episode.id,
  creatorId: episode.creatorId,
  audioKey: episode.audioKey!,
  audioSha256: episode.audioSha256!,
  servedHead: null,
});
const served = (episodeId: number) =>
  runtime.db
    .select()
    .from(servedRenditions)
    .where(eq(servedRenditions.episodeId, episodeId))
    .orderBy(servedRenditions.door);

const refreshNow = () =>
  runJobs(runtime, refreshJob.name, (payload: { productId: number }, jobCtx) => refreshServed(jobCtx, payload));

/** A file with a tag of two chapters. */
const chaptered = async () =>
  Buffer.concat([
    Buffer.from(
      writeId3({
        title: 'Uno',
        chapters: [
          { startMs: 0, endMs: 9000, title: 'a' },
          { startMs: 9000, endMs: 15_000, title: 'b' },
        ],
      }),
    ),
    await lameFrames({ sampleRate: 44_100, channels: 2, seconds: 15 }, { bitrate: 128 }),
  ]);
type Storage = typeof runtime.ports.storage;
/** Another process, which has built nothing yet. */
const otherProcess = (over: Partial<Storage> = {}) => ({
  ...ctx,
  ports: { ...ctx.ports, storage: { ...runtime.ports.storage, ...over } },
});

test('a rendition is made once, and a process that has not built it sends the same bytes', async () => {
  const episode = await soundEpisode(show, { file: await chaptered() });
  const spot = await clip(creator);
  const arrangement = {
    clips: [{ place: 5000, versionId: spot.versionId, campaignId: 7, silenceBeforeMs: 200 }],
    omitted: [{ fromMs: 10_000, toMs: 12_000 }],
  };

  const made = (await ensureRendition(ctx, sourceOf(episode), arrangement))!;
  const again = await ensureRendition(ctx, sourceOf(episode), arrangement);
  const { storage } = runtime.ports;
  const rebuilt = (await lookupRendition(otherProcess(), episode.id, made.id))!;

  expect(again!.id).toBe(made.id);
  const whole = await assembled(storage, made);
  expect((await assembled(storage, rebuilt)).equals(whole)).toBe(true);
  expect(rebuilt).toMatchObject({ bytes: whole.length, headBytes: made.headBytes, clips: made.clips });
  const found = await checkMp3(bufferSource(whole));
  expect(found).toMatchObject({ ok: true, junkBytes: 0 });
  const { chapters } = await readTags(bufferSource(whole));
  expect(chapters.map(({ startMs }) => startMs)).toEqual([0, Math.round(toRendition(made.timeline, 9000))]);
  const [span] = made.clips;
  expect(whole.subarray(span!.from, span!.to).equals(spot.body)).toBe(true);
  expect(span).toMatchObject({ position: 0, campaignId: 7 });
});

test('a rendition whose tag is lost, as after a restored backup, is made again with the same bytes', async () => {
  const episode = await soundEpisode(show, { file: await chaptered() });
  const spot = await clip(creator);
  const arrangement = { clips: [{ place: 'pre' as const, versionId: spot.versionId, campaignId: 7 }], omitted: [] };
  const made = (await ensureRendition(ctx, sourceOf(episode), arrangement))!;
  const whole = await assembled(runtime.ports.storage, made);
  const [row] = await runtime.db.select().from(renditions).where(eq(renditions.id, made.id));
  await runtime.ports.storage.remove(row!.headKey!);

  expect(await lookupRendition(otherProcess(), episode.id, made.id)).toBeNull();
  const again = await ensureRendition(otherProcess(), sourceOf(episode), arrangement);

  expect(again?.id).toBe(made.id);
  const rebuilt = (await lookupRendition(otherProcess(), episode.id, made.id))!;
  expect((await assembled(runtime.ports.storage, rebuilt)).equals(whole)).toBe(true);
});

test('two processes that make a rendition at once get the same one', async () => {
  const episode = await soundEpisode(show);
  const spot = await clip(creator);
  const arrangement = { clips: [{ place: 'post' as const, versionId: spot.versionId, campaignId: 7 }], omitted: [] };
  const { storage } = runtime.ports;
  let goOn = () => {};
  const isFirstStored = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let begun = () => {};
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  // it has found no row when it opens the files
  const open: Storage['open'] = async (key) => {
    begun();
    await isFirstStored;
    return storage.open(key);
  };

  const late = ensureRendition(otherProcess({ open }), sourceOf(episode), arrangement);
  await hasBegun;
  const early = await ensureRendition(ctx, sourceOf(episode), arrangement);
  goOn();

  expect((await late)?.id).toBe(early!.id);
  expect(await runtime.db.$count(renditions, eq(renditions.episodeId, episode.id))).toBe(1);
});

test('a rendition of a missing clip or of another episode is not found', async () => {
  const episode = await soundEpisode(show);
  const spot = await clip(creator);
  const arrangement = { clips: [{ place: 'pre' as const, versionId: spot.versionId, campaignId: 1 }], omitted: [] };
  const made = (await ensureRendition(ctx, sourceOf(episode), arrangement))!;

  expect(await lookupRendition(ctx, episode.id + 1, made.id)).toBeNull();
  expect(await lookupRendition(ctx, episode.id, 'f'.repeat(32))).toBeNull();
  const unknown = { clips: [{ place: 'pre' as const, versionId: 999_999, campaignId: 1 }], omitted: [] };
  expect(await ensureRendition(ctx, sourceOf(episode), unknown)).toBeNull();
});

test('the served lengths of each door follow the campaigns, and the days of the creator’s time zone', async () => {
  const product = await make.product(creator);
  const episode = await soundEpisode(product);
  const spot = await clip(creator);
  // clocks are set back on this day: it has 25 hours
  const days = { firstDay: '2026-11-01', lastDay: '2026-11-01' };
  const row = await campaign(product, [spot], { ...days, inWebPlayer: true });
  const at = async (now: string) => {
    clock.now = new Date(now);
    await refreshDue(ctx);
    await refreshNow();
    return (await served(episode.id)).map(({ door, bytes }) => [door, bytes > episode.audioBytes!]);
  };
  const both = [
    ['public_feed', true],
    ['web_player', true],
  ];

  expect(await at('2026-11-01T03:59:59Z')).toEqual([]);
  expect(await at('2026-11-01T04:00:00Z')).toEqual(both);
  expect(await at('2026-11-02T04:59:59Z')).toEqual(both);
  expect(await at('2026-11-02T05:00:00Z')).toEqual([]);

  await runtime.db
    .update(insertionCampaigns)
    .set({ lastDay: null, place: 'mid', number: 1 })
    .where(eq(insertionCampaigns.id, row.id));
  await runtime.db.insert(insertionPoints).values({ episodeId: episode.id, atMs: 4000, origin: 'creator' });
  await refreshServed(ctx, { productId: product.id });
  expect(await served(episode.id)).toHaveLength(2);
});

test('the lengths of a long show are written in several runs, and again only on another day', async () => {
  clock.now = new Date('2026-11-12T12:00:00Z');
  const product = await make.product(creator);
  const episode = await soundEpisode(product, { seconds: 1 });
  const { audioKey, audioSha256, audioBytes, durationMs, headBytes, loudnessTenths } = episode;
  const file = { audioKey, audioSha256, audioBytes, durationMs, headBytes, loudnessTenths };
  const format = { sampleRate: 44_100, channels: 2, bitrate: 128_000 };
  const count = RENDITION_LIMITS.episodes;
  await make.episodes(product, count, (i) => ({ slug: `parte-${i}`, ...file, ...format }));
  await campaign(product, [await clip(creator, { seconds: 1 })]);
  const stated = () =>
    runtime.db.$count(
      servedRenditions,
      sql`${servedRenditions.episodeId} in (select id from episodes where product_id = ${product.id})`,
    );

  await refreshServed(ctx, { productId: product.id });
  expect(await stated()).toBe(count);
  await refreshNow();
  expect(await stated()).toBe(count + 1);

  const due = async (at: string) => {
    clock.now = new Date(at);
    await refreshDue(ctx);
    const shows: number[] = [];
    await runJobs(runtime, refreshJob.name, async ({ productId }: { productId: number }) => shows.push(productId));
    return shows.includes(product.id);
  };
  expect([await due('2026-11-13T04:59:59Z'), await due('2026-11-13T05:00:00Z')]).toEqual([false, true]);
});

test('a refresh that has read former campaigns does not overwrite what a later one has written', async () => {
  clock.now = new Date('2026-11-15T12:00:00Z');
  const product = await make.product(creator);
  const episode = await soundEpisode(product);
  const row = await campaign(product, [await clip(creator)]);
  const pause = pauseAt('lengths.computed');

  const early = refreshServed(ctx, { productId: product.id });
  await pause.reachedBy(early);
  await runtime.db.update(insertionCampaigns).set({ isActive: false }).where(eq(insertionCampaigns.id, row.id));
  await refreshServed(ctx, { productId: product.id });
  pause.goOn();
  await early;

  expect(await served(episode.id)).toEqual([]);
  expect(await refreshNow()).toBe(1);
});

test('a refresh compares the campaigns once it is its turn to write', async () => {
  clock.now = new Date('2026-11-16T12:00:00Z');
  const product = await make.product(creator);
  const episode = await soundEpisode(product);
  const row = await campaign(product, [await clip(creator)]);
  await refreshServed(ctx, { productId: product.id });
  await refreshNow();
  let release = () => {};
  const other = runtime.db.transaction(async (tx) => {
    const isIts = eq(servedShows.productId, product.id);
    await tx.select().from(servedShows).where(isIts).orderBy(servedShows.day).for('update');
    await new Promise<void>((resolve) => {
      release = resolve;
    });
  });

  const waiting = refreshServed(ctx, { productId: product.id });
  await lockWaits(runtime.db);
  await runtime.db.update(insertionCampaigns).set({ isActive: false }).where(eq(insertionCampaigns.id, row.id));
  release();
  await Promise.all([other, waiting]);

  expect(await refreshNow()).toBe(1);
  expect(await served(episode.id)).toEqual([]);
});
