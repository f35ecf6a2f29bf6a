import { performance } from 'node:perf_hooks';
import v8 from 'node:v8';
import { runInNewContext } from 'node:vm';
import { SECONDS } from '../base/time';

/**
 * In percent of the memory that survived the last collection. V8's own limit grows to 300 on a machine with much
 * memory.
 */
const GROWTH_PERCENT = 80;

/** Lets the old generation grow less between collections (decision 0141). A Node.js without this flag ignores it. */
export function limitHeapGrowth(): void {
  v8.setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}

/** V8 makes the young generation smaller only if little was allocated in the last seconds. */
const AFTER_START = SECONDS(15);
/** The share of time in which a process works that has visitors. */
const BUSY = 0.2;

/**
 * Collects the garbage of the start once. Reading and compiling the code leaves 30 MB, which V8 frees only after as much
 * new garbage, hours later on a quiet site. A collection pauses the process for a tenth of a second, so a busy process
 * does without it: V8 collects there soon anyway.
 */
export function collectStart(afterMs: number = AFTER_START): void {
  const before = performance.eventLoopUtilization();
  setTimeout(() => {
    if (performance.eventLoopUtilization(before).utilization > BUSY) return;
    v8.setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    v8.setFlagsFromString('--no-expose-gc');
    collect();
  }, afterMs).unref();
}
