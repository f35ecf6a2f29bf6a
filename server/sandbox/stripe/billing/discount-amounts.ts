import { percentOf, split } from '../money/proportions';

export type Reduction = { id: string; percent: number | null; amount: number | null };

/**
 * What each reduction takes off each line: percentages line by line, flat amounts over all lines by their weight,
 * one after the other, and never below nothing. Rows are lines, columns reductions.
 */
export function discountLines(amounts: number[], reductions: Reduction[]): number[][] {
  const left = [...amounts];
  const taken = amounts.map(() => [] as number[]);
  for (const { percent, amount } of reductions) {
    const base = left.map((value) => Math.max(0, value));
    const total = base.reduce((all, value) => all + value, 0);
    const off =
      percent !== null ? base.map((value) => percentOf(value, percent)) : split(Math.min(amount ?? 0, total), base);
    off.forEach((value, i) => {
      left[i] = (left[i] ?? 0) - value;
      taken[i]?.push(value);
    });
  }
  return taken;
}
