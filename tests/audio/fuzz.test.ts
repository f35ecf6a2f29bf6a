import { expect, test } from 'vitest';
import { startMeter, usedMegabytes } from '../support/costs';
import { deepSeed, deepTimes, isDeep } from '../support/deep';
import { corrupt, decode, inspectFile, openWatchdog, sourceFiles } from '../support/fuzz';

const COUNT = isDeep ? 4000 * deepTimes : 300;
/** Decoding starts two threads per file, so only some files are decoded. */
const DECODED = isDeep ? 20 * deepTimes : 3;
/** Per file, in units of tests/support/costs.ts. The decoder's thread has its own limits. */
const MAX_COST = 200;
/** Over all files: garbage that has not been collected yet. */
const MAX_MEGABYTES = 200;

test('a corrupt file gives an index or a known reason, never a crash, a hang, a contradiction or a leak', {
  timeout: 600_000,
}, async () => {
  const files = await sourceFiles();
  const seed = deepSeed();
  const watchdog = openWatchdog();
  const results = new Map<string, number>();
  const decodable = [];
  const before = usedMegabytes();
  let [slowest, grown] = [0, 0];

  for (let number = 1; number <= COUNT; number++) {
    watchdog.next(number);
    const cost = startMeter();
    const outcome = await inspectFile(corrupt(files, seed + number)).catch((cause) => {
      throw new Error(`seed ${seed + number}: ${cause}`, { cause });
    });
    results.set(outcome.result, (results.get(outcome.result) ?? 0) + 1);
    slowest = Math.max(slowest, cost());
    grown = Math.max(grown, usedMegabytes() - before);
    if (outcome.recording && decodable.length < DECODED) decodable.push(outcome.recording);
  }
  await watchdog.end();

  expect(results.get('index')).toBeGreaterThan(COUNT / 10);
  expect(results.size).toBeGreaterThan(4);
  for (const recording of decodable) await decode(recording);
  if (!isDeep) return;
  expect(slowest).toBeLessThan(MAX_COST);
  expect(grown).toBeLessThan(MAX_MEGABYTES);
});
