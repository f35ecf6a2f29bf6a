import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { and, eq } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { promoDays } from '~/db/schema/episode-parts';
import { creatorPlans } from '~/db/schema/plans';
import { bufferSource } from '~/server/audio/bytes';
import { checkMp3 } from '~/server/audio/check-mp3';
import { cutMp3 } from '~/server/audio/cut';
import type { AppError } from '~/server/base/errors';
import { DAYS, later } from '~/server/base/time';
import { removeUnused } from '~/server/domain/media/erase-objects';
import { deleteStoredObjects } from '~/server/domain/media/sweep-uploads';
import { createSoundFileCache, soundFilesDoor } from '~/server/doors/audio/sound-files';
import { removeObjects } from '~/server/queue/jobs/media';
import { systemCtx } from '~/server/runtime/runtime';
import '../../support/matchers';
import { cast } from '../../support/cast';
import { decodeWithMpg123, recordingOf } from '../../support/decoding';
import { lameFrames } from '../../support/encodings';
import { mp3 } from '../../support/mp3';
import { runJobs } from '../../support/run-jobs';

const { runtime, clock, lucia, ada, podcast, paidPodcast, visitor, make, checkNewAudio } = await cast();
const cache = createSoundFileCache(runtime);
const door = soundFilesDoor(runtime, cache);
const server = http.createServer((req, res) => void door(req, res));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
afterAll(() => void server.close());

const ref = (id: number) => ({ id, kind: 'podcast' as const });
const tomorrow = () => {
  clock.now = later(clock.now, DAYS(1));
};

async function episode(bytes = mp3(40), owner = lucia, show = podcast) {
  // visitors hear the promos of locked episodes only
  const type = show === paidPodcast ? 'private' : 'public';
  const { id } = await make.draft(owner, show, { type, fileKey: await make.upload(owner, 'episode_audio', bytes) });
  await checkNewAudio();
  return id;
}

/** Uploads a promo and attaches it to the episode. */
const upload = async (id: number, bytes = mp3(20)) =>
  lucia.api.episodes.update({ ...ref(id), promoKey: await make.upload(lucia, 'promo', bytes) });

async function play(url: string) {
  cache.clear();
  const response = await fetch(`http://127.0.0.1:${port}${new URL(url).pathname}`);
  const cached = response.headers.get('cache-control');
  return { status: response.status, cached, body: Buffer.from(await response.arrayBuffer()) };
}

const accepting = await episode();
const file = { fileName: 'p.mp3', contentType: 'audio/mpeg', fileSize: 1000 };

test('the promo of a locked episode is uploaded, heard by visitors, and deleted', async () => {
  tomorrow();
  const id = await episode(mp3(40), lucia, paidPodcast);

  const { promo } = await upload(id);

  expect(promo).toMatchObject({ durationSeconds: expect.closeTo(20, 0) });
  expect(await visitor.episodes.get(ref(id))).toMatchObject({ promo });
  const { body, ...answer } = await play(promo!.url);
  expect(answer).toEqual({ status: 200, cached: 'private, no-cache' });
  // `toEqual` would compare byte by byte, for seconds
  expect(body.equals(mp3(20))).toBe(true);
  await lucia.api.episodes.hold(ref(id));
  expect((await play(promo!.url)).status).toBe(404);
  await lucia.api.episodes.removePromo(ref(id));
  await runJobs(runtime, removeObjects.name, (payload: { keys: string[] }) =>
    removeUnused(systemCtx(runtime, removeObjects.name), { folders: [], ...payload }),
  );
  expect(await runtime.ports.storage.list(`audio/${lucia.creatorId}/${id}/promo/`, 10)).toEqual([]);
  await expect(lucia.api.episodes.removePromo(ref(id))).toFailWith('promo.not_found');
});

test('a creator uploads one promo a day, also after deleting it, on any of the episodes', async () => {
  tomorrow();
  const [one, other] = [await episode(), await episode()];
  await upload(one);

  await lucia.api.episodes.removePromo(ref(one));

  await expect(upload(other)).toFailWith('promo.one_per_day');
  await expect(lucia.api.episodes.requestPromoUpload({ ...file, episodeId: other })).toFailWith('promo.one_per_day');
  expect(await lucia.api.episodes.get(ref(other))).toMatchObject({ promo: null });
  tomorrow();
  expect(await upload(other)).toMatchObject({ promo: { durationSeconds: expect.any(Number) } });
});

test('one of two promos at once is accepted', async () => {
  tomorrow();
  const [one, other] = [await episode(), await episode()];

  const results = await Promise.allSettled([upload(one), upload(other)]);

  const failed = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  expect(failed.map((error) => (error.cause as AppError).code)).toEqual(['promo.one_per_day']);
  const today = and(eq(promoDays.creatorId, lucia.creatorId), eq(promoDays.day, clock.now.toISOString().slice(0, 10)));
  expect(await runtime.db.$count(promoDays, today)).toBe(1);
});

