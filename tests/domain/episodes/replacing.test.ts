import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { DAYS, earlier, HOURS, later } from '~/server/base/time';
import { recoverEpisodes, settleAudio } from '~/server/domain/episodes/audio-check';
import { lookupEpisodeRow } from '~/server/domain/episodes/queries';
import { keepsAudio } from '~/server/domain/episodes/replace-audio';
import { removeUnused } from '~/server/domain/media/erase-objects';
import { sweepUploads } from '~/server/domain/media/sweep-uploads';
import { publicFeed } from '~/server/domain/pages/public-feed';
import { systemCtx } from '~/server/runtime/runtime';
import '../../support/matchers';
import { cast } from '../../support/cast';
import { mp3 } from '../../support/mp3';
import { runJobs } from '../../support/run-jobs';

const { runtime, clock, lucia, visitor, podcast, make, checkNewAudio } = await cast();
const ctx = systemCtx(runtime, 'episodes.check-audio');
const start = clock.now;
const rowOf = async (id: number) => (await lookupEpisodeRow(ctx, id))!;
const ownView = (id: number) => lucia.api.episodes.forEditing({ id });
const update = (id: number, input: object) => lucia.api.episodes.update({ id, kind: 'podcast', ...input });
const audioFile = (seconds = 5) => make.upload(lucia, 'episode_audio', mp3(seconds));
const notSound = () => make.upload(lucia, 'episode_audio', Buffer.from('<!doctype html><p>hello</p>'));
const removeFiles = () =>
  runJobs(runtime, 'media.remove-objects', (job: { keys: string[]; folders?: string[] }) =>
    removeUnused(ctx, { folders: [], ...job }),
  );
async function published(name: string) {
  const { id } = await make.draft(lucia, podcast, { name });
  await checkNewAudio();
  return id;
}
async function inFeed(name: string) {
  const feed = await publicFeed(runtime, { domain: lucia.domain, slug: podcast.slug });
  if (!('pages' in feed)) throw new Error('moved');
  for await (const page of feed.pages) {
    const item = page.find(({ title }) => title === name);
    if (item) return { guid: item.guid, audio: item.audio };
  }
  return null;
}
const storedAudio = async (id: number) =>
  (await runtime.ports.storage.list(`audio/${lucia.creatorId}/${id}/`, 10)).map(({ key }) => key);

test('a published episode keeps its audio until another file has passed', async () => {
  const id = await published('Kept');
  const [former, item] = [await rowOf(id), await inFeed('Kept')];
  const fileKey = await audioFile();

  await update(id, { fileKey });

  expect(await visitor.episodes.get({ id })).toMatchObject({ status: 'published', fileSize: former.audioBytes });
  expect(await inFeed('Kept')).toEqual(item);
  expect((await ownView(id)).replacement).toEqual({ fileName: 'file.mp3', isChecking: true });
  expect((await visitor.episodes.get({ id })).replacement).toBeNull();
  await checkNewAudio();
  await removeFiles();
  const row = await rowOf(id);
  expect(row).toMatchObject({
    status: 'published',
    uploadKey: fileKey,
    guid: former.guid,
    releaseAt: former.releaseAt,
  });
  expect([row.audioKey !== former.audioKey, row.audioSha256 !== former.audioSha256]).toEqual([true, true]);
  expect(await storedAudio(id)).toEqual([row.audioKey]);
  const served = await buffer(await runtime.ports.storage.read(row.audioKey!));
  expect([served.equals(mp3(5)), (await ownView(id)).replacement]).toEqual([true, null]);
  const replaced = await inFeed('Kept');
  expect(replaced).toMatchObject({ guid: item?.guid, audio: { url: item?.audio.url, bytes: served.length } });
});

test('a file that fails leaves the former audio, and its owner reads why until the next save', async () => {
  const id = await published('Still there');
  const former = await rowOf(id);
  await update(id, { fileKey: await notSound() });
  await checkNewAudio();
  await removeFiles();

  expect(await ownView(id)).toMatchObject({
    status: 'published',
    failureReason: 'upload.renamed_an',
    failureParams: { format: 'HTML' },
    replacement: { fileName: 'file.mp3', isChecking: false },
  });
  expect(await visitor.episodes.get({ id })).toMatchObject({ failureReason: null, fileSize: former.audioBytes });
  expect(await storedAudio(id)).toEqual([former.audioKey]);
  await update(id, { name: 'Saved' });
  expect(await ownView(id)).toMatchObject({ failureReason: null, replacement: null, status: 'published' });
});

