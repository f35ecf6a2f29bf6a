import { expect, test } from 'vitest';
import { deepSeed, isDeep } from '../support/deep';
import { corrupt, decode, inspectFile, MAX_GROWTH_MB, MAX_MS, openWatchdog, sourceFiles } from '../support/fuzz';

const COUNT = isDeep ? 20_000 : 300;
/** Decoding starts two threads per file, so only some files are decoded. */
const DECODED = isDeep ? 100 : 3;

test('a corrupt file gives an index or a known reason, never a crash, a hang, a contradiction or a leak', {
  timeout: 600_000,
}, async () => {
  const files = await sourceFiles();
  const seed = deepSeed();
  const before = process.resourceUsage().maxRSS;
  const watchdog = openWatchdog();
  const results = new Map<string, number>();
  const decodable = [];
  let slowest = 0;

  for (let number = 1; number <= COUNT; number++) {
    watchdog.next(number);
    const outcome = await inspectFile(corrupt(files, seed + number)).catch((cause) => {
      throw new Error(`seed ${seed + number}: ${cause}`, { cause });
    });
    results.set(outcome.result, (results.get(outcome.result) ?? 0) + 1);
    slowest = Math.max(slowest, outcome.ms);
    if (outcome.recording && decodable.length < DECODED) decodable.push(outcome.recording);
  }
  await watchdog.end();

  expect(slowest).toBeLessThan(MAX_MS);
  expect((process.resourceUsage().maxRSS - before) / 1024).toBeLessThan(MAX_GROWTH_MB);
  expect(results.get('index')).toBeGreaterThan(COUNT / 10);
  expect(results.size).toBeGreaterThan(4);
  for (const recording of decodable) await decode(recording);
});
