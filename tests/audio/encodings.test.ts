import { expect, test } from 'vitest';
import { bufferSource } from '~/server/audio/bytes';
import { encodeMp3, nearestBitrate } from '~/server/audio/encode-mp3';
import { indexMp3 } from '~/server/audio/frame-index';
import { splice } from '~/server/audio/splice';
import { decoded, decodedByFfmpeg, recordingOf, writtenOut } from '../support/decoding';
import { type Encoding, foreignEncodings, OWN_ENCODINGS, wave } from '../support/encodings';
import { toolPath } from '../support/tools';

const ffmpeg = toolPath('ffmpeg');
const all = [...OWN_ENCODINGS, ...foreignEncodings()];

test('there are at least sixty encodings', () => {
  expect(OWN_ENCODINGS.length).toBeGreaterThanOrEqual(60);
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
});

/** Players that know the encoder's figures leave out its delay and their own, and the padding. */
function heard(samples: number, gapless: { delay: number; padding: number } | null): number {
  return gapless ? samples - gapless.delay - 529 - Math.max(0, gapless.padding - 529) : samples;
}

test.concurrent.each(all)(
  '$name: exact samples',
  { timeout: 30_000 },
  async ({ make, version, sampleRate, channels }) => {
    const file = await make();

    const found = await indexMp3(bufferSource(file));

    if (!found.ok) throw new Error(`${found.reason}: ${found.detail}`);
    expect(found.mp3).toMatchObject({ version, sampleRate, channels });
    const pcm = await decoded(file);
    expect([pcm.samples, pcm.errors]).toEqual([found.mp3.samples, []]);
    if (ffmpeg) {
      const { samples } = await decodedByFfmpeg(ffmpeg, file, channels);
      expect(samples).toBe(heard(found.mp3.samples, found.mp3.infoFrame?.gapless ?? null));
    }
  },
);

test.concurrent.each(all)('$name: spliced', { timeout: 30_000 }, async ({ make, ...form }) => {
  const episode = await make();
  const clip = await clipFor(form, await recordingOf('episode', episode));
  const files = { episode, clip };
  const [first, inserted] = await Promise.all([recordingOf('episode', episode), recordingOf('clip', clip)]);

  const spliced = await splice(first, [
    { at: 'pre', clip: inserted },
    { at: 700, clip: inserted },
    { at: 1800, clip: inserted },
    { at: 'post', clip: inserted },
  ]);

  if (!spliced.ok) throw new Error(spliced.reason);
  const whole = writtenOut(spliced.rendition, files);
  const [before, clipPcm, after] = await Promise.all([decoded(episode), decoded(clip), decoded(whole)]);
  const { parts, samplesPerFrame, frames, bytes } = spliced.rendition;
  expect(whole.length).toBe(bytes);
  expect([after.samples, after.errors]).toEqual([frames * samplesPerFrame, []]);
  // the first frame (of MPEG-2's short ones the first two) still sounds of what stood before
  const settle = samplesPerFrame === 576 ? 2 : 1;
  for (const part of parts.filter(({ role }) => role !== 'primer')) {
    const source = part.role === 'clip' ? clipPcm : before;
    const [from, start, length] = [part.from + settle, part.start + settle, part.frames - settle].map(
      (count) => count * samplesPerFrame,
    ) as [number, number, number];
    after.channels.forEach((channel, c) => {
      const wanted = source.channels[c]!.subarray(from, from + length);
      expect(Buffer.from(channel.slice(start, start + length).buffer).equals(Buffer.from(wanted.slice().buffer))).toBe(
        true,
      );
    });
  }
  if (ffmpeg) {
    const byOther = await decodedByFfmpeg(ffmpeg, whole, form.channels);
    expect([byOther.messages, byOther.samples]).toEqual(['', frames * samplesPerFrame]);
  }
});

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
