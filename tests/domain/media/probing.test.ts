import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { probeAudio } from '~/server/domain/media/probe-audio';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import { frames, id3v2, mp3, noise, pictureTag, xingFrame } from '../../support/mp3';
import { picture } from '../../support/pictures';

const { runtime, tom, make } = await cast();
const ctx = systemCtx(runtime, 'episodes.check-audio');
let episodes = 100;

async function probe(bytes: Buffer, episodeId = ++episodes) {
  const uploadKey = await make.upload(tom, 'episode_audio', bytes);
  return { uploadKey, episodeId, verdict: await probeAudio(ctx, { uploadKey, creatorId: 7, episodeId }) };
}

test('a valid file is measured and moved to a key with its hash', async () => {
  const bytes = mp3(3);
  const { uploadKey, episodeId, verdict } = await probe(bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const audioKey = `audio/7/${episodeId}/${sha256}.mp3`;

  expect(verdict).toMatchObject({ ok: true, audioKey, sha256, bytes: bytes.length, channels: 1, sampleRate: 44_100 });
  expect(verdict).toMatchObject({ durationMs: 3004, bitrate: expect.any(Number), warnings: [], coverKey: null });
  expect(bytes.equals(await buffer(await runtime.ports.storage.read(audioKey)))).toBe(true);
  expect(await runtime.ports.storage.head(`incoming/${uploadKey}`)).toBeNull();
});

test('a second run after a crash returns the same result', async () => {
  const first = await probe(mp3(4));

  const again = await probeAudio(ctx, { uploadKey: first.uploadKey, creatorId: 7, episodeId: first.episodeId });

  expect(again).toEqual(first.verdict);
});

test('of two checks at once, the one whose file the other has moved has the same result', async () => {
  const { storage } = runtime.ports;
  const move = async (from: string, to: string) => {
    await storage.move(from, to);
    await storage.move(from, to);
  };
  const uploadKey = await make.upload(tom, 'episode_audio', mp3(4));
  const raced = { ...ctx, ports: { ...ctx.ports, storage: { ...storage, move } } };
  const asked = { uploadKey, creatorId: 7, episodeId: ++episodes };

  const verdict = await probeAudio(raced, asked);

  expect(verdict).toMatchObject({ ok: true });
  expect(await probeAudio(ctx, asked)).toEqual(verdict);
});

test('after a replacement the new file is used', async () => {
  const first = await probe(mp3(3));
  const second = await probe(mp3(5), first.episodeId);

  const again = await probeAudio(ctx, { uploadKey: second.uploadKey, creatorId: 7, episodeId: first.episodeId });

  expect(again).toEqual(second.verdict);
});

const wav = Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVEfmt '), noise(9000)]);
test.each([
  ['a WAV', wav, 'upload.renamed', 'WAV'],
  ['a WAV with an ID3 tag', Buffer.concat([id3v2(200), wav]), 'upload.renamed', 'WAV'],
  ['AAC', Buffer.concat([Buffer.from([0xff, 0xf1, 0x50, 0x80]), noise(5000)]), 'upload.renamed_an', 'AAC'],
])('%s is rejected with its format', async (_, bytes, reason, format) => {
  expect((await probe(bytes)).verdict).toEqual({ ok: false, reason, params: { format } });
});

test.each([
  ['noise', noise(90_000), 'audio.not_mp3'],
  ['half a tag', id3v2(5000).subarray(0, 900), 'audio.truncated'],
  ['a very short file', frames(20), 'audio.too_short'],
  ['free format', Buffer.concat([Buffer.from([0xff, 0xfb, 0, 0]), noise(4000)]), 'audio.free_format'],
  ['mostly noise', Buffer.concat([frames(100), noise(50_000), frames(100)]), 'audio.damaged'],
])('%s is rejected', async (_, bytes, reason) => {
  const { uploadKey, verdict } = await probe(bytes);

  expect(verdict).toEqual({ ok: false, reason, params: {} });
  expect(await runtime.ports.storage.head(`incoming/${uploadKey}`)).not.toBeNull();
});

test('a file that ends early is rejected with the time', async () => {
  const { verdict } = await probe(Buffer.concat([xingFrame('Info', { frames: 4000 }), frames(200)]));

  expect(verdict).toEqual({ ok: false, reason: 'audio.ends_early', params: { time: '0:05', length: '1:44' } });
});

test('a missing file is reported', async () => {
  const verdict = await probeAudio(ctx, { uploadKey: 'f'.repeat(32), creatorId: 7, episodeId: 1 });

  expect(verdict).toEqual({ ok: false, reason: 'audio.missing', params: {} });
});

test('an embedded picture becomes a cover, and a broken one is ignored', async () => {
  const good = await probe(Buffer.concat([pictureTag(await picture(600, 500)), frames(200)]));
  const broken = await probe(Buffer.concat([pictureTag(noise(3000)), frames(200)]));

  const { verdict } = good;
  expect(verdict).toMatchObject({ ok: true, coverKey: expect.stringMatching(/^images\/7\/[0-9a-f]{64}$/) });
  expect(await runtime.ports.storage.head(`${verdict.ok && verdict.coverKey}/full.jpg`)).not.toBeNull();
  expect(broken.verdict).toMatchObject({ ok: true, coverKey: null });
});

test('the head ends where the audio begins', async () => {
  const { verdict } = await probe(Buffer.concat([id3v2(5000), xingFrame('Info', { frames: 200 }), frames(200)]));

  expect(verdict).toMatchObject({ ok: true, headBytes: 5000 + 417 });
});
