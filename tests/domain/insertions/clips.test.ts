import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { eq } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import {
  campaignClips,
  clips,
  clipVersions,
  insertionCampaigns,
  insertionPoints,
  insertionSlots,
  replacedPassages,
} from '~/db/schema/insertions';
import { creatorPlans } from '~/db/schema/plans';
import { DAYS, HOURS, later } from '~/server/base/time';
import { eraseInsertions } from '~/server/domain/insertions/erase-insertions';
import { sweepDeletedClips } from '~/server/domain/insertions/remove-clip';
import { eraseObjects, removeUnused } from '~/server/domain/media/erase-objects';
import { insertionSoundsDoor } from '~/server/doors/audio/insertion-sounds';
import { sweepClips } from '~/server/queue/jobs/insertions';
import { removeObjects } from '~/server/queue/jobs/media';
import { systemCtx } from '~/server/runtime/runtime';
import '../../support/matchers';
import { cast } from '../../support/cast';
import { frames, id3v2, mp3, noise } from '../../support/mp3';
import { runJobs } from '../../support/run-jobs';

const { runtime, clock, lucia, ada, podcast, make, checkNewAudio } = await cast();
const door = insertionSoundsDoor(runtime);
const server = http.createServer((req, res) => void (door(req, res) || res.writeHead(410).end()));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(() => void server.close());

async function hear(url: string, by?: { token: string }) {
  const { port } = server.address() as AddressInfo;
  const headers: Record<string, string> = by ? { cookie: `token=${by.token}` } : {};
  const response = await fetch(`http://127.0.0.1:${port}${url}`, { headers });
  return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
}

const uploaded = async (bytes = mp3(20), owner: typeof lucia = lucia) =>
  owner.api.clips.create({ name: 'Sponsor', clipKey: await make.upload(owner, 'insertion_audio', bytes) });

async function campaign(clipId: number, over: Partial<typeof insertionCampaigns.$inferInsert> = {}) {
  const common = { creatorId: lucia.creatorId, productId: podcast.id, kind: 'campaign', name: 'Autumn' } as const;
  const where = { place: 'pre', number: 0, selection: 'all', rank: 0 } as const;
  const doors = { inPublicFeed: true, inPrivateFeeds: true, inWebPlayer: true };
  const values = { ...common, ...where, ...doors, isComplete: true, isActive: true, ...over };
  const [row] = await runtime.db.insert(insertionCampaigns).values(values).returning();
  await runtime.db.insert(campaignClips).values({ campaignId: row!.id, clipId, rank: 0 });
  return row!;
}

test('a clip is uploaded, heard by its creator only, renamed and deleted', async () => {
  const { id, url } = await uploaded();

  await lucia.api.clips.rename({ id, name: '  Sponsor of  autumn ' });

  expect((await lucia.api.clips.list({ search: 'autumn' })).items).toMatchObject([
    { id, name: 'Sponsor of autumn', status: 'ready', origin: 'upload', durationMs: expect.closeTo(20_000, -2) },
  ]);
  expect((await hear(url!, lucia)).body.equals(mp3(20))).toBe(true);
  expect([(await hear(url!)).status, (await hear(url!, ada)).status]).toEqual([404, 404]);
  await lucia.api.clips.remove({ id });
  expect((await lucia.api.clips.list({ search: 'autumn' })).items).toEqual([]);
  expect((await hear(url!, lucia)).status).toBe(404);
  await expect(lucia.api.clips.remove({ id })).toFailWith('clip.not_found');
  await expect(lucia.api.clips.rename({ id, name: 'Again' })).toFailWith('clip.not_found');
});

