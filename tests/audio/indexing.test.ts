import { isDeepStrictEqual } from 'node:util';
import { expect, test, vi } from 'vitest';
import { bufferSource } from '~/server/audio/bytes';
import { timeOf } from '~/server/audio/frame-header';
import { decodeIndex, encodeIndex, frameAt, indexMp3, spansOf } from '~/server/audio/indexing';
import { recordingOf } from '../support/decoding';
import { lameFrames } from '../support/encodings';
import { frame, frames, id3v2, noise, xingFrame } from '../support/mp3';
import { seededInts } from '../support/seeded-ints';

// encoders, decoders and threads are slow on a busy machine
vi.setConfig({ testTimeout: 60_000 });

test('an index has the position and needs of every frame', async () => {
  const file = Buffer.concat([id3v2(500), xingFrame('Info', { frames: 40 }), frames(20), noise(300), frames(20)]);

  const { index } = await recordingOf('x', file);

  const format = { version: 1, sampleRate: 44_100, channels: 2, channelMode: 'joint', samplesPerFrame: 1152 };
  expect(index).toMatchObject({ ...format, frames: 40, constantBitrate: true, bitrate: 128_000 });
  expect([...index.offsets].slice(18, 22)).toEqual([18, 19, 20, 21].map((i) => 917 + i * 417 + (i > 19 ? 300 : 0)));
  expect(spansOf(index, 10, 30)).toEqual([
    { start: 917 + 10 * 417, bytes: 10 * 417 },
    { start: 917 + 20 * 417 + 300, bytes: 10 * 417 },
  ]);
});

test('an index survives encoding and decoding', async () => {
  const vbr = await lameFrames({ sampleRate: 44_100, channels: 2, seconds: 5 }, { vbrQuality: 3 });
  const { index } = await recordingOf('x', Buffer.concat([id3v2(99), vbr, noise(500), vbr]));

  expect(decodeIndex(encodeIndex(index))).toEqual(index);
  expect(() => decodeIndex(Buffer.from('something else'))).toThrow('not a frame index');
});

test('frames convert to times and back', async () => {
  const { index } = await recordingOf('x', frames(100));

  expect([0, 26, 27, 1000, 99_999].map((ms) => frameAt(index, ms))).toEqual([0, 0, 1, 38, 100]);
  expect(timeOf(index, 38)).toBeCloseTo(992.65, 1);
  for (let i = 0; i < 100; i++) expect(frameAt(index, timeOf(index, i))).toBe(i);
});

test('the index of an hour of varying frames takes less than a megabyte', async () => {
  const shapes = [64, 96, 128, 160, 192].map((kbps) => frame({ kbps }));
  const nextInt = seededInts(1);
  const parts = Array.from({ length: 137_814 }, () => {
    const bytes = Buffer.from(shapes[nextInt(5)]!);
    // a random bit reservoir need, one of 512
    bytes[4] = nextInt(256);
    bytes[5] = nextInt(2) << 7;
    return bytes;
  });
  const source = bufferSource(Buffer.concat(parts));

  const found = await indexMp3(source);

  if (!found.ok) throw new Error(found.detail);
  const stored = encodeIndex(found.index);
  expect(stored.length).toBeLessThan(1_000_000);
  expect(isDeepStrictEqual(decodeIndex(stored), found.index)).toBe(true);
});
