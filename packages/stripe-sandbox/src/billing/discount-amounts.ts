import { percentOf, splitByWeight } from '../money/proportions';

export type Reduction = {
  id: string;
  percent: number | null;
  amount: number | null;
  /** Periods that start later are not reduced. */
  end?: number | null;
};

/** Whether a reduction applies to a period that starts at a moment. */
export const covers = ({ end }: Reduction, start: number): boolean => end === null || end === undefined || end > start;

/**
 * The discount of each line by each reduction. Percentages apply per line, flat amounts across all lines by weight;
 * reductions apply in order, and never below zero. Rows are lines, columns are reductions.
 * @param starts when the lines' periods start; without them, every reduction applies to every line
 */
export function discountLines(amounts: number[], reductions: Reduction[], starts: number[] = []): number[][] {
  const left = [...amounts];
  const taken = amounts.map(() => [] as number[]);
  for (const reduction of reductions) {
    const { percent, amount } = reduction;
    const base = left.map((value, i) => (covers(reduction, starts[i] ?? 0) ? Math.max(0, value) : 0));
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
