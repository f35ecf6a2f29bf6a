import { expect, test } from 'vitest';
import { broken, decode, digest, LONGEST_MS, MOST_GROWTH_MB, openWatch, seeds } from '../support/fuzz';

/** benchmarks/audio/fuzz.ts does the same with more decoding. */
const COUNT = 20_000;
const DECODED = 5;

test('a broken file is an index or a named refusal, and never a crash, a hang, a contradiction or a leak', {
  timeout: 600_000,
}, async () => {
  const files = await seeds();
  const before = process.resourceUsage().maxRSS;
  const watch = openWatch();
  const verdicts = new Map<string, number>();
  const decodable = [];
  let slowest = 0;

  for (let number = 1; number <= COUNT; number++) {
    watch.next(number);
    const outcome = await digest(broken(files, number)).catch((cause) => {
      throw new Error(`file ${number}: ${cause}`, { cause });
    });
    verdicts.set(outcome.verdict, (verdicts.get(outcome.verdict) ?? 0) + 1);
    slowest = Math.max(slowest, outcome.ms);
    if (outcome.recording && decodable.length < DECODED) decodable.push(outcome.recording);
  }
  await watch.end();

  expect(slowest).toBeLessThan(LONGEST_MS);
  expect((process.resourceUsage().maxRSS - before) / 1024).toBeLessThan(MOST_GROWTH_MB);
  expect(verdicts.get('index')).toBeGreaterThan(COUNT / 10);
  expect(verdicts.size).toBeGreaterThan(4);
  for (const recording of decodable) await decode(recording);
});
