import { expect, test } from 'vitest';
import { bufferSource } from '~/server/audio/bytes';
import { checkMp3 } from '~/server/audio/check-mp3';
import { indexMp3 } from '~/server/audio/indexing';
import { loudnessMeter } from '~/server/audio/loudness';
import { cpuCost } from '../support/costs';
import { frame, frames } from '../support/mp3';
import { seededInts } from '../support/seeded-ints';

const FRAMES_PER_HOUR = 137_814;

test('an hour is checked in a fraction of a second', async () => {
  const hour = bufferSource(frames(FRAMES_PER_HOUR));

  expect(await cpuCost(() => checkMp3(hour))).toBeLessThan(10);
});

test('an hour of varying frames is indexed in a fraction of a second', async () => {
  const shapes = [64, 96, 128, 160, 192].map((kbps) => frame({ kbps }));
  const nextInt = seededInts(1);
  const hour = bufferSource(Buffer.concat(Array.from({ length: FRAMES_PER_HOUR }, () => shapes[nextInt(5)]!)));

  expect(await cpuCost(() => indexMp3(hour))).toBeLessThan(15);
});

test('digital silence after sound costs no more than sound', async () => {
  const sine = (seconds: number) =>
    Float32Array.from({ length: 48_000 * seconds }, (_, i) => 0.1 * Math.sin((2 * Math.PI * 997 * i) / 48_000));
  const [before, sound, silence] = [sine(1), sine(5), new Float32Array(5 * 48_000)];
  const costOf = (after: Float32Array) =>
    cpuCost(() => {
      const meter = loudnessMeter(48_000, 1);
      for (const part of [before, after]) meter.add([part]);
    });

  // without a guard, the filter's state becomes denormal numbers, which cost thirty times as much
  expect(await costOf(silence)).toBeLessThan(5 * (await costOf(sound)));
});
