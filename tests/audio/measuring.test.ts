import { expect, test, vi } from 'vitest';
import { bufferSource } from '~/server/audio/bytes';
import { chunksOf } from '~/server/audio/chunks';
import { conform } from '~/server/audio/conform';
import { encodeMp3 } from '~/server/audio/encode-mp3';
import { draftEnvelope } from '~/server/audio/envelope';
import { conformInWorker, measureInWorker } from '~/server/audio/in-worker';
import { measure, openMeter } from '~/server/audio/peaks';
import { type Recording, splice } from '~/server/audio/splice';
import { assembleRendition, decodeWithMpg123, recordingOf } from '../support/decoding';
import { isDeep } from '../support/deep';
import { lameFrames } from '../support/encodings';
import { runTool, toolPath } from '../support/tools';

// encoders, decoders and threads are slow on a busy machine
vi.setConfig({ testTimeout: 60_000 });

const FORM = { sampleRate: 44_100, channels: 2 } as const;
const file = await lameFrames({ ...FORM, seconds: 20 }, { bitrate: 128 });
const recording = await recordingOf('episode', file);
const measured = await measure(recording.source, recording.index);
const ffmpeg = toolPath('ffmpeg');

test('one pass measures peaks at several zoom levels, loudness and pauses, and finds no undecodable frame', async () => {
  const [fine, , overview] = measured.zooms;
  const peaks = Buffer.from(fine!.peaks, 'base64');
  const { channels } = await decodeWithMpg123(file);

  expect([fine!.stepMs, peaks.length, measured.undecodedFrames]).toEqual([
    50,
    Math.ceil((recording.index.frames * 1152) / 2205),
    0,
  ]);
  for (const step of [3, 200, 355]) {
    const from = Math.round((step * 44_100) / 20);
    const to = Math.round(((step + 1) * 44_100) / 20);
    const highest = Math.max(...channels.flatMap((channel) => [...channel.subarray(from, to)].map(Math.abs)));
    expect(peaks[step]).toBe(Math.round(highest * 255));
  }
  expect(Buffer.from(overview!.peaks, 'base64').length).toBeLessThanOrEqual(1800);
  expect(JSON.stringify(measured).length).toBeLessThan(5000);
});

test('pauses are found at their positions', () => {
  // sound() is silent for half a second in every 1.9 s
  expect(measured.silences.length).toBeGreaterThan(8);
  for (const { startMs, endMs } of measured.silences) expect(endMs - startMs).toBeGreaterThanOrEqual(300);
});

test('a pause extends to the end, even if the last step is incomplete and stereo', async () => {
  // About −61 dB: 1.4 dB below the limit for a pause, but above it if the power counted twice.
  const hum = Float32Array.from({ length: 45_000 }, (_, i) => 0.0012 * Math.sin(i / 7));
  const format = { version: 1, sampleRate: 44_100, channels: 2, kbps: 128 } as const;
  const made = Buffer.from(await encodeMp3({ sampleRate: 44_100, channels: [hum, hum] }, format));
  const quiet = await recordingOf('quiet', made);
  const meter = await openMeter(quiet.index);
  const measuredFrames = quiet.index.frames - 3;

  meter.add(made.subarray(0, quiet.index.offsets[measuredFrames]), measuredFrames);
  const { silences, zooms } = meter.done();
  meter.free();

  const steps = Buffer.from(zooms[0]!.peaks, 'base64').length;
  expect(silences).toEqual([{ startMs: 0, endMs: steps * 50 }]);
});

test('frames that the decoder reports and drops are counted once', async () => {
  const { index } = recording;
  const broken = Buffer.from(file.subarray(0, index.offsets[60]));
  broken.fill(0, index.offsets[30], index.offsets[50]);
  const meter = await openMeter(index);

  meter.add(broken, 60);
  const { undecodedFrames, decoderError } = meter.done();
  meter.free();

  expect([undecodedFrames, decoderError]).toEqual([20, expect.stringContaining('MPG123_ERR')]);
});

