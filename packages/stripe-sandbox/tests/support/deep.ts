/** DEEP=1 runs the same tests with larger samples: DEEP_TIMES as large, DEEP_SEED repeats them. */
export const isDeep = process.env.DEEP === '1';
export const deepTimes = Number(process.env.DEEP_TIMES ?? 1);
export const deepSeed = () => Number(process.env.DEEP_SEED ?? 20_260_302);
