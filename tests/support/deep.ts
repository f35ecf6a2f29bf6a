/** Full proofs run under `npm run test:deep`; otherwise the same tests run smaller samples. */
export const isDeep = process.env.DEEP === '1';

const FIXED_SEED = 20_260_302;
let seed: number | undefined;

/** The same seed in every normal run; a fresh one in every deep run, which DEEP_SEED repeats. */
export function deepSeed(): number {
  seed ??= chooseSeed();
  return seed;
}

function chooseSeed(): number {
  if (process.env.DEEP_SEED) return Number(process.env.DEEP_SEED);
  if (!isDeep) return FIXED_SEED;
  const fresh = Math.floor(Math.random() * 2 ** 31);
  console.log(`DEEP_SEED=${fresh} repeats this run`);
  return fresh;
}
