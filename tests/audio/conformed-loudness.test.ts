import { expect, test, vi } from 'vitest';
import { bufferSource } from '~/server/audio/bytes';
import { conform } from '~/server/audio/conform';
import { encodeMp3 } from '~/server/audio/encode-mp3';
import { measure } from '~/server/audio/peaks';
import { recordingOf } from '../support/decoding';
import { isDeep } from '../support/deep';
import { lameFrames } from '../support/encodings';
import { toolPath } from '../support/tools';

// encoders and decoders are slow on a busy machine
vi.setConfig({ testTimeout: 60_000 });

const ffmpeg = toolPath('ffmpeg');
const STEREO = await lameFrames({ sampleRate: 44_100, channels: 2, seconds: 4, seed: 6 }, { bitrate: 192 });
const MONO = await lameFrames({ sampleRate: 22_050, channels: 1, seconds: 4, seed: 6 }, { bitrate: 64 });

const FORMATS = [
  { version: 1, sampleRate: 44_100, bitrate: 128_000 },
  { version: 1, sampleRate: 44_100, bitrate: 320_000 },
  { version: 1, sampleRate: 48_000, bitrate: 64_000 },
  { version: 1, sampleRate: 32_000, bitrate: 96_000 },
  { version: 2, sampleRate: 24_000, bitrate: 24_000 },
  { version: 2, sampleRate: 22_050, bitrate: 64_000 },
  { version: 2, sampleRate: 16_000, bitrate: 32_000 },
  { version: 2.5, sampleRate: 11_025, bitrate: 32_000 },
  { version: 2.5, sampleRate: 8000, bitrate: 8000 },
] as const;
const ALL = FORMATS.flatMap((format) => ([1, 2] as const).map((channels) => ({ ...format, channels })));
const CLIPS = [
  { clip: STEREO, lufs: -21 },
  { clip: MONO, lufs: -26 },
];
/** Each MPEG version, in mono and in stereo, for one of the clips; the deep run tries all formats. */
const ROWS = isDeep
  ? ALL.map((format) => ({ ...format, clips: CLIPS }))
  : [0, 7, 8, 15, 16].map((at, row) => ({ ...ALL[at]!, clips: [CLIPS[row % 2]!] }));

async function lufsOf(mp3: Uint8Array): Promise<number | null> {
  const { source, index } = await recordingOf('made', Buffer.from(mp3));
  return (await measure(source, index)).lufs;
}

test.each([
  ...ROWS.map((row) => ({ ...row, ffmpegPath: null })),
  ...(ffmpeg ? ROWS.filter((_, at) => at % 5 === 0).map((row) => ({ ...row, ffmpegPath: ffmpeg })) : []),
])(
  'a clip at $sampleRate Hz, $channels channels and $bitrate bit/s is within 0.1 LU of its episode ($ffmpegPath)',
  async ({ ffmpegPath, clips, ...format }) => {
    for (const { clip, lufs } of clips) {
      const conformed = await conform(bufferSource(clip), { ...format, lufs }, { ffmpegPath });

      if (!conformed.ok) throw new Error(conformed.detail);
      const measured = await lufsOf(conformed.mp3);
      expect(Math.abs(measured! - lufs)).toBeLessThan(0.1);
      expect(conformed.lufs).toBeCloseTo(measured!, 3);
    }
  },
);

test('a clip for an episode of unknown loudness keeps its own', async () => {
  const target = { version: 1, sampleRate: 44_100, channels: 2, bitrate: 96_000, lufs: null } as const;

  const conformed = await conform(bufferSource(STEREO), target);

  if (!conformed.ok) throw new Error(conformed.detail);
  expect(Math.abs((await lufsOf(conformed.mp3))! - (await lufsOf(STEREO))!)).toBeLessThan(0.1);
  expect(Math.abs(conformed.gainDb)).toBeLessThan(0.1);
});

test('a clip at full scale keeps its loudness', async () => {
  const loud = Float32Array.from({ length: 132_300 }, (_, i) => 0.99 * Math.sin(i / 20) * Math.sin(i / 3000));
  const format = { version: 1, sampleRate: 44_100, channels: 1, kbps: 320 } as const;
  const clip = Buffer.from(await encodeMp3({ sampleRate: 44_100, channels: [loud] }, format));
  const lufs = await lufsOf(clip);

  const conformed = await conform(bufferSource(clip), { ...format, bitrate: 96_000, lufs });

  expect(Math.abs((await lufsOf(conformed.ok ? conformed.mp3 : clip))! - lufs!)).toBeLessThan(0.1);
});

test('a clip that is too short for a loudness is conformed', async () => {
  const clip = await lameFrames({ sampleRate: 44_100, channels: 1, seconds: 0.2 }, { bitrate: 64 });
  const target = { version: 1, sampleRate: 44_100, channels: 1, bitrate: 64_000, lufs: -16 } as const;

  expect(await conform(bufferSource(clip), target)).toMatchObject({ ok: true, gainDb: 0, lufs: null });
});
