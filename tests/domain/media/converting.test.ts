import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ConverterUnavailable } from '~/server/base/errors';
import { settleAudio, settleConverted } from '~/server/domain/episodes/audio-check';
import { deleteStoredObjects } from '~/server/domain/media/sweep-uploads';
import { requestFormUpload } from '~/server/domain/media/uploads';
import { checkAudio, convertAudio } from '~/server/queue/jobs/episodes';
import { removeObjects } from '~/server/queue/jobs/media';
import type { Ctx } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import { legacyClient } from '../../support/legacy';
import { frames, mp3, noise } from '../../support/mp3';
import { runJobs } from '../../support/run-jobs';

const folder = await mkdtemp(join(tmpdir(), 'altavoz-fake-'));
afterAll(() => rm(folder, { recursive: true }));

/** Replaces FFmpeg: it returns `answer`, and reports the duration that FFmpeg would report. */
const program = join(folder, 'ffmpeg');
const answer = (script: string) => writeFile(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
await writeFile(join(folder, 'made.mp3'), mp3(3));
const report = (duration: string) =>
  `echo "Input #0, wav, from x:" >&2; echo "  Duration: ${duration}, bitrate: 1 kb/s" >&2`;
const GOOD = `${report('00:00:03.00')}; cat ${folder}/made.mp3`;
await answer(GOOD);

const opened = await cast({ settings: { FFMPEG_PATH: program } });
const { runtime, lucia, tom, podcast, make, ctxOf } = opened;
const ctx = systemCtx(runtime, convertAudio.name);
const { storage } = runtime.ports;

/** @param share of the size that its header states */
function wav(share = 1): Buffer {
  const bytes = Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVEfmt '), noise(9000)]);
  bytes.writeUInt32LE(Math.round(bytes.length / share) - 8, 4);
  return bytes;
}

async function draft(bytes: Buffer, name: string) {
  const fileKey = await make.upload(lucia, 'episode_audio', bytes);
  const { id } = await make.draft(lucia, podcast, { fileKey, name });
  return { id, incoming: `incoming/${fileKey}` };
}

const check = () =>
  runJobs(runtime, checkAudio.name, ({ episodeId }: { episodeId: number }, job) => settleAudio(job, episodeId));
const convert = (with_: Partial<Ctx['ports']> = {}) =>
  runJobs(runtime, convertAudio.name, ({ episodeId }: { episodeId: number }, job) =>
    settleConverted({ ...job, ports: { ...job.ports, ...with_ } }, episodeId),
  );
const deleteUnused = () =>
  runJobs(runtime, removeObjects.name, ({ keys }: { keys: string[] }) => deleteStoredObjects(ctx, keys));
const shown = (id: number) => lucia.api.episodes.get({ id });

test('a WAV is converted by a job of its own, and its upload deleted once the result is stored', async () => {
  const { id, incoming } = await draft(wav(), 'A WAV');

  await check();
  expect(await shown(id)).toMatchObject({ status: 'in_progress', convertedFrom: null });
  expect(await convert()).toBe(1);

  expect(await shown(id)).toMatchObject({ status: 'published', convertedFrom: 'WAV', bitrate: expect.any(Number) });
  expect(await storage.head(incoming)).not.toBeNull();
  await deleteUnused();
  expect(await storage.head(incoming)).toBeNull();
  const stored = await storage.list(`audio/${lucia.creatorId}/${id}/`, 9);
  expect(stored.map(({ bytes }) => bytes)).toEqual([mp3(3).length]);
});

test('published audio stays until a WAV that replaces it has been converted', async () => {
  const { id } = await draft(mp3(5), 'Replaced by a WAV');
  await check();
  const former = { status: 'published', convertedFrom: null, fileSize: mp3(5).length };
  expect(await shown(id)).toMatchObject(former);
  const fileKey = await make.upload(lucia, 'episode_audio', wav());

  await lucia.api.episodes.update({ id, kind: 'podcast', fileKey });
  await check();
  expect(await tom.api.episodes.get({ id })).toMatchObject({ status: 'published', fileSize: former.fileSize });
  expect(await convert()).toBe(1);

  const bytes = mp3(3).length;
  expect(await shown(id)).toMatchObject({ status: 'published', convertedFrom: 'WAV', fileSize: bytes });
  await deleteUnused();
  expect(await storage.head(`incoming/${fileKey}`)).toBeNull();
  expect((await storage.list(`audio/${lucia.creatorId}/${id}/`, 9)).map((stored) => stored.bytes)).toEqual([bytes]);
});

test('an MP3 that replaces it is not marked as converted, and visitors do not see what was', async () => {
  const { id } = await draft(wav(), 'Replaced');
  await check();
  await convert();
  const asTom = await tom.api.episodes.get({ id });

  const fileKey = await make.upload(lucia, 'episode_audio', mp3(4));
  await lucia.api.episodes.update({ id, kind: 'podcast', fileKey });
  await check();

  expect(asTom).toMatchObject({ convertedFrom: null });
  expect(await shown(id)).toMatchObject({ status: 'published', convertedFrom: null });
});

test('a crash at any moment of the conversion loses nothing: the next attempt succeeds', async () => {
  const { id, incoming } = await draft(wav(), 'Crashes');
  await check();
  const crash = () => Promise.reject(new Error('crash'));
  const attempts: Partial<Ctx['ports']>[] = [
    { storage: { ...storage, read: crash } },
    { convertAudio: crash },
    { storage: { ...storage, put: crash } },
    // the file is stored, and then the process dies before the transaction
    { storage: { ...storage, put: (...args) => storage.put(...args).then(crash) } },
  ];

  for (const ports of attempts) {
    const attempt = settleConverted({ ...ctx, ports: { ...ctx.ports, ...ports } }, id);
    await expect(attempt).rejects.toThrow('crash');
    expect(await storage.head(incoming)).not.toBeNull();
    expect(await shown(id)).toMatchObject({ status: 'in_progress' });
  }
  await convert();

  expect(await shown(id)).toMatchObject({ status: 'published', convertedFrom: 'WAV' });
});

test('two conversions of one episode at once settle it once', async () => {
  const { id } = await draft(wav(), 'Twice');
  await check();

  await Promise.all([settleConverted(ctx, id), settleConverted(ctx, id)]);
  await convert();
  await deleteUnused();

  expect(await shown(id)).toMatchObject({ status: 'published', convertedFrom: 'WAV' });
  expect(await storage.list(`audio/${lucia.creatorId}/${id}/`, 9)).toHaveLength(1);
});

test('while FFmpeg is broken the owner reads why, and the episode is published once it works', async () => {
  const { id } = await draft(wav(), 'Broken FFmpeg');
  await check();
  await answer('exit 127');

  await expect(settleConverted(ctx, id)).rejects.toThrow(ConverterUnavailable);
  expect(await shown(id)).toMatchObject({ status: 'in_progress', failureReason: 'audio.converter_unavailable' });
  await answer(GOOD);
  await convert();

  expect(await shown(id)).toMatchObject({ status: 'published', failureReason: null });
});

test.each([
  ['states more than five hours', wav(), report('100:00:00.00'), 'audio.too_long_to_convert', { hours: 5 }],
  [
    'ends before its stated length',
    wav(),
    `${report('00:12:31.00')}; cat ${folder}/made.mp3`,
    'audio.file_ends_early',
    { at: '0:03' },
  ],
  ['is half a WAV', wav(0.5), GOOD, 'audio.file_ends_early', { format: 'WAV', at: '0:03' }],
  ['has no sound', wav(), 'echo "Input #0, x" >&2; exit 1', 'audio.no_sound', { format: 'WAV' }],
  [
    'is encrypted',
    wav(),
    'echo "  Stream #0:0[0x1](und): Audio: aac (LC) (drms / 0x736D7264), 48000 Hz" >&2; sleep 9',
    'audio.copy_protected',
    {},
  ],
  ['becomes no MP3', wav(), `${report('00:00:03.00')}; head -c 9000 /dev/zero`, 'audio.unreadable', { format: 'WAV' }],
  ['has half a second', wav(), `${report('00:00:00.50')}; cat ${folder}/short.mp3`, 'audio.too_short', {}],
])('a file that %s fails with a reason, and is kept', async (name, bytes, script, failureReason, failureParams) => {
  await writeFile(join(folder, 'short.mp3'), frames(20));
  const { id, incoming } = await draft(bytes, name);
  await check();
  await answer(script);

  await convert();

  await answer(GOOD);
  expect(await shown(id)).toMatchObject({ status: 'failed', failureReason, failureParams });
  expect(await storage.head(incoming)).not.toBeNull();
});

test.each([
  ['a page', Buffer.from('<!doctype html><p>hello</p>'), 'upload.unaccepted', { format: 'HTML' }],
  ['noise', noise(50_000), 'audio.not_audio', {}],
])('%s is neither sound nor converted', async (name, bytes, failureReason, failureParams) => {
  const { id } = await draft(bytes, name);
  await check();

  expect(await convert()).toBe(0);
  expect(await shown(id)).toMatchObject({ status: 'failed', failureReason, failureParams });
});

test('the other formats get tickets, also for a form', async () => {
  const ticket = { contentType: '', fileSize: 5, purpose: 'episode_audio' as const };
  const api = lucia.api.media;

  for (const fileName of ['a.m4a', 'a.wav', 'a.flac', 'a.ogg'])
    expect(await api.requestUpload({ ...ticket, fileName })).toMatchObject({ fileSize: 5 });
  expect(await requestFormUpload(ctxOf(lucia), { ...ticket, fileName: 'a.wav' })).toMatchObject({ method: 'POST' });
  await expect(api.requestUpload({ ...ticket, fileName: 'a.aiff' })).rejects.toThrow('upload.unaccepted');
});

test('over REST an episode’s file may be in another format, and a promo’s may not', async () => {
  const { token } = lucia;
  const api = legacyClient(opened);
  const { id: episode_id } = await make.draft(lucia, podcast, {});
  const wavFile = { file_name: 'a.wav', content_type: 'audio/wav', file_size: 5000 };
  const audio = { ...wavFile, purpose: 'episode_audio' };
  const promo = { episode_id, file_name: 'a.mp3', content_type: 'audio/mpeg', file_size: 5000 };

  const replies = [
    await api.post('generate-url-upload-file/', { token, json: audio }),
    await api.post('generate-url-upload-file/', { token, json: { ...audio, file_name: 'a.aiff' } }),
    await api.post('generate-url-upload-promo/', { token, json: promo }),
    await api.post('generate-url-upload-promo/', { token, json: { ...promo, ...wavFile } }),
  ];

  const sentence = /^This is a WAV file: only mp3 allowed\./;
  expect(replies).toMatchObject([
    { status: 201, body: { method: 'POST', key: expect.any(String) } },
    { status: 400, body: { file_name: expect.any(Array) } },
    { status: 201, body: { method: 'POST', key: expect.any(String) } },
    { status: 400, body: { file_name: [expect.stringMatching(sentence)] } },
  ]);
});
