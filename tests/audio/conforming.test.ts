import { expect, test, vi } from 'vitest';
import { bufferSource } from '~/server/audio/bytes';
import { clipSound } from '~/server/audio/clip-sound';
import { conform, type Target } from '~/server/audio/conform';
import { encodeMp3 } from '~/server/audio/encode-mp3';
import { indexMp3 } from '~/server/audio/indexing';
import { decodeWithMpg123, recordingOf } from '../support/decoding';
import { isDeep } from '../support/deep';
import { lameFrames } from '../support/encodings';
import { frames, xingFrame } from '../support/mp3';
import { toolPath } from '../support/tools';

// encoders and decoders are slow on a busy machine
vi.setConfig({ testTimeout: 60_000 });

const ffmpeg = toolPath('ffmpeg');
const CLIP = await lameFrames({ sampleRate: 44_100, channels: 2, seconds: isDeep ? 2 : 1, seed: 6 }, { bitrate: 128 });
const episode = { version: 1, sampleRate: 44_100, channels: 2, bitrate: 128_000, lufs: null } as const;

const WASM: [Partial<Target>, number, string | null][] = [
  [{ bitrate: 320_000 }, 320_000, null],
  [{ bitrate: 56_000 }, 64_000, 'encoder'],
  [{ bitrate: 131_072 }, 128_000, 'average'],
  [{ bitrate: 57_300 }, 64_000, 'average'],
  [{ version: 2, sampleRate: 24_000, bitrate: 144_000 }, 160_000, 'encoder'],
  [{ version: 2.5, sampleRate: 11_025, bitrate: 56_000 }, 64_000, 'encoder'],
  [{ version: 2.5, sampleRate: 11_025, bitrate: 128_000 }, 64_000, 'encoder'],
];
const FFMPEG: typeof WASM = [
  [{ bitrate: 56_000 }, 56_000, null],
  [{ version: 2, sampleRate: 24_000, bitrate: 144_000 }, 144_000, null],
  [{ version: 2.5, sampleRate: 11_025, bitrate: 128_000 }, 64_000, 'encoder'],
];

test.each([
  ...WASM.map((row) => [...row, null] as const),
  ...(ffmpeg ? FFMPEG.map((row) => [...row, ffmpeg] as const) : []),
])(
  'a clip for %j has %i bit/s, with the reason for another bit rate (%s, %s)',
  async (format, bitrate, why, program) => {
    const conformed = await conform(bufferSource(CLIP), { ...episode, ...format }, { ffmpegPath: program });

    expect(conformed).toMatchObject({ ok: true, bitrate, otherBitrate: why });
    const { index } = await recordingOf('made', Buffer.from(conformed.ok ? conformed.mp3 : []));
    expect([index.bitrate, index.constantBitrate]).toEqual([bitrate, true]);
  },
);

test.each([null, ...(ffmpeg ? [ffmpeg] : [])])(
  'the gain of a clip is limited by its highest sample (%s)',
  async (program) => {
    const quiet = Float32Array.from({ length: 88_200 }, (_, i) => 0.02 * Math.sin(i / 9));
    for (let i = 40_000; i < 40_400; i++) quiet[i] = 0.5 * Math.sin(i / 9);
    const format = { version: 1, sampleRate: 44_100, channels: 1, kbps: 128 } as const;
    const clip = await encodeMp3({ sampleRate: 44_100, channels: [quiet] }, format);

    const conformed = await conform(bufferSource(clip), { ...episode, lufs: -10 }, { ffmpegPath: program });

    // The target needs a gain of 21 dB. The highest sample allows less.
    expect(conformed.ok && conformed.gainDb).toBeCloseTo(20 * Math.log10(0.95 / 0.5), 0);
    const { channels } = await decodeWithMpg123(Buffer.from(conformed.ok ? conformed.mp3 : []));
    const highest = channels.flatMap((channel) => [...channel]).reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    expect(highest).toBeGreaterThan(0.85);
    expect(highest).toBeLessThan(1);
  },
);

/** Adds a LAME tag with the number of samples before and after the sound. */
function withGapless(frames: Buffer, delay: number, padding: number): Buffer {
  const info = xingFrame('Info', { frames: 1 });
  const lame = info.indexOf('Info') + 12;
  info.write('LAME3.100', lame);
  info.set([delay >> 4, ((delay & 15) << 4) | (padding >> 8), padding & 255], lame + 21);
  return Buffer.concat([info, frames]);
}

test('the encoder’s delay and padding are removed, even across decoded chunks', async () => {
  const file = withGapless(CLIP, 3000, 2500);
  const found = await indexMp3(bufferSource(file));
  if (!found.ok) throw new Error(found.reason);
  const whole = await decodeWithMpg123(file);

  const sound = clipSound(bufferSource(file), found, { channels: 2, gainDb: 0 });
  const samples: number[] = [];
  for await (const [left] of sound.pieces) samples.push(...left!);

  expect(samples).toEqual([...whole.channels[0]!.subarray(3529, whole.samples - 1971)]);
  expect(sound.losses()).toEqual({ undecodedFrames: 0, decoderError: null });
});

test('a clip shorter than its info frame states is not trimmed', async () => {
  const file = withGapless(CLIP.subarray(0, 418 * 3), 3000, 2500);
  const found = await indexMp3(bufferSource(file), { minDurationMs: 0 });
  if (!found.ok) throw new Error(found.reason);

  const { pieces } = clipSound(bufferSource(file), found, { channels: 1, gainDb: 0 });
  let samples = 0;
  for await (const [left] of pieces) samples += left!.length;

  expect(samples).toBe(found.index.frames * 1152);
});

test('a clip of ten minutes is accepted with the frames that encoders add, and a longer one is not', async () => {
  const format = { version: 2.5, sampleRate: 8000, kbps: 8, mono: true } as const;
  const clip = (count: number) => bufferSource(frames(count, format));
  // frames of 72 ms each
  const tenMinutes = Math.ceil(600_000 / 72);
  const target = { ...episode, version: 2.5, sampleRate: 8000, channels: 1, bitrate: 8000 } as const;

  // encoding ten minutes takes seconds; an encoder that can't start proves that too long clips are never encoded
  const ffmpegPath = isDeep ? null : '/no/such/program';
  const accepted = isDeep ? { ok: true } : { reason: 'clip_encoder_failed' };

  expect(await conform(clip(tenMinutes + 3), target, { ffmpegPath })).toMatchObject(accepted);
  expect(await conform(clip(tenMinutes + 5), target, { ffmpegPath })).toMatchObject({ reason: 'clip_too_long' });
});
