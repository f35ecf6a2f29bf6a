import v8 from 'node:v8';
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
/** V8 begins a collection when 64 MiB outside of its heap were allocated since the last one. */
const TRIGGER_BYTES = 65 * 1024 * 1024;

/**
 * Collects the garbage of the start once. Reading and compiling the code leaves 30 MB, which V8 frees only after as much
 * new garbage, hours later on a quiet site. `gc()` would stop the process until all of it is collected; this lets V8 mark
 * in small steps and on another thread, as it does when memory is short (docs/decisions/0294).
 */
export function collectStart(afterMs: number = AFTER_START): void {
  // never written to, so the system gives it no memory
  setTimeout(() => new ArrayBuffer(TRIGGER_BYTES), afterMs).unref();
}