test.each([
  ['over five minutes', () => mp3(301), 'clip.too_long'],
  ['half a second', () => mp3(0.5), 'audio.too_short'],
  ['a page', () => Buffer.from('<!doctype html><p>x'.padEnd(2000)), 'upload.renamed_an'],
  // each frame of a free format states neither its bit rate nor its length
  ['a free format', () => Buffer.concat([Buffer.from([0xff, 0xfb, 0x00, 0x00]), noise(5000)]), 'audio.free_format'],
  ['nothing but tags', () => id3v2(4000), 'audio.too_short'],
  [
    'another sample rate from the middle on',
    () => Buffer.concat([frames(200), frames(200, { sampleRate: 48_000 })]),
    'audio.mixed_formats',
  ],
  ['a WAV file', () => Buffer.concat([Buffer.from('RIFF'), Buffer.alloc(5000)]), 'upload.renamed'],
])('a clip is refused with the reason: %s', async (_, bytes, code) => {
  await expect(uploaded(bytes())).toFailWith(code);
});

test.each(['', '-', ' … ', '«»', '\u200d', '!?'])('a clip can’t be named %j', async (name) => {
  const { id } = await uploaded(mp3(2));
  const clipKey = await make.upload(lucia, 'insertion_audio', mp3(2));

  await expect(lucia.api.clips.create({ name, clipKey })).toFailWith('clip.name_required');
  await expect(lucia.api.clips.rename({ id, name })).toFailWith('clip.name_required');
  await expect(lucia.api.clips.cut({ name, episodeId: 1, startMs: 0, endMs: 5000 })).toFailWith('clip.name_required');
});

test.each(['ñ', '7', '🎧', 'ليلى', '-a-'])('a clip can be named %s', async (name) => {
  const { id } = await uploaded(mp3(2));

  expect(await lucia.api.clips.rename({ id, name })).toMatchObject({ name });
});

test('a file of five hours, of no bytes, or of another format is refused before its upload', async () => {
  const ask = (over: object) =>
    lucia.api.media.requestUpload({
      fileName: 'clip.mp3',
      contentType: 'audio/mpeg',
      fileSize: 1000,
      purpose: 'insertion_audio',
      ...over,
    });

  await expect(ask({ fileSize: 288_000_000 })).toFailWith('clip.too_long');
  await expect(ask({ fileSize: 0 })).toFailWith('upload.empty');
  await expect(ask({ fileName: 'clip.wav', contentType: 'audio/wav' })).toFailWith('upload.other_format');
});

test('a clip is cut from an episode, within it', async () => {
  const fileKey = await make.upload(lucia, 'episode_audio', mp3(40));
  const { id: episodeId } = await make.draft(lucia, podcast, { fileKey });
  const cut = (startMs: number | string, endMs: number | string, by: typeof lucia = lucia) =>
    by.api.clips.cut({ name: 'Read', episodeId, startMs, endMs });
  await expect(cut(0, 2000)).toFailWith('clip.needs_audio');
  await checkNewAudio();

  expect(await cut('0:10', '0:15')).toMatchObject({ origin: 'cut', durationMs: expect.closeTo(5000, -2) });
  await expect(cut(60_000, 70_000)).toFailWith('clip.outside');
  await expect(cut(5000, 5000)).toFailWith('clip.outside');
  await expect(cut(0, 300_001)).toFailWith('clip.too_long');
  await expect(cut(0, 2000, ada as typeof lucia)).toFailWith('episode.not_found');
});

test('another creator’s clip does not exist for others, and an upload makes one clip', async () => {
  const { id } = await uploaded();
  const clipKey = await make.upload(lucia, 'insertion_audio');

  await expect(ada.api.clips.remove({ id })).toFailWith('clip.not_found');
  await expect(ada.api.clips.rename({ id, name: 'Mine' })).toFailWith('clip.not_found');
  await expect(ada.api.clips.create({ name: 'Mine', clipKey })).toFailWith('upload.not_found');
  const both = await Promise.allSettled([1, 2].map(() => lucia.api.clips.create({ name: 'Once', clipKey })));
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  await expect(lucia.api.clips.create({ name: 'Again', clipKey })).toFailWith('upload.used');
});

test('clips need a plan that includes them', async () => {
  const owner = await make.creator();
  await runtime.db.insert(creatorPlans).values({ creatorId: owner.creatorId, plan: 'FREE' });

  await expect(uploaded(mp3(3), owner as typeof lucia)).toFailWith('plan.insertions_required');
});

