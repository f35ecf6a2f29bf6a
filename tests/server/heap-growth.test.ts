import { pbkdf2Sync } from 'node:crypto';
import { type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { collectStart } from '~/server/watching/heap-growth';

/** `kind` of a major collection. */
const MAJOR = 4;
type Collection = PerformanceEntry & { detail: { kind: number } };

const IDLE_MS = 500;

/** @returns the number of major collections until `work` has ended and they were reported */
async function majorsDuring(work: () => Promise<void>): Promise<number> {
  let majors = 0;
  const observer = new PerformanceObserver((list) => {
    majors += list.getEntries().filter((entry) => (entry as Collection).detail.kind === MAJOR).length;
  });
  observer.observe({ entryTypes: ['gc'] });
  onTestFinished(() => observer.disconnect());
  await work();
  await sleep(100);
  return majors;
}

test('a quiet process collects the garbage of its start once, without making gc() available to the code', async () => {
  const majors = await majorsDuring(async () => {
    collectStart(IDLE_MS);
    await sleep(2 * IDLE_MS);
  });

  expect(majors).toBe(1);
  expect('gc' in globalThis).toBe(false);
});

test('a busy process does not pause for it', async () => {
  const majors = await majorsDuring(async () => {
    collectStart(IDLE_MS);
    // more than a fifth of the time on any machine
    pbkdf2Sync('work', 'salt', 400_000, 64, 'sha512');
    await sleep(IDLE_MS);
  });

  expect(majors).toBe(0);
});
