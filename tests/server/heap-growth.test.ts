import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { expect, onTestFinished, test } from 'vitest';
import { collectStart } from '~/server/watching/heap-growth';

type Collection = PerformanceEntry & { detail: { kind: number; flags: number } };

/** Resolves with the next collection for which `isWanted` is true, and all before it. */
function collectionsUntil(isWanted: (last: Collection) => boolean): Promise<Collection[]> {
  const seen: Collection[] = [];
  return new Promise((resolve) => {
    const observer = new PerformanceObserver((list) => {
      seen.push(...(list.getEntries() as Collection[]));
      if (seen.some(isWanted)) resolve(seen);
    });
    observer.observe({ entryTypes: ['gc'] });
    onTestFinished(() => observer.disconnect());
  });
}

const isForMemoryOutside = ({ detail }: Collection) =>
  (detail.flags & constants.NODE_PERFORMANCE_GC_FLAGS_ALL_EXTERNAL_MEMORY) !== 0;
const isForced = ({ detail }: Collection) => (detail.flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) !== 0;
const isOfKind = (kind: number) => (collection: Collection) => collection.detail.kind === kind;

test('the garbage of the start is collected in steps, which do not stop the process until its end', async () => {
  const collecting = collectionsUntil(
    (last) => isOfKind(constants.NODE_PERFORMANCE_GC_MAJOR)(last) && isForMemoryOutside(last),
  );
  collectStart(0);
  const seen = await collecting;

  expect(seen.some(isOfKind(constants.NODE_PERFORMANCE_GC_INCREMENTAL))).toBe(true);
  expect(seen.filter(isForced)).toEqual([]);
});
