import { percentOf, splitByWeight } from '../money/proportions';

export type Reduction = { id: string; percent: number | null; amount: number | null };

/**
 * The discount of each line by each reduction. Percentages apply per line, flat amounts across all lines by weight;
 * reductions apply in order, and never below zero. Rows are lines, columns are reductions.
 */
export function discountLines(amounts: number[], reductions: Reduction[]): number[][] {
  const left = [...amounts];
  const taken = amounts.map(() => [] as number[]);
  for (const { percent, amount } of reductions) {
    const base = left.map((value) => Math.max(0, value));
    const total = base.reduce((all, value) => all + value, 0);
    const off =
      percent !== null
        ? base.map((value) => percentOf(value, percent))
        : splitByWeight(Math.min(amount ?? 0, total), base);
    off.forEach((value, i) => {
      left[i] = (left[i] ?? 0) - value;
      taken[i]?.push(value);
    });
  }
  return taken;
}