test.skipIf(!ffmpeg)('the loudness equals FFmpeg’s measurement', async () => {
  const { messages } = await runTool(
    ffmpeg!,
    ['-hide_banner', '-i', 'pipe:0', '-af', 'ebur128', '-f', 'null', '-'],
    file,
  );

  const theirs = Number([...messages.matchAll(/I:\s+(-?[\d.]+) LUFS/g)].at(-1)?.[1]);
  expect(Math.abs(measured.lufs! - theirs)).toBeLessThan(0.2);
});

test('measuring on a thread gives the same result', async () => {
  expect(await measureInWorker(recording.source, recording.index)).toEqual(measured);
});

test('the draft resembles the measurement', async () => {
  const draft = await draftEnvelope(recording.source, recording.index, 200);
  const fine = Buffer.from(measured.zooms[0]!.peaks, 'base64');
  const peaks = Array.from({ length: 200 }, (_, i) => Math.max(...fine.subarray(i * 2, i * 2 + 2)));

  expect(correlation([...draft], peaks)).toBeGreaterThan(0.55);
});

function correlation(a: number[], b: number[]): number {
  const mean = (values: number[]) => values.reduce((sum, x) => sum + x, 0) / values.length;
  const [ma, mb] = [mean(a), mean(b)];
  const product = (x: number[], y: number[], mx: number, my: number) =>
    x.reduce((sum, value, i) => sum + (value - mx) * (y[i]! - my), 0);
  return product(a, b, ma, mb) / Math.sqrt(product(a, a, ma, ma) * product(b, b, mb, mb));
}

test('chunks are within the limits, balanced, cut in pauses, and each decodes on its own', async () => {
  const chunks = await chunksOf(recording, measured.silences, { maxBytes: 75_000 });
  const whole = await decodeWithMpg123(file);

  expect(chunks.length).toBeGreaterThanOrEqual(5);
  const sizes = chunks.map(({ bytes }) => bytes);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(75_000);
  expect(Math.min(...sizes)).toBeGreaterThan(30_000);
  let coveredMs = 0;
  for (const [i, { segments, offsetMs, durationMs }] of chunks.entries()) {
    const pcm = await decodeWithMpg123(assembleRendition({ segments }, { episode: file }));
    expect([pcm.errors, pcm.samples]).toEqual([[], Math.round(durationMs * 44.1)]);
    coveredMs += durationMs - (i > 0 ? 1152 / 44.1 : 0);
    // The sound half a second into the chunk is at the position that its offset gives.
    const at = 22_050;
    const there = at + Math.round(offsetMs * 44.1);
    const gaps = pcm.channels[0]!.subarray(at, at + 3000).map((x, j) => Math.abs(x - whole.channels[0]![there + j]!));
    expect(Math.max(...gaps)).toBeLessThan(1e-5);
    const boundary = offsetMs + (i > 0 ? 1152 / 44.1 : 0);
    const quiet = measured.silences.some(({ startMs, endMs }) => startMs <= boundary && boundary <= endMs);
    expect(i === 0 || quiet).toBe(true);
  }
  expect(coveredMs).toBeCloseTo((recording.index.frames * 1152) / 44.1, 3);
});

/** One hour at one bit rate and two hours at another, as in joined VBR files. */
function twoRates(kbps: [number, number]): Recording {
  const perMinute = (60 * 44_100) / 1152;
  const frames = Math.floor(180 * perMinute);
  const lengths = Uint16Array.from({ length: frames }, (_, i) => kbps[i < 60 * perMinute ? 0 : 1]! * (144 / 44.1));
  const offsets = new Float64Array(frames + 1);
  lengths.forEach((length, i) => {
    offsets[i + 1] = offsets[i]! + length;
  });
  const index = {
    ...recording.index,
    constantBitrate: false,
    frames,
    lengths,
    offsets,
    needs: new Uint16Array(frames),
  };
  return { ...recording, index: { ...index, gaps: [] } };
}

