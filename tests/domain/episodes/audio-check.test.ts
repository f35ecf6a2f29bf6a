import { json } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { measure } from '~/server/audio/peaks';
import { DAYS, later } from '~/server/base/time';
import { measureMissing, recordSound, settleAudio } from '~/server/domain/episodes/audio-check';
import { purgeDeleted } from '~/server/domain/episodes/delete-episode';
import { lookupEpisodeRow } from '~/server/domain/episodes/queries';
import { removeUnused } from '~/server/domain/media/erase-objects';
import { deleteStoredObjects } from '~/server/domain/media/sweep-uploads';
import { measureLoudness } from '~/server/queue/jobs/episodes';
import { removeObjects } from '~/server/queue/jobs/media';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import { recordingOf } from '../../support/decoding';
import { lameFrames } from '../../support/encodings';
import { frames, mp3, pictureTag } from '../../support/mp3';
import { picture } from '../../support/pictures';
import { runJobs } from '../../support/run-jobs';

const { runtime, client, lucia, visitor, podcast, make, checkNewAudio } = await cast();
const ctx = systemCtx(runtime, 'episodes.check-audio');

/** Checks an episode's audio, and runs `change` after the check has opened the file. */
async function checkDuring(episodeId: number, change: () => Promise<unknown>): Promise<void> {
  const { storage } = runtime.ports;
  const open: typeof storage.open = async (key) => {
    const opened = await storage.open(key);
    await change();
    return opened;
  };
  await settleAudio({ ...ctx, ports: { ...ctx.ports, storage: { ...storage, open } } }, episodeId);
}

test('an upload that is replaced during its check does not become the audio', async () => {
  const { id } = await make.draft(lucia, podcast);
  const newKey = await make.upload(lucia, 'episode_audio', mp3(5));

  await checkDuring(id, () => lucia.api.episodes.update({ id, kind: 'podcast', fileKey: newKey }));

  expect(await lookupEpisodeRow(ctx, id))!.toMatchObject({ status: 'in_progress', uploadKey: newKey, audioKey: null });
  await settleAudio(ctx, id);
  const settled = (await lookupEpisodeRow(ctx, id))!;
  expect(settled).toMatchObject({ status: 'published', uploadKey: newKey });
  expect(settled.durationMs).toBeGreaterThan(4900);
});

test('the file of an upload that was replaced during its check is deleted', async () => {
  const { id } = await make.draft(lucia, podcast, { name: 'Replaced' });
  const newKey = await make.upload(lucia, 'episode_audio', mp3(5));
  await checkDuring(id, () => lucia.api.episodes.update({ id, kind: 'podcast', fileKey: newKey }));
  await settleAudio(ctx, id);

  await runJobs(runtime, removeObjects.name, ({ keys }: { keys: string[] }) => deleteStoredObjects(ctx, keys));

  const { audioKey: current } = (await lookupEpisodeRow(ctx, id))!;
  const stored = await runtime.ports.storage.list(`audio/${lucia.creatorId}/${id}/`, 10);
  expect(stored.map(({ key }) => key)).toEqual([current]);
});

test('the former audio of an episode is deleted once another file has been checked', async () => {
  const { id } = await make.draft(lucia, podcast, { name: 'Another file' });
  await settleAudio(ctx, id);
  const fileKey = await make.upload(lucia, 'episode_audio', mp3(5));
  await lucia.api.episodes.update({ id, kind: 'podcast', fileKey });
  await settleAudio(ctx, id);

  await runJobs(runtime, removeObjects.name, ({ keys }: { keys: string[] }) => deleteStoredObjects(ctx, keys));

  const { audioKey: current } = (await lookupEpisodeRow(ctx, id))!;
  const stored = await runtime.ports.storage.list(`audio/${lucia.creatorId}/${id}/`, 10);
  expect(stored.map(({ key }) => key)).toEqual([current]);
});

