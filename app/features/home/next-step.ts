import type { KindName } from '~/server/domain/products/kinds';

export type Step = 'verify' | 'claim' | 'product' | 'episode' | 'share';

type Progress = {
  isEmailVerified: boolean;
  hasPage: boolean;
  products: { id: number; kind: KindName; episodesCount: number }[];
  /** Listens and downloads of the last 30 days. */
  plays: number;
};

/** The steps of beginning, in their order. */
export const STEPS: readonly Step[] = ['verify', 'claim', 'product', 'episode', 'share'];

/** The one thing that brings a creator forward now; null when all of it is behind them. */
export function nextStep({ isEmailVerified, hasPage, products, plays }: Progress): Step | null {
  if (!isEmailVerified) return 'verify';
  if (!hasPage) return 'claim';
  if (products.length === 0) return 'product';
  if (products.every(({ episodesCount }) => episodesCount === 0)) return 'episode';
  return plays === 0 ? 'share' : null;
}

/** How plays compare with the time before, in whole percent; null where there is nothing to compare with. */
export function percentChange(now: number, before: number): number | null {
  return before === 0 ? null : Math.round(((now - before) / before) * 100);
}
