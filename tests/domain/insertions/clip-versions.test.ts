import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { episodes } from '~/db/schema/episodes';
import {
  campaignClips,
  campaignEpisodes,
  clips,
  clipVersions,
  insertionCampaigns,
  replacedPassages,
} from '~/db/schema/insertions';
import { indexMp3 } from '~/server/audio/indexing';
import { DAYS, HOURS, later } from '~/server/base/time';
import { recordSound } from '~/server/domain/episodes/audio-check';
import { clipsProgressOf } from '~/server/domain/insertions/clip-states';
import { convertClip as convert, recoverConversions } from '~/server/domain/insertions/convert-clip';
import { type ClipScope, prepareClips } from '~/server/domain/insertions/prepare-clips';
import { prepareEpisode as prepareMeasured } from '~/server/domain/insertions/prepare-episode';
import { frameIndexKey } from '~/server/domain/media/rules';
import { measureLoudness } from '~/server/queue/jobs/episodes';
import { convertClip, prepareEpisode, refreshServed, sweepClips } from '~/server/queue/jobs/insertions';
import { transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import { lameFrames } from '../../support/encodings';
import { mp3, noise } from '../../support/mp3';
import { runJobs } from '../../support/run-jobs';

const { runtime, clock, lucia, make, pauseAt, checkNewAudio } = await cast();
const { db, ports } = runtime;
const jobCtx = (name: string) => systemCtx(runtime, name);
const prepare = (scope: ClipScope) => transact(jobCtx(prepareEpisode.name), (tx) => prepareClips(tx, scope));
const convertAll = () =>
  runJobs(runtime, convertClip.name, ({ versionId }: { versionId: number }, ctx) => convert(ctx, versionId));
const sound = await lameFrames({ sampleRate: 44_100, channels: 1, seconds: 2 }, { bitrate: 64 });

async function storedClip(bytes: Buffer = sound) {
  const audioKey = `audio/${lucia.creatorId}/clips/${Math.random().toString(16).slice(2)}.mp3`;
  await ports.storage.put(audioKey, bytes, { contentType: 'audio/mpeg' });
  const file = { audioKey, audioBytes: bytes.length, durationMs: 2000 };
  const values = { creatorId: lucia.creatorId, name: 'Clip', origin: 'upload' as const, status: 'ready' as const };
  const [row] = await db
    .insert(clips)
    .values({ ...values, ...file })
    .returning();
  return row!;
}

type Over = Partial<typeof insertionCampaigns.$inferInsert>;
async function campaign(productId: number, clipIds: number[], over: Over = {}) {
  const common = { creatorId: lucia.creatorId, productId, kind: 'campaign', name: 'Autumn' } as const;
  const where = { place: 'pre', number: 0, selection: 'all', rank: 0 } as const;
  const doors = { inPublicFeed: true, inPrivateFeeds: true, inWebPlayer: true };
  const values = { ...common, ...where, ...doors, isComplete: true, isActive: true, ...over };
  const [row] = await db.insert(insertionCampaigns).values(values).returning();
  await db.insert(campaignClips).values(clipIds.map((clipId, rank) => ({ campaignId: row!.id, clipId, rank })));
  return row!;
}

const measured = { sampleRate: 44_100, channels: 2, loudnessTenths: -160, peaksKey: 'p' };
const versionsOf = (clipId: number) =>
  db.select().from(clipVersions).where(eq(clipVersions.clipId, clipId)).orderBy(clipVersions.id);

test('a clip is converted once for all episodes of one encoding and loudness', async () => {
  const show = await make.product(lucia);
  await make.episodes(show, 500, (i) => ({ ...measured, loudnessTenths: -160 + (i % 5) }));
  await make.episodes(show, 2, (i) => ({ ...measured, bitrate: 64_000 + i, slug: `other-${i}` }));
  // not measured yet
  await make.episodes(show, 1, () => ({ ...measured, sampleRate: 48_000, peaksKey: null, slug: 'new' }));
  const clip = await storedClip();
  const { id: campaignId } = await campaign(show.id, [clip.id]);

  const counts = [await prepare({ campaignId }), await prepare({ campaignId })];

  expect(counts).toEqual([2, 0]);
  expect(await clipsProgressOf(runtime, [campaignId])).toEqual(
    new Map([[campaignId, { state: 'in_progress', ready: 0, total: 2 }]]),
  );
  expect(await convertAll()).toBe(2);
  const refreshed: number[] = [];
  await runJobs(runtime, refreshServed.name, async ({ productId }: { productId: number }) => {
    refreshed.push(productId);
  });
  expect(refreshed).toEqual([show.id, show.id]);
  const versions = await versionsOf(clip.id);
  expect(versions.map(({ encoding, loudness, status }) => [encoding, loudness, status]).sort()).toEqual([
    ['1/44100/2/128000', -16, 'ready'],
    ['1/44100/2/64000', -16, 'ready'],
  ]);
  for (const { audioKey, encoding } of versions) {
    const file = await ports.storage.open(audioKey!);
    const indexed = await indexMp3({ size: file!.bytes, read: file!.readInto });
    await file!.close();
    expect(indexed).toMatchObject({ index: { channels: 2, bitrate: Number(encoding.split('/').at(-1)) } });
  }
  expect((await clipsProgressOf(runtime, [campaignId])).get(campaignId)).toMatchObject({ state: 'ready', ready: 2 });
});

test('only the chosen episodes count, and only campaigns that are complete and have not ended', async () => {
  const show = await make.product(lucia);
  const rates = [32_000, 40_000, 48_000, 64_000];
  const all = await make.episodes(show, 4, (i) => ({ ...measured, bitrate: rates[i]! }));
  const clip = await storedClip();
  const day = (i: number) => all[i]!.releaseAt!.toISOString().slice(0, 10);
  await db
    .update(episodes)
    .set({ releaseAt: later(all[3]!.releaseAt!, DAYS(3)) })
    .where(eq(episodes.id, all[3]!.id));
  const ended = { lastDay: '2020-01-01' };
  const others = [{ isComplete: false }, ended, { endedAt: clock.now }, { deletedAt: clock.now }, { cap: 0 }];
  for (const over of others) {
    const { id } = await campaign(show.id, [clip.id], over);
    expect(await prepare({ campaignId: id })).toBe(0);
  }
  const fresh = later(all[0]!.releaseAt!, DAYS(2)).toISOString().slice(0, 10);

  const { id: newer } = await campaign(show.id, [clip.id], { selection: 'new', selectionDay: fresh });
  expect(await prepare({ campaignId: newer })).toBe(1);
  const { id: older } = await campaign(show.id, [clip.id], { selection: 'before', selectionDay: day(0) });
  expect(await prepare({ campaignId: older })).toBe(0);
  const { id: chosen } = await campaign(show.id, [clip.id], { selection: 'chosen' });
  expect(await prepare({ campaignId: chosen })).toBe(0);
  expect(await prepare({ episodeId: all[1]!.id })).toBe(0);
  await campaign(show.id, [clip.id]);
  expect(await prepare({ episodeId: all[1]!.id })).toBe(1);
  expect((await versionsOf(clip.id)).map(({ encoding }) => encoding)).toEqual(['1/44100/2/64000', '1/44100/2/40000']);
});

test('a replaced passage gets its clip in the encoding of its episode', async () => {
  const [episode] = await make.episodes(await make.product(lucia), 1, () => measured);
  const clip = await storedClip();
  const values = { creatorId: lucia.creatorId, episodeId: episode!.id, fromMs: 0, toMs: 1000, clipId: clip.id };
  const [passage] = await db.insert(replacedPassages).values(values).returning();

  expect(await prepare({ passageIds: [passage!.id] })).toBe(1);
});

test('new audio gets its clips as soon as it has been measured', async () => {
  const show = await make.product(lucia);
  const clip = await storedClip();
  await campaign(show.id, [clip.id]);
  const { id } = await make.draft(lucia, show as { id: number; kind: 'podcast' }, {
    fileKey: await make.upload(lucia, 'episode_audio', mp3(3)),
  });
  await checkNewAudio();
  expect(await versionsOf(clip.id)).toEqual([]);

  await runJobs(runtime, measureLoudness.name, ({ episodeId }: { episodeId: number }, ctx) =>
    recordSound(ctx, episodeId),
  );
  await runJobs(runtime, prepareEpisode.name, ({ episodeId }: { episodeId: number }, ctx) =>
    prepareMeasured(ctx, episodeId),
  );

  expect(await versionsOf(clip.id)).toMatchObject([{ encoding: '1/44100/1/64000', loudness: 0 }]);
  const [episode] = await db.select().from(episodes).where(eq(episodes.id, id));
  expect(await ports.storage.head(frameIndexKey(episode!.audioKey!))).not.toBeNull();
});

const versionOf = async (clipId: number, over: Partial<typeof clipVersions.$inferInsert> = {}) => {
  const values = { clipId, encoding: '1/44100/1/64000', loudness: 0, status: 'in_progress' as const, ...over };
  const [row] = await db.insert(clipVersions).values(values).returning();
  return row!;
};

test('a conversion that was killed is repeated without harm', async () => {
  const clip = await storedClip();
  const { id } = await versionOf(clip.id);
  const pause = pauseAt('clip.converted');
  const killed = convert(jobCtx(convertClip.name), id);
  await pause.reachedBy(killed);

  await convert(jobCtx(convertClip.name), id);
  const [first] = await versionsOf(clip.id);
  pause.goOn();
  await killed;

  expect(await versionsOf(clip.id)).toEqual([first]);
  expect(first).toMatchObject({ status: 'ready' });
  const stored = await ports.storage.list(`audio/${lucia.creatorId}/clips/${clip.id}/`, 10);
  expect(stored.map(({ key }) => key)).toEqual([first!.audioKey]);
});

test('a clip that can’t be decoded, or has no file any more, fails with a reason', async () => {
  const broken = await storedClip(noise(40_000));
  const gone = await storedClip();
  await ports.storage.remove(gone.audioKey!);
  for (const { id } of [broken, gone]) await convert(jobCtx(convertClip.name), (await versionOf(id)).id);

  expect(await versionsOf(broken.id)).toMatchObject([{ status: 'failed', failureReason: 'audio.not_mp3' }]);
  expect(await versionsOf(gone.id)).toMatchObject([{ status: 'failed', failureReason: 'audio.missing' }]);
});

test('lost conversions are enqueued again, and given up after a day', async () => {
  await runJobs(runtime, convertClip.name, async () => {});
  const clip = await storedClip();
  const at = (hours: number) => ({ enqueuedAt: later(clock.now, -HOURS(hours)) });
  await versionOf(clip.id, { ...at(0), loudness: -1 });
  await versionOf(clip.id, { ...at(2), loudness: -2 });
  await versionOf(clip.id, { ...at(25), loudness: -3 });

  await recoverConversions(jobCtx(sweepClips.name));

  expect(await convertAll()).toBe(1);
  expect((await versionsOf(clip.id)).map(({ status, failureReason }) => [status, failureReason])).toEqual([
    ['in_progress', null],
    ['ready', null],
    ['failed', 'clip.conversion_failed'],
  ]);
});

test('the conversions of one creator come between those of others, and all of them are made', async () => {
  await runJobs(runtime, convertClip.name, async () => {});
  await db.update(clipVersions).set({ status: 'failed' }).where(eq(clipVersions.status, 'in_progress'));
  const rates = [32_000, 40_000, 48_000, 64_000, 96_000];
  const prepareFor = async (creator: typeof lucia, clipIds: number[]) => {
    const show = await make.product(creator);
    await make.episodes(show, rates.length, (i) => ({ ...measured, bitrate: rates[i]! }));
    await prepare({ campaignId: (await campaign(show.id, clipIds, { creatorId: creator.creatorId })).id });
  };
  const { id: clipId } = await storedClip();
  const own = await make.creator();
  const other = await storedClip();
  await db.update(clips).set({ creatorId: own.creatorId }).where(eq(clips.id, other.id));
  await prepareFor(lucia, [clipId]);
  await prepareFor(own, [other.id]);
  const order: number[][] = [];
  const round = async () => {
    const converted: number[] = [];
    await runJobs(runtime, convertClip.name, async ({ versionId }: { versionId: number }, ctx) => {
      const [version] = await db.select().from(clipVersions).where(eq(clipVersions.id, versionId));
      converted.push(version!.clipId);
      await convert(ctx, versionId);
    });
    order.push(converted.sort((a, b) => a - b));
  };

  for (let i = 0; i < 3; i += 1) await round();

  expect(order).toEqual([
    [clipId, clipId, other.id, other.id],
    [clipId, clipId, other.id, other.id],
    [clipId, other.id],
  ]);
  for (const id of [clipId, other.id])
    expect((await versionsOf(id)).map(({ status }) => status)).toEqual(rates.map(() => 'ready'));
});

test('a new clip is converted for the formats of the latest episodes before a campaign needs it', async () => {
  const own = await make.creator();
  const show = await make.product(own);
  await make.episodes(show, 3, (i) => ({ ...measured, bitrate: [64_000, 96_000, 64_000][i]! }));
  const clipKey = await make.upload(own, 'insertion_audio', sound);

  const { id } = await own.api.clips.create({ name: 'Clip', clipKey });

  const foreseen = async () =>
    (await versionsOf(id)).map((row) => [row.encoding, row.isForeseen, row.enqueuedAt !== null]);
  expect(await foreseen()).toEqual([
    ['1/44100/2/64000', true, true],
    ['1/44100/2/96000', true, false],
  ]);
  const jobs = await runtime.queue.boss
    .getDb()
    .executeSql(`select priority from pgboss.job where name = '${convertClip.name}' and state = 'created'`, []);
  expect(jobs.rows).toEqual([{ priority: -1 }]);

  const { id: campaignId } = await campaign(show.id, [id], { creatorId: own.creatorId });
  await prepare({ campaignId });

  expect(await foreseen()).toEqual([
    ['1/44100/2/64000', false, true],
    ['1/44100/2/96000', false, true],
  ]);
  // the job in the background finds nothing to do
  expect(await convertAll()).toBe(3);
  expect((await versionsOf(id)).map(({ status }) => status)).toEqual(['ready', 'ready']);
  expect(await prepare({ campaignId })).toBe(0);
});

test('the conversions that are done are counted for the same formats for which clips are converted', async () => {
  const show = await make.product(lucia);
  const rates = [7_900, 12_000, 60_001, 71_999, 72_000, 72_001, 120_000, 128_000, 143_999, 144_000, 319_000, 400_000];
  const samples = [44_100, 32_000, 22_050, 16_000, 12_000];
  const all = await make.episodes(show, rates.length * samples.length, (i) => ({
    ...measured,
    ...{ bitrate: rates[i % rates.length]!, sampleRate: samples[i % samples.length]!, channels: 1 + (i % 2) },
    loudnessTenths: [-165, -164, -166, null, 5, -5][i % 6]!,
  }));
  const clip = await storedClip();
  const { id: whole } = await campaign(show.id, [clip.id]);
  const { id: some } = await campaign(show.id, [clip.id], { selection: 'chosen' });
  await db.insert(campaignEpisodes).values(all.slice(0, 6).map(({ id }) => ({ campaignId: some, episodeId: id })));
  const total = await prepare({ campaignId: whole });
  await db.update(clipVersions).set({ status: 'ready' }).where(eq(clipVersions.clipId, clip.id));

  const progress = await clipsProgressOf(runtime, [whole, some]);

  expect(total).toBeGreaterThan(40);
  expect(progress.get(whole)).toEqual({ state: 'ready', ready: total, total });
  expect(progress.get(some)).toEqual({ state: 'ready', ready: 6, total: 6 });
});

test('conversions whose jobs were lost before others of their creator continue', async () => {
  await runJobs(runtime, convertClip.name, async () => {});
  await db.update(clipVersions).set({ status: 'failed' }).where(eq(clipVersions.status, 'in_progress'));
  const clip = await storedClip();
  for (const loudness of [-1, -2, -3]) await versionOf(clip.id, { loudness });

  await recoverConversions(jobCtx(sweepClips.name));

  expect((await versionsOf(clip.id)).map(({ enqueuedAt }) => enqueuedAt !== null)).toEqual([true, true, false]);
});
