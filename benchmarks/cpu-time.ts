import { median } from './table';

const ROUNDS = 5;
/** Rounds before the measurement starts. */
const WARM_UP_ROUNDS = 2;

/** Median and best of the rounds, in milliseconds, and the largest growth of the heap in bytes. */
export type CpuTime = { ms: number; best: number; heap: number };

/** CPU time in milliseconds, so load from other processes does not count. */
export async function measureCpu(work: () => unknown, rounds = ROUNDS): Promise<CpuTime> {
  const times: number[] = [];
  let heap = 0;
  for (let round = 0; round < WARM_UP_ROUNDS; round++) await work();
  for (let round = 0; round < rounds; round++) {
    globalThis.gc?.();
    const before = process.memoryUsage().heapUsed;
    const cpuBefore = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(cpuBefore);
    times.push((user + system) / 1000);
    heap = Math.max(heap, process.memoryUsage().heapUsed - before);
  }
  return { ms: median(times), best: Math.min(...times), heap };
}
