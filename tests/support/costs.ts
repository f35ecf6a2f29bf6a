/** About 10 ms on a machine of 2026. */
const REFERENCE_STEPS = 10_000_000;
const ROUNDS = 3;

let unit: number | undefined;

/**
 * For deep tests. Starts to count the CPU time of this process in units of a reference loop that it has run itself:
 * neither the machine's speed nor other processes change the result much, as they change seconds.
 */
export function startMeter(): () => number {
  unit ??= Math.min(...Array.from({ length: ROUNDS }, () => spentOn(referenceLoop)));
  const perUnit = unit;
  const began = process.cpuUsage();
  return () => spentSince(began) / perUnit;
}

/** What this work costs in units of the reference loop: the least of some rounds, the first of which compiles it. */
export async function cpuCost(work: () => unknown): Promise<number> {
  const costs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const cost = startMeter();
    await work();
    costs.push(cost());
  }
  return Math.min(...costs);
}

/** For deep tests, which have a process each. */
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

/** Mixes numbers, which no compiler can leave out. */
function referenceLoop(): void {
  let mixed = 1;
  for (let step = 0; step < REFERENCE_STEPS; step += 1) mixed = Math.imul(mixed ^ step, 0x01000193);
  if (mixed === 0) throw new Error('the mixed number is never 0');
}