test('the picture in a file becomes the cover only if the creator chose none', async () => {
  const bytes = Buffer.concat([pictureTag(await picture(600)), frames(200)]);
  const withPicture = () => make.upload(lucia, 'episode_audio', bytes);
  const chosen = await make.upload(lucia, 'cover');
  const plain = await make.draft(lucia, podcast, { fileKey: await withPicture() });
  const covered = await make.draft(lucia, podcast, { fileKey: await withPicture(), coverKey: chosen });
  const before = (await lookupEpisodeRow(ctx, covered.id))!;

  for (const { id } of [plain, covered]) await settleAudio(ctx, id);

  expect((await lookupEpisodeRow(ctx, plain.id))!.coverKey).toMatch(/^images\//);
  expect((await lookupEpisodeRow(ctx, covered.id))!.coverKey).toBe(before.coverKey);
});

test('the check of an episode that was deleted ends quietly, and its audio goes with the row', async () => {
  const [before, during] = [await make.draft(lucia, podcast), await make.draft(lucia, podcast)];
  const audioOf = ({ id }: { id: number }) => runtime.ports.storage.list(`audio/${lucia.creatorId}/${id}/`, 10);
  await lucia.api.episodes.remove({ id: before.id, kind: 'podcast' });

  await settleAudio(ctx, before.id);
  await checkDuring(during.id, () => lucia.api.episodes.remove({ id: during.id, kind: 'podcast' }));
  const kept = [(await audioOf(before)).length, (await audioOf(during)).length];
  await purgeDeleted({ ...ctx, now: () => later(ctx.now(), DAYS(8)) });
  await runJobs(runtime, removeObjects.name, (payload: { keys: string[]; folders?: string[] }) =>
    removeUnused(ctx, { folders: [], ...payload }),
  );

  expect(kept).toEqual([0, 1]);
  expect([await audioOf(before), await audioOf(during)]).toEqual([[], []]);
});

test('a check that finds the disk full is tried again, and meanwhile the creator reads why', async () => {
  const announced: string[] = [];
  await client.listen('changed', (tag) => announced.push(tag));
  const { id } = await make.draft(lucia, podcast, { name: 'No room' });
  const { storage } = runtime.ports;
  const move = async () => Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' }));
  const full = { ...ctx, ports: { ...ctx.ports, storage: { ...storage, move } } };

  await expect.poll(() => announced).toEqual([`product:${podcast.id}`]);
  await expect(settleAudio(full, id)).rejects.toThrow('no space left');
  await expect.poll(() => announced).toHaveLength(2);
  const waiting = await lucia.api.episodes.get({ id, kind: 'podcast' });
  await settleAudio(ctx, id);

  expect(waiting).toMatchObject({ status: 'in_progress', failureReason: 'audio.disk_full' });
  expect(await lookupEpisodeRow(ctx, id)).toMatchObject({ status: 'published', failureReason: null });
});

test('a full disk does not cost an episode the picture in its file', async () => {
  const bytes = Buffer.concat([pictureTag(await picture(601)), frames(200)]);
  const { id } = await make.draft(lucia, podcast, { fileKey: await make.upload(lucia, 'episode_audio', bytes) });
  const { storage } = runtime.ports;
  const put = async () => Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' }));

  await expect(settleAudio({ ...ctx, ports: { ...ctx.ports, storage: { ...storage, put } } }, id)).rejects.toThrow();
  await settleAudio(ctx, id);

  expect((await lookupEpisodeRow(ctx, id))?.coverKey).toMatch(/^images\//);
});

test('loudness and waveform of a checked file are measured once, and forgotten with the file', async () => {
  const recording = await lameFrames({ sampleRate: 44_100, channels: 1, seconds: 3 }, { bitrate: 64 });
  const { id } = await make.draft(lucia, podcast, { fileKey: await make.upload(lucia, 'episode_audio', recording) });
  await checkNewAudio();
  const loudness = async (api = lucia.api) => (await api.episodes.get({ id })).loudness;
  const before = await loudness();

  await runJobs(runtime, measureLoudness.name, (job: { episodeId: number }, own) => recordSound(own, job.episodeId));

  const { source, index } = await recordingOf('loudness', recording);
  const { lufs, zooms } = await measure(source, index);
  const { peaksKey } = (await lookupEpisodeRow(ctx, id))!;
  expect(await json(await runtime.ports.storage.read(peaksKey!))).toMatchObject({ zooms, durationMs: 3030 });
  expect([before, await loudness(), await loudness(visitor)]).toEqual([null, Math.round(lufs! * 10) / 10, null]);
  await lucia.api.episodes.update({ id, kind: 'podcast', fileKey: await make.upload(lucia, 'episode_audio') });
  await checkNewAudio();
  await runJobs(runtime, removeObjects.name, ({ keys }: { keys: string[] }) => deleteStoredObjects(ctx, keys));
  expect(await loudness()).toBeNull();
  expect(await runtime.ports.storage.head(peaksKey!)).toBeNull();
});

test('audio without a waveform is measured later: each file once, a portion per run, also by two workers at once', async () => {
  await runJobs(runtime, measureLoudness.name, async () => {});
  await client.unsafe('update episodes set sound_tried_at = now()');
  const ids = await Promise.all(
    ['One', 'Two', 'Three'].map(async (name) => (await make.draft(lucia, podcast, { name })).id),
  );
  await checkNewAudio();
  const measured: number[] = [];
  const work = () =>
    runJobs(runtime, measureLoudness.name, async (job: { episodeId: number }, own) => {
      measured.push(job.episodeId);
      if (job.episodeId !== ids[0]) await recordSound(own, job.episodeId);
    });
  await runJobs(runtime, measureLoudness.name, async () => {});

  await Promise.all([measureMissing(ctx), measureMissing(ctx)]);
  await work();
  await measureMissing(ctx);
  await work();

  expect(measured.sort((a, b) => a - b)).toEqual([...ids].sort((a, b) => a - b));
  expect((await lookupEpisodeRow(ctx, ids[1]!))!.peaksKey).toMatch(/peaks/);
  const fileKey = await make.upload(lucia, 'episode_audio', mp3(5));
  await lucia.api.episodes.update({ id: ids[0]!, kind: 'podcast', fileKey });
  await checkNewAudio();
  await runJobs(runtime, measureLoudness.name, async () => {});
  await measureMissing(ctx);
  await work();
  expect(measured.at(-1)).toBe(ids[0]);
});