test.each([
  [[320, 32] as [number, number], []],
  [[32, 320] as [number, number], []],
  [
    [320, 32] as [number, number],
    Array.from({ length: 2000 }, (_, i) => ({ startMs: i * 5400, endMs: i * 5400 + 400 })),
  ],
])('chunks keep both limits with a very uneven bit rate: %j', async (kbps, silences) => {
  const chunks = await chunksOf(twoRates(kbps), silences);

  expect(Math.max(...chunks.map(({ bytes }) => bytes))).toBeLessThanOrEqual(24_000_000);
  expect(Math.max(...chunks.map(({ durationMs }) => durationMs))).toBeLessThanOrEqual(20 * 60_000);
  // 144 MB and 120 minutes
  expect(chunks.length).toBeLessThanOrEqual(15);
});

test('a short recording is one chunk', async () => {
  const chunks = await chunksOf(recording, []);

  expect(chunks).toMatchObject([{ bytes: file.length, offsetMs: 0 }]);
});

const CLIP = await lameFrames({ sampleRate: 22_050, channels: 1, seconds: 4, seed: 6 }, { bitrate: 48 });
const targets = [
  { version: 1, sampleRate: 44_100, channels: 2, bitrate: 128_000 },
  { version: 1, sampleRate: 48_000, channels: 1, bitrate: 64_000 },
  { version: 2, sampleRate: 24_000, channels: 2, bitrate: 81_300 },
  { version: 2.5, sampleRate: 11_025, channels: 1, bitrate: 24_000 },
] as const;

test.each([
  ...targets.map((target) => ({ ...target, ffmpegPath: null })),
  // a normal run: the format whose bit rate has to be rounded
  ...(ffmpeg ? targets.slice(isDeep ? 0 : 2, isDeep ? 4 : 3).map((target) => ({ ...target, ffmpegPath: ffmpeg })) : []),
])(
  'a clip is conformed to $sampleRate Hz, $channels channels, $bitrate bit/s and its episode’s loudness ($ffmpegPath)',
  async (row) => {
    const { ffmpegPath, ...format } = row;

    const conformed = await conform(bufferSource(CLIP), { ...format, lufs: -25 }, { ffmpegPath });

    if (!conformed.ok) throw new Error(`${conformed.reason}: ${conformed.detail}`);
    const made = await recordingOf('made', Buffer.from(conformed.mp3));
    const { version, sampleRate, channels } = format;
    expect(made.index).toMatchObject({ version, sampleRate, channels, constantBitrate: true });
    expect(made.index.bitrate).toBe(format.bitrate === 81_300 ? 80_000 : format.bitrate);
    const { lufs } = await measure(made.source, made.index);
    expect(Math.abs(lufs! - -25)).toBeLessThan(0.1);
  },
);

test('a conformed clip can be spliced into its episode', async () => {
  const { version, sampleRate, channels, bitrate } = recording.index;
  const target = { version, sampleRate, channels, bitrate, lufs: measured.lufs };
  const conformed = await conformInWorker(bufferSource(CLIP), target);

  const clip = await recordingOf('clip', Buffer.from(conformed.ok ? conformed.mp3 : []));

  expect(await splice(recording, [{ at: 7000, clip }])).toMatchObject({ ok: true });
});

test('a file that is not an MP3 can’t become a clip', async () => {
  const target = { ...targets[0], lufs: null };

  expect(await conform(bufferSource(Buffer.from('RIFF....WAVEfmt ')), target)).toMatchObject({
    ok: false,
    reason: 'not_mp3',
  });
  expect(await conform(bufferSource(CLIP), target, { ffmpegPath: '/no/such/program' })).toMatchObject({
    ok: false,
    reason: 'clip_encoder_failed',
  });
});
