import { execFile } from 'node:child_process';
import { constants } from 'node:perf_hooks';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** Prints the collections up to the first one for memory outside of the heap. */
const SCRIPT = `
  import { constants, PerformanceObserver } from 'node:perf_hooks';
  import { collectStart } from './server/watching/heap-growth';
  const seen = [];
  const alive = setInterval(() => {}, 1000);
  const isLast = ({ kind, flags }) =>
    kind === constants.NODE_PERFORMANCE_GC_MAJOR && (flags & constants.NODE_PERFORMANCE_GC_FLAGS_ALL_EXTERNAL_MEMORY) !== 0;
  const observer = new PerformanceObserver((list) => {
    seen.push(...list.getEntries().map(({ detail }) => detail));
    if (!seen.some(isLast)) return;
    observer.disconnect();
    clearInterval(alive);
    console.log(JSON.stringify(seen));
  });
  observer.observe({ entryTypes: ['gc'] });
  collectStart(0);
`;

type Collection = { kind: number; flags: number };

test('the garbage of the start is collected in steps, and not at once', async () => {
  // a process of its own: V8 may already be collecting in one that other tests share
  const args = ['--import', 'tsx', '--input-type=module', '-e', SCRIPT];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const seen: Collection[] = JSON.parse(stdout);

  expect(seen.some(({ kind }) => kind === constants.NODE_PERFORMANCE_GC_INCREMENTAL)).toBe(true);
  expect(seen.filter(({ flags }) => (flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) !== 0)).toEqual([]);
});
