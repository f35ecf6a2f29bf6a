import { expect, test } from 'vitest';
import { bufferSource } from '~/server/audio/bytes';
import { checkMp3 } from '~/server/audio/check-mp3';
import { encodeMp3, nearestBitrate } from '~/server/audio/encode-mp3';
import { timeOf } from '~/server/audio/frame-header';
import { indexMp3 } from '~/server/audio/indexing';
import type { InfoFrame } from '~/server/audio/info-frame';
import { type Recording, splice } from '~/server/audio/splice';
import type { Part } from '~/server/audio/timeline';
import { assembleRendition, decodeWithFfmpeg, decodeWithMpg123, recordingOf } from '../support/decoding';
import { isDeep } from '../support/deep';
import { type Encoding, OWN_ENCODINGS, wave } from '../support/encodings';
import { FIXTURES } from '../support/foreign-encodings';
import { toolPath } from '../support/tools';

const ffmpeg = toolPath('ffmpeg');
const ALL = [...OWN_ENCODINGS, ...FIXTURES.map(({ encoding }) => encoding)];

test('the encodings cover every version with every channel mode, kind of bit rate and a CRC', () => {
  const cells = new Set(
    ALL.flatMap(({ version, channelMode, rate, crc }) => [
      `${version} ${channelMode} ${rate}`,
      ...(crc ? [`${version} ${channelMode} CRC`] : []),
    ]),
  );
  const expected = [1, 2, 2.5].flatMap((version) =>
    ['mono', 'stereo', 'joint'].flatMap((mode) =>
      ['CBR', 'ABR', 'VBR', 'CRC'].map((kind) => `${version} ${mode} ${kind}`),
    ),
  );

  expect(expected.filter((cell) => !cells.has(cell))).toEqual([]);
  expect(new Set(ALL.map(({ name }) => name)).size).toBe(ALL.length);
  expect(ALL.length).toBeGreaterThanOrEqual(60);
});

test('no fixture is larger than 100 kB', async () => {
  const sizes = await Promise.all(FIXTURES.map(async ({ encoding }) => (await encoding.make()).length));

  expect(Math.max(...sizes)).toBeLessThan(100_000);
});

test('the figures that encoders write are read correctly, with and without a CRC, in every version', async () => {
  const seen = new Set<string>();

  for (const { form, encoding } of FIXTURES) {
    const found = await checkMp3(bufferSource(await encoding.make()));
    if (!found.ok) throw new Error(found.reason);
    const { infoFrame, frames, samples } = found;
    if (encoding.name.includes('without Xing')) expect(infoFrame).toBeNull();
    if (!infoFrame?.gapless) continue;
    const { delay, padding } = infoFrame.gapless;
    expect([infoFrame.frames, samples - delay - padding]).toEqual([frames, form.seconds! * form.sampleRate]);
    seen.add(`${infoFrame.encoder!.slice(0, 4)} ${encoding.version} ${encoding.crc}`);
  }

  const versions = ['1 true', '1 false', '2 true', '2 false', '2.5 true', '2.5 false'];
  expect([...seen]).toEqual(expect.arrayContaining([...versions.map((version) => `LAME ${version}`), 'Lavc 1 false']));
});

/** FFmpeg skips the encoder's delay and padding, and the decoder's own delay even if both are 0. */
function samplesPlayed(samples: number, info: InfoFrame | null): number {
  if (!info?.encoder) return samples;
  const { delay, padding } = info.gapless ?? { delay: 0, padding: 0 };
  return samples - delay - 529 - Math.max(0, padding - 529);
}

/** mpg123's filter bank rounds depending on a frame's position in the stream: −120 dB, much less than a 16-bit step. */
const ROUNDING = 1e-6;
/** FFmpeg skips a frame after junk, so it is not compared for such files. */
const JUNK = /junk between/;

/**
 * Enough encodings to cover each version, channel mode, kind of bit rate, encoder and special tag; the deep run decodes
 * and splices all of them.
 */
function sample(encodings: Encoding[]): Encoding[] {
  const seen = new Set<string>();
  return encodings.filter(({ name, version, channelMode, rate, crc }) => {
    const variant = name.replace(/^[^,]*,|V?\d+/g, '');
    const traits = [`${version} ${channelMode}`, `${version} ${rate}`, `${version} CRC ${crc}`, variant];
    const isNew = traits.some((trait) => !seen.has(trait));
    for (const trait of traits) seen.add(trait);
    return isNew;
  });
}