test('a promo key works once, and only for the purpose and the user that it was made for', async () => {
  tomorrow();
  const [one, other] = [await episode(), await episode()];
  const promoKey = await make.upload(lucia, 'promo');
  await lucia.api.episodes.update({ ...ref(one), promoKey });
  tomorrow();

  const use = (key: string, id = other) => lucia.api.episodes.update({ ...ref(id), promoKey: key });
  await expect(use(promoKey)).toFailWith('upload.used');
  await expect(use(await make.upload(lucia, 'episode_audio'))).toFailWith('upload.not_found');
  await expect(use(await make.upload(ada, 'promo'))).toFailWith('upload.not_found');
  const own = await make.upload(ada, 'promo');
  await expect(ada.api.episodes.update({ ...ref(one), promoKey: own })).toFailWith('episode.not_found');
  await expect(ada.api.episodes.requestPromoUpload({ ...file, episodeId: one })).toFailWith('episode.not_found');
  await expect(ada.api.episodes.cutPromo({ ...ref(one), startMs: 0, endMs: 2000 })).toFailWith('episode.not_found');
});

test.each([
  ['31 seconds', () => mp3(31), 'promo.too_long'],
  ['half a second', () => mp3(0.5), 'audio.too_short'],
  ['a page', () => Buffer.from('<!doctype html><p>x'.padEnd(2000)), 'upload.renamed_an'],
  ['a WAV file', () => Buffer.concat([Buffer.from('RIFF'), Buffer.alloc(5000)]), 'upload.renamed'],
])('a promo is rejected and its day stays free: %s', async (_, bytes, code) => {
  const id = accepting;

  await expect(upload(id, bytes())).toFailWith(code);
});

test('a file of more than 10 MB is longer than a promo', async () => {
  const id = accepting;
  tomorrow();

  const asked = lucia.api.episodes.requestPromoUpload({ ...file, fileSize: 11_000_000, episodeId: id });
  await expect(asked).toFailWith('promo.too_long');
});

test('promos need a plan that includes them', async () => {
  const owner = await make.creator();
  await runtime.db.insert(creatorPlans).values({ creatorId: owner.creatorId, plan: 'FREE' });
  const show = await make.product(owner);
  const id = await episode(mp3(3), owner as typeof lucia, show);

  const cut = owner.api.episodes.cutPromo({ ...ref(id), startMs: 0, endMs: 2000 });
  await expect(cut).toFailWith('plan.promos_required');
  const asked = owner.api.episodes.requestPromoUpload({ ...file, episodeId: id });
  await expect(asked).toFailWith('plan.promos_required');
});

test('a cut promo starts and ends where it was cut, sounds the same, and is never longer than 30 seconds', async () => {
  const recording = await lameFrames({ sampleRate: 44_100, channels: 1, seconds: 4 }, { bitrate: 64 });
  const id = await episode(recording, lucia, paidPodcast);

  const { promo } = await lucia.api.episodes.cutPromo({ ...ref(id), startMs: '0:01' as never, endMs: 3000 });

  expect(promo!.durationSeconds).toBeCloseTo(2.03, 1);
  // the same passage gets another file, since a job may delete the former one at any time
  const files = () => runtime.ports.storage.list(`audio/${lucia.creatorId}/${id}/promo/`, 10);
  const [former] = await files();
  await lucia.api.episodes.cutPromo({ ...ref(id), startMs: 1000, endMs: 3000 });
  await deleteStoredObjects(systemCtx(runtime, removeObjects.name), [former!.key]);
  const [whole, cut] = [await decodeWithMpg123(recording), await decodeWithMpg123((await play(promo!.url)).body)];
  expect(cut.errors).toEqual([]);
  // frame 38 of the episode follows the primer; its start overlaps the audio before it
  const [from, to] = [3 * 1152, cut.samples];
  const gaps = cut.channels[0]!.slice(from, to).map((x, i) => Math.abs(x - whole.channels[0]![i + from + 37 * 1152]!));
  expect(Math.max(...gaps.slice(0, 20_000))).toBeLessThan(1e-6);
  const long = await recordingOf('long', mp3(40));
  const bytes = await cutMp3(long, { startMs: 3, endMs: 40_000, maxMs: 30_000 });
  const found = await checkMp3(bufferSource(bytes!));
  expect(found.ok && found.durationMs).toBeLessThanOrEqual(30_000);
  expect(found.ok && found.durationMs).toBeGreaterThan(29_900);
});

test.each([
  ['more than 30 seconds', 0, 31_000, 'promo.too_long'],
  ['an end before the start', 5000, 4000, 'promo.outside'],
  ['less than a second', 5000, 5500, 'promo.outside'],
  ['a start after the end of the file', 50_000, 60_000, 'promo.outside'],
])('a cut is rejected: %s', async (_, startMs, endMs, code) => {
  const id = accepting;

  await expect(lucia.api.episodes.cutPromo({ ...ref(id), startMs, endMs })).toFailWith(code);
});
