import { expect, test, vi } from 'vitest';
import { loudnessMeter } from '~/server/audio/loudness';
import { sound } from '../support/sound';
import { runTool, toolPath } from '../support/tools';

// starting FFmpeg eleven times is slow on a busy machine
vi.setConfig({ testTimeout: 60_000 });

const ffmpeg = toolPath('ffmpeg');

const sine = (rate: number, seconds: number, amplitude: number, hz = 997) =>
  Float32Array.from({ length: rate * seconds }, (_, i) => amplitude * Math.sin((2 * Math.PI * hz * i) / rate));
const quieter = (pcm: Float32Array, times: number) => pcm.map((x) => x / times);
const speech = sound(5, 48_000);

function joined(...parts: Float32Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

const SOUNDS: [string, number, Float32Array[]][] = [
  ['speech in one channel', 48_000, [speech]],
  ['speech in two channels', 48_000, [speech, quieter(speech, 2)]],
  ['one channel with sound and one without', 48_000, [speech, new Float32Array(speech.length)]],
  ['a hum of 50 Hz, which has less weight', 48_000, [sine(48_000, 4, 0.3, 50)]],
  ['a hiss of 8 kHz, which has more weight', 48_000, [sine(48_000, 4, 0.1, 8000)]],
  ['a whisper 25 dB below speech, which the relative gate ignores', 48_000, [joined(speech, quieter(speech, 18))]],
  ['quieter speech 6 dB below, which counts', 48_000, [joined(speech, quieter(speech, 2))]],
  ['sound that only the absolute gate ignores', 48_000, [joined(sine(48_000, 4, 0.0006), sine(48_000, 4, 0.0002))]],
  ['speech with digital silence in between', 48_000, [joined(speech, new Float32Array(240_000), speech)]],
  ['sound at 44.1 kHz', 44_100, [sound(5, 44_100), sound(5, 44_100, 3)]],
  ['sound at 22.05 kHz', 22_050, [sound(5, 22_050)]],
];

/** The result of FFmpeg's meter, in thousandths. */
async function byFfmpeg(rate: number, channels: Float32Array[]): Promise<number> {
  const input = ['-v', 'error', '-f', 'f32le', '-ar', String(rate), '-ac', String(channels.length), '-i', 'pipe:0'];
  const meter = 'ebur128=metadata=1,ametadata=mode=print:key=lavfi.r128.I:file=-';
  const samples = new Float32Array(channels[0]!.length * channels.length);
  for (let i = 0; i < samples.length; i++) {
    samples[i] = channels[i % channels.length]![Math.floor(i / channels.length)]!;
  }
  const { out } = await runTool(ffmpeg!, [...input, '-af', meter, '-f', 'null', '-'], Buffer.from(samples.buffer));
  return Number([...out.toString().matchAll(/r128\.I=(-?[\d.]+)/g)].at(-1)?.[1]);
}

test.skipIf(!ffmpeg).each(SOUNDS)('%s is as loud as FFmpeg measures', async (_, rate, channels) => {
  const meter = loudnessMeter(rate, channels.length === 1 ? 1 : 2);

  meter.add(channels);

  expect(Math.abs(meter.integrated()! - (await byFfmpeg(rate, channels)))).toBeLessThan(0.02);
});
