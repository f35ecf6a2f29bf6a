import { expect, test } from 'vitest';
import { bufferSource } from '~/server/audio/bytes';
import { measureInWorker } from '~/server/audio/in-worker';
import { broken, digest, seeds } from '../support/fuzz';

/** benchmarks/audio/fuzz.ts goes on to 20,000. */
const COUNT = 800;
const DECODED = 5;

test('a broken file is an index or a named refusal, and never a crash, a hang or a contradiction', {
  timeout: 120_000,
}, async () => {
  const files = await seeds();
  const verdicts = new Map<string, number>();
  const decodable = [];
  let slowest = 0;

  for (let number = 1; number <= COUNT; number++) {
    const outcome = await digest(broken(files, number)).catch((cause) => {
      throw new Error(`file ${number}: ${cause}`, { cause });
    });
    verdicts.set(outcome.verdict, (verdicts.get(outcome.verdict) ?? 0) + 1);
    slowest = Math.max(slowest, outcome.ms);
    if (outcome.index && decodable.length < DECODED) decodable.push(outcome);
  }

  expect(slowest).toBeLessThan(2000);
  expect(verdicts.get('index')).toBeGreaterThan(COUNT / 10);
  expect(verdicts.size).toBeGreaterThan(4);
  for (const { file, index } of decodable) {
    const measured = await measureInWorker(bufferSource(file), index!);
    expect(measured.undecodedFrames).toBeGreaterThanOrEqual(0);
  }
});
