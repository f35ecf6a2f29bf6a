import { expect, test } from 'vitest';
import { loudnessMeter } from '~/server/audio/loudness';
import { sound } from '../support/sound';
import { run, toolPath } from '../support/tools';

const ffmpeg = toolPath('ffmpeg');

const sine = (rate: number, seconds: number, amplitude: number, hz = 997) =>
  Float32Array.from({ length: rate * seconds }, (_, i) => amplitude * Math.sin((2 * Math.PI * hz * i) / rate));
const speech = sound(8, 48_000);
const joined = (...parts: Float32Array[]) => Float32Array.from(parts.flatMap((part) => [...part]));

const SOUNDS: [string, number, Float32Array[]][] = [
  ['speech in one channel', 48_000, [speech]],
  ['speech in two channels', 48_000, [speech, speech.map((x) => x / 2)]],
  ['a channel beside a silent one', 48_000, [speech, new Float32Array(speech.length)]],
  ['a hum of 50 Hz, which counts for less', 48_000, [sine(48_000, 6, 0.3, 50)]],
  ['a hiss of 8 kHz, which counts for more', 48_000, [sine(48_000, 6, 0.1, 8000)]],
  [
    'a whisper 25 dB below, which the relative gate leaves out',
    48_000,
    [
      joined(
        speech,
        speech.map((x) => x / 18),
      ),
    ],
  ],
  [
    'one 6 dB below, which counts',
    48_000,
    [
      joined(
        speech,
        speech.map((x) => x / 2),
      ),
    ],
  ],
  ['what only the absolute gate leaves out', 48_000, [joined(sine(48_000, 6, 0.0006), sine(48_000, 6, 0.0002))]],
  ['digital silence in between', 48_000, [joined(speech, new Float32Array(480_000), speech)]],
  ['the rate of most episodes', 44_100, [sound(8, 44_100), sound(8, 44_100, 3)]],
  ['half of it', 22_050, [sound(8, 22_050)]],
];

/** As FFmpeg's meter has it in the end, in thousandths. */
async function byFfmpeg(rate: number, channels: Float32Array[]): Promise<number> {
  const input = ['-v', 'error', '-f', 'f32le', '-ar', String(rate), '-ac', String(channels.length), '-i', 'pipe:0'];
  const meter = 'ebur128=metadata=1,ametadata=mode=print:key=lavfi.r128.I:file=-';
  const samples = Float32Array.from({ length: channels[0]!.length * channels.length }, (_, i) => {
    return channels[i % channels.length]![Math.floor(i / channels.length)]!;
  });
  const { out } = await run(ffmpeg!, [...input, '-af', meter, '-f', 'null', '-'], Buffer.from(samples.buffer));
  return Number([...out.toString().matchAll(/r128\.I=(-?[\d.]+)/g)].at(-1)?.[1]);
}

test.skipIf(!ffmpeg).each(SOUNDS)('%s is as loud as FFmpeg measures', async (_, rate, channels) => {
  const meter = loudnessMeter(rate, channels.length === 1 ? 1 : 2);

  meter.add(channels);

  expect(Math.abs(meter.integrated()! - (await byFfmpeg(rate, channels)))).toBeLessThan(0.02);
});