/**
 * FFmpeg decodes every third file of the sample, because starting it takes longer than decoding. Every second file is
 * spliced, which takes longer than all other checks.
 */
const NAMED = (isDeep ? ALL : sample(ALL)).map((form, at) => {
  const program = isDeep || at % 3 === 0 ? ffmpeg : null;
  return [form.name, form, { program, isSpliced: isDeep || at % 2 === 0 }] as const;
});

test.concurrent.each(NAMED)(
  '%s: decodes exactly and stays intact when spliced',
  async (_, form, { program, isSpliced }) => {
    const episode = await form.make();

    const found = await indexMp3(bufferSource(episode));

    if (!found.ok) throw new Error(`${found.reason}: ${found.detail}`);
    const { version, sampleRate, channels, channelMode, rate, crc, name } = form;
    expect(found.index).toMatchObject({ version, sampleRate, channels, channelMode, constantBitrate: rate === 'CBR' });
    expect((found.index.header[1]! & 1) === 0).toBe(crc);
    const pcm = await decodeWithMpg123(episode);
    expect([pcm.samples, pcm.errors]).toEqual([found.mp3.samples, []]);
    if (program && !JUNK.test(name)) {
      const { samples } = await decodeWithFfmpeg(program, episode, channels);
      expect(samples).toBe(samplesPlayed(found.mp3.samples, found.mp3.infoFrame));
    }
    if (isSpliced) await expectIntactWhenSpliced(form, { episode, pcm, program });
  },
);

type Sound = Awaited<ReturnType<typeof decodeWithMpg123>>;

type Whole = { episode: Buffer; pcm: Sound; program: string | null };

async function expectIntactWhenSpliced(form: Encoding, { episode, pcm, program }: Whole): Promise<void> {
  const first = await recordingOf('episode', episode);
  const clip = await clipFor(form, first);
  const inserted = await recordingOf('clip', clip);
  const whole = timeOf(first.index, first.index.frames);
  const positions = ['pre', 0.3 * whole, 0.7 * whole, 'post'] as const;

  const spliced = await splice(
    first,
    positions.map((at) => ({ at, clip: inserted })),
  );

  if (!spliced.ok) throw new Error(spliced.reason);
  const { rendition } = spliced;
  const file = assembleRendition(rendition, { episode, clip });
  const [clipPcm, after] = await Promise.all([decodeWithMpg123(clip), decodeWithMpg123(file)]);
  const samples = rendition.frames * rendition.samplesPerFrame;
  expect([file.length, after.samples, after.errors]).toEqual([rendition.bytes, samples, []]);
  for (const part of rendition.parts) {
    if (part.role !== 'primer')
      expect(difference(part, part.role === 'clip' ? clipPcm : pcm, after)).toBeLessThan(ROUNDING);
  }
  if (program) {
    const byFfmpeg = await decodeWithFfmpeg(program, file, form.channels);
    expect([byFfmpeg.messages, byFfmpeg.samples]).toEqual(['', samples]);
  }
}

/** The first frame (two of MPEG-2's short ones) still contains the previous sound. */
function difference({ from, start, frames }: Part, source: Sound, rendition: Sound): number {
  const size = source.index.samplesPerFrame;
  const settled = size === 576 ? 2 : 1;
  let largest = 0;
  for (const [c, channel] of source.channels.entries()) {
    const expected = channel.subarray((from + settled) * size, (from + frames) * size);
    const actual = rendition.channels[c]!.subarray((start + settled) * size);
    // a callback for each sample would take as long as decoding
    for (let i = 0; i < expected.length; i++) largest = Math.max(largest, Math.abs(expected[i]! - actual[i]!));
  }
  return largest;
}

const clips = new Map<string, Promise<Buffer>>();

function clipFor({ version, sampleRate, channels }: Encoding, { index }: Recording): Promise<Buffer> {
  const kbps = nearestBitrate(version, index.bitrate);
  const key = `${sampleRate} ${channels} ${kbps}`;
  const pcm = { sampleRate, channels: wave({ sampleRate, channels, seconds: 0.8, seed: 4 }) };
  const made = clips.get(key) ?? encodeMp3(pcm, { version, sampleRate, channels, kbps }).then(Buffer.from);
  clips.set(key, made);
  return made;
}
