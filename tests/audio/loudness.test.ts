import { expect, test } from 'vitest';
import { loudnessMeter } from '~/server/audio/loudness';

const sine = (rate: number, seconds: number, amplitude: number, hz = 997) =>
  Float32Array.from({ length: rate * seconds }, (_, i) => amplitude * Math.sin((2 * Math.PI * hz * i) / rate));

test.each([48_000, 44_100, 32_000, 22_050])('a sine at full scale in one channel is −3.01 LUFS at %i Hz', (rate) => {
  const meter = loudnessMeter(rate, 1);

  meter.add([sine(rate, 3, 1)]);

  expect(meter.integrated()).toBeCloseTo(-3.01, 1);
  expect(meter.peak()).toBeCloseTo(1, 2);
});

test('two channels are 3 dB louder than one, in chunks of any size', () => {
  const sound = sine(48_000, 4, 0.1);
  const meter = loudnessMeter(48_000, 2);

  for (let at = 0; at < sound.length; at += 1237) {
    const part = sound.subarray(at, at + 1237);
    meter.add([part, part]);
  }

  expect(meter.integrated()).toBeCloseTo(-20, 1);
});

test('silence between sounds is ignored, and silence alone has no loudness', () => {
  const meter = loudnessMeter(48_000, 1);
  const silent = loudnessMeter(48_000, 1);

  for (const sound of [sine(48_000, 5, 0.1), new Float32Array(480_000), sine(48_000, 5, 0.1)]) meter.add([sound]);
  silent.add([new Float32Array(96_000)]);

  expect(meter.integrated()).toBeCloseTo(-23.01, 0);
  expect(silent.integrated()).toBeNull();
});
