import { expect, test } from 'vitest';
import { bufferSource } from '~/server/audio/bytes';
import { encodeMp3, nearestBitrate } from '~/server/audio/encode-mp3';
import { indexMp3 } from '~/server/audio/indexing';
import { splice } from '~/server/audio/splice';
import type { Part } from '~/server/audio/timeline';
import { decoded, decodedByFfmpeg, recordingOf, writtenOut } from '../support/decoding';
import { type Encoding, foreignEncodings, OWN_ENCODINGS, wave } from '../support/encodings';
import { toolPath } from '../support/tools';

const ffmpeg = toolPath('ffmpeg');
/** FFmpeg is a process for each file: it hears a third of our own and all of others, and with `AUDIO_FULL` set everything. */
const all = [
  ...OWN_ENCODINGS.map((encoding, i) => ({ ...encoding, twice: i % 3 === 0 || process.env.AUDIO_FULL !== undefined })),
  ...foreignEncodings().map((encoding) => ({ ...encoding, twice: true })),
];

test('there are at least sixty encodings', () => {
  expect(OWN_ENCODINGS.length).toBeGreaterThanOrEqual(60);
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
});

/** Players that know the encoder's figures leave out its delay and their own, and the padding. */
function heard(samples: number, gapless: { delay: number; padding: number } | null): number {
  return gapless ? samples - gapless.delay - 529 - Math.max(0, gapless.padding - 529) : samples;
}

/** mpg123's filter bank rounds by the place of a frame in the stream: −120 dB, far below a 16-bit step. */
const ROUNDING = 1e-6;
/** FFmpeg leaves out a frame behind junk; what it says of such a file is its own. */
const JUNK = /junk between/;

test.concurrent.each(all)('$name: exact, and whole when spliced', { timeout: 30_000 }, async ({ make, ...form }) => {
  const episode = await make();

  const found = await indexMp3(bufferSource(episode));

  if (!found.ok) throw new Error(`${found.reason}: ${found.detail}`);
  const { version, sampleRate, channels } = form;
  expect(found.mp3).toMatchObject({ version, sampleRate, channels });
  const pcm = await decoded(episode);
  expect([pcm.samples, pcm.errors]).toEqual([found.mp3.samples, []]);
  if (ffmpeg && form.twice && !JUNK.test(form.name)) {
    const { samples } = await decodedByFfmpeg(ffmpeg, episode, channels);
    expect(samples).toBe(heard(found.mp3.samples, found.mp3.infoFrame?.gapless ?? null));
  }
  await expectWholeWhenSpliced(form, episode, pcm);
});

type Sound = Awaited<ReturnType<typeof decoded>>;

type Form = Omit<Encoding, 'make'> & { twice: boolean };

async function expectWholeWhenSpliced(form: Form, episode: Buffer, before: Sound): Promise<void> {
  const first = await recordingOf('episode', episode);
  const clip = await clipFor(form, first);
  const inserted = await recordingOf('clip', clip);
  const marks = ['pre', 700, 1800, 'post'] as const;

  const spliced = await splice(
    first,
    marks.map((at) => ({ at, clip: inserted })),
  );

  if (!spliced.ok) throw new Error(spliced.reason);
  const { rendition } = spliced;
  const whole = writtenOut(rendition, { episode, clip });
  const [clipPcm, after] = await Promise.all([decoded(clip), decoded(whole)]);
  const samples = rendition.frames * rendition.samplesPerFrame;
  expect([whole.length, after.samples, after.errors]).toEqual([rendition.bytes, samples, []]);
  for (const part of rendition.parts) {
    if (part.role !== 'primer')
      expect(difference(part, part.role === 'clip' ? clipPcm : before, after)).toBeLessThan(ROUNDING);
  }
  if (ffmpeg && form.twice) {
    const byOther = await decodedByFfmpeg(ffmpeg, whole, form.channels);
    expect([byOther.messages, byOther.samples]).toEqual(['', samples]);
  }
}

/** The first frame (of MPEG-2's short ones the first two) still sounds of what stood before. */
function difference({ from, start, frames }: Part, source: Sound, rendition: Sound): number {
  const size = source.index.samplesPerFrame;
  const settled = size === 576 ? 2 : 1;
  let largest = 0;
  source.channels.forEach((channel, c) => {
    const wanted = channel.subarray((from + settled) * size, (from + frames) * size);
    const offset = (start + settled) * size;
    wanted.forEach((x, i) => {
      largest = Math.max(largest, Math.abs(x - rendition.channels[c]![offset + i]!));
    });
  });
  return largest;
}

async function clipFor(
  form: Omit<Encoding, 'make'>,
  { index }: Awaited<ReturnType<typeof recordingOf>>,
): Promise<Buffer> {
  const { sampleRate, version, channels } = form;
  const pcm = { sampleRate, channels: wave({ sampleRate, channels, seconds: 0.8, seed: 4 }) };
  return Buffer.from(
    await encodeMp3(pcm, { version, sampleRate, channels, kbps: nearestBitrate(version, index.bitrate) }),
  );
}
