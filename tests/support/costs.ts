/** About 10 ms on a machine of 2026. */
const REFERENCE_STEPS = 10_000_000;
const ROUNDS = 3;

let unit: number | undefined;

/**
 * For deep tests: counts the CPU time of this process in units of a reference loop, which it has run itself. Unlike
 * seconds, the result hardly depends on the machine's speed or on other processes.
 */
export function startMeter(): () => number {
  unit ??= Math.min(...Array.from({ length: ROUNDS }, () => spentOn(referenceLoop)));
  const perUnit = unit;
  const began = process.cpuUsage();
  return () => spentSince(began) / perUnit;
}

/** The cost of this work in units of the reference loop: the minimum of some rounds, the first of which compiles it. */
export async function cpuCost(work: () => unknown): Promise<number> {
  const costs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const cost = startMeter();
    await work();
    costs.push(cost());
  }
  return Math.min(...costs);
}

/** For deep tests, each of which has its own process. */
export function usedMegabytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
}

function spentOn(work: () => void): number {
  const began = process.cpuUsage();
  work();
  return spentSince(began);
}

function spentSince(began: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began);
  return user + system;
}

/** Mixes numbers in a way that no compiler can leave out. */
function referenceLoop(): void {
  let mixed = 1;
  for (let step = 0; step < REFERENCE_STEPS; step += 1) mixed = Math.imul(mixed ^ step, 0x01000193);
  if (mixed === 0) throw new Error('the mixed number is never 0');
}