test('the second of two files in a row becomes the audio, even if the first was being checked', async () => {
  const id = await published('Twice');
  await update(id, { fileKey: await audioFile(4) });
  const second = await audioFile(6);
  const { storage } = runtime.ports;
  const open: typeof storage.open = async (key) => {
    const opened = await storage.open(key);
    await update(id, { fileKey: second });
    return opened;
  };

  await settleAudio({ ...ctx, ports: { ...ctx.ports, storage: { ...storage, open } } }, id);
  expect(await rowOf(id)).toMatchObject({ status: 'published', replacementKey: second });
  await checkNewAudio();
  await removeFiles();

  const row = await rowOf(id);
  expect(row).toMatchObject({ uploadKey: second, replacementKey: null });
  expect(row.durationMs).toBeGreaterThan(5900);
  expect(await storedAudio(id)).toEqual([row.audioKey]);
});

test('an episode that is deleted during the check, and restored, gets the other file then', async () => {
  const id = await published('Deleted meanwhile');
  await update(id, { fileKey: await audioFile() });
  await lucia.api.episodes.remove({ id });
  await checkNewAudio();

  await lucia.api.episodes.restore({ id });
  expect((await ownView(id)).replacement).toMatchObject({ isChecking: true });
  await checkNewAudio();

  expect(await ownView(id)).toMatchObject({ status: 'published', replacement: null, durationSeconds: 5.016 });
});

test('a check that was killed after it moved the file finds it again, not the former audio or the promo', async () => {
  const id = await published('Killed');
  const former = await rowOf(id);
  await update(id, { fileKey: await audioFile() });
  const { storage } = runtime.ports;
  const move: typeof storage.move = async (...args) => {
    await storage.move(...args);
    throw new Error('killed');
  };
  await expect(settleAudio({ ...ctx, ports: { ...ctx.ports, storage: { ...storage, move } } }, id)).rejects.toThrow(
    'killed',
  );
  const [folder, audio] = [`audio/${lucia.creatorId}/${id}/`, { contentType: 'audio/mpeg' }];
  await storage.put(`${folder}promo/${'a'.repeat(64)}.mp3`, mp3(2), audio);
  await storage.put(former.audioKey!, mp3(1), audio);

  await checkNewAudio();

  expect((await rowOf(id)).durationMs).toBeGreaterThan(4900);
});

test('a lost check is enqueued again, its file is not swept, and after a day it fails', async () => {
  const id = await published('Lost');
  const fileKey = await audioFile();
  await update(id, { fileKey });
  await runJobs(runtime, 'episodes.check-audio', async () => {});
  clock.now = later(start, DAYS(1) - HOURS(1));

  await recoverEpisodes(systemCtx(runtime, 'episodes.recover'));
  clock.now = later(start, DAYS(3));
  await sweepUploads(systemCtx(runtime, 'media.sweep'));

  expect(await runtime.ports.storage.head(`incoming/${fileKey}`)).not.toBeNull();
  expect(await runJobs(runtime, 'episodes.check-audio', async () => {})).toBe(1);
  await recoverEpisodes(systemCtx(runtime, 'episodes.recover'));
  expect(await ownView(id)).toMatchObject({ status: 'published', failureReason: 'audio.check_failed' });
  clock.now = start;
});

test('a full disk is told, and the check is tried again', async () => {
  const id = await published('No room');
  await update(id, { fileKey: await audioFile() });
  const move = async () => Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' }));
  const full = { ...ctx, ports: { ...ctx.ports, storage: { ...runtime.ports.storage, move } } };

  await expect(settleAudio(full, id)).rejects.toThrow('no space left');

  expect(await ownView(id)).toMatchObject({ failureReason: 'audio.disk_full', replacement: { isChecking: true } });
  await checkNewAudio();
  expect(await ownView(id)).toMatchObject({ failureReason: null, replacement: null });
});

test.each([
  ['published', {}, true],
  ['published', { releaseDate: null }, true],
  ['published', { hold: true }, false],
  ['published', { releaseDate: later(start, HOURS(1)) }, false],
  ['scheduled', {}, false],
  ['on_hold', { hold: false }, false],
  ['failed', {}, false],
] as const)('whether a %s episode keeps its audio with %j: %s', (status, input, kept) => {
  expect(keepsAudio({ status, releaseAt: earlier(start, HOURS(1)) }, input, start)).toBe(kept);
});
