import type { KindName } from '~/server/domain/products/kinds';

export type Step = 'verify' | 'claim' | 'product' | 'episode' | 'share';

type Progress = {
  isEmailVerified: boolean;
  hasPage: boolean;
  products: { id: number; kind: KindName; allEpisodesCount: number }[];
  /** Listens and downloads of the last 30 days. */
  plays: number;
};

/** The steps of getting started, in order. */
export const STEPS: readonly Step[] = ['verify', 'claim', 'product', 'episode', 'share'];

/** The creator's next step; null when all are done. */
export function nextStep({ isEmailVerified, hasPage, products, plays }: Progress): Step | null {
  if (!isEmailVerified) return 'verify';
  if (!hasPage) return 'claim';
  if (products.length === 0) return 'product';
  if (products.every(({ allEpisodesCount }) => allEpisodesCount === 0)) return 'episode';
  return plays === 0 ? 'share' : null;
}

/** The change in whole percent; null if there were no plays before. */
export function percentChange(now: number, before: number): number | null {
  return before === 0 ? null : Math.round(((now - before) / before) * 100);
}
