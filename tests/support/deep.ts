import { seededInts } from './seeded-ints';

/** Full proofs run under `npm run test:deep`; otherwise the same tests run smaller samples. */
export const isDeep = process.env.DEEP === '1';

/**
 * A full proof should take seconds: with a new seed each time, many small proofs are as good as a large one. With
 * DEEP_TIMES=10, the largest samples are ten times larger.
 */
export const deepTimes = Number(process.env.DEEP_TIMES ?? 1);

/** The number of points at which an everyday run kills the process. */
const EVERYDAY_POINTS = 5;
const FIXED_SEED = 20_260_302;
let seed: number | undefined;

/** The seed: always the same in a normal run, new in every deep run. DEEP_SEED repeats a deep run. */
export function deepSeed(): number {
  seed ??= chooseSeed();
  return seed;
}

/** The points from 1 to `count`. In everyday runs, the seed chooses a few of them. */
export function pointsUpTo(count: number): number[] {
  const points = Array.from({ length: count }, (_, i) => i + 1);
  return isDeep ? points : sampleBySeed(points, EVERYDAY_POINTS);
}

/** `count` of the rows, in their order, chosen by the seed. */
export function sampleBySeed<Row>(rows: readonly Row[], count: number): Row[] {
  const below = seededInts(deepSeed());
  const sample = [...rows];
  while (sample.length > count) sample.splice(below(sample.length), 1);
  return sample;
}

function chooseSeed(): number {
  if (process.env.DEEP_SEED) return Number(process.env.DEEP_SEED);
  if (!isDeep) return FIXED_SEED;
  const fresh = Math.floor(Math.random() * 2 ** 31);
  console.log(`DEEP_SEED=${fresh} repeats this run`);
  return fresh;
}