test('a clip stays while a campaign that has not ended uses it', async () => {
  const { id } = await uploaded();
  const { id: campaignId } = await campaign(id, { lastDay: clock.now.toISOString().slice(0, 10) });

  await expect(lucia.api.clips.remove({ id })).toFailWith('clip.used_by_campaign');

  const today = clock.now;
  clock.now = later(today, DAYS(2));
  await lucia.api.clips.remove({ id });
  clock.now = today;
  expect(await runtime.db.$count(insertionCampaigns, eq(insertionCampaigns.id, campaignId))).toBe(1);
});

test('the files of a deleted clip stay for two days, and the clips of reports keep their names', async () => {
  const [plain, reported] = [await uploaded(), await uploaded()];
  await campaign(reported.id, { endedAt: clock.now });
  const versionKey = `audio/${lucia.creatorId}/clips/${plain.id}/version.mp3`;
  await runtime.ports.storage.put(versionKey, mp3(1), { contentType: 'audio/mpeg' });
  const version = { encoding: '1/44100/1/64000', loudness: 0, status: 'ready' as const, audioKey: versionKey };
  await runtime.db.insert(clipVersions).values({ clipId: plain.id, ...version });
  for (const { id } of [plain, reported]) await lucia.api.clips.remove({ id });
  const rows = () => runtime.db.select().from(clips).where(eq(clips.creatorId, lucia.creatorId)).orderBy(clips.id);
  const stored = async () => (await rows()).filter(({ id }) => id === plain.id || id === reported.id);
  const sweep = async () => {
    await sweepDeletedClips(systemCtx(runtime, sweepClips.name));
    await runJobs(runtime, removeObjects.name, (payload: { keys: string[] }) =>
      removeUnused(systemCtx(runtime, removeObjects.name), { folders: [], ...payload }),
    );
  };
  const before = await stored();
  await sweep();
  expect(await stored()).toEqual(before);
  expect(await runtime.ports.storage.head(versionKey)).not.toBeNull();

  clock.now = later(clock.now, HOURS(49));
  await sweep();

  expect(await stored()).toMatchObject([{ id: reported.id, name: 'Sponsor', audioKey: null }]);
  const keys = [versionKey, ...before.map(({ audioKey }) => audioKey!)];
  expect(await Promise.all(keys.map((key) => runtime.ports.storage.head(key)))).toEqual(keys.map(() => null));
});

test('with the account of a creator, clips and places disappear, and the files', async () => {
  const owner = await make.creator();
  const show = await make.product(owner);
  const [episode] = await make.episodes(show, 1);
  const { id: clipId } = await uploaded(mp3(3), owner as typeof lucia);
  const own = { creatorId: owner.creatorId, episodeId: episode!.id };
  await runtime.db.insert(replacedPassages).values({ ...own, fromMs: 0, toMs: 1000, clipId });
  await runtime.db.insert(insertionPoints).values({ episodeId: episode!.id, atMs: 60_000, origin: 'creator' });
  await runtime.db.insert(insertionSlots).values({ productId: show.id, rule: 'near_middle' });
  const ctx = systemCtx(runtime, 'accounts.delete');

  for (const step of [eraseInsertions, eraseObjects, eraseInsertions]) await step(ctx, { userId: owner.id });

  expect(await runtime.ports.storage.list(`audio/${owner.creatorId}/`, 10)).toEqual([]);
  const left = await Promise.all([
    runtime.db.$count(clips, eq(clips.creatorId, owner.creatorId)),
    runtime.db.$count(replacedPassages, eq(replacedPassages.creatorId, owner.creatorId)),
    runtime.db.$count(insertionPoints, eq(insertionPoints.episodeId, episode!.id)),
    runtime.db.$count(insertionSlots, eq(insertionSlots.productId, show.id)),
  ]);
  expect(left).toEqual([0, 0, 0, 0]);
});
