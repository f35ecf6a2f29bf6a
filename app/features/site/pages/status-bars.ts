import type { StatusDay } from '~/server/domain/status/rules';

/** In units of the drawing: a day's step and its bar, the height, the space below failed checks, and the smallest part. */
export const BARS = { step: 4, width: 3, height: 32, split: 2, least: 6 } as const;

/**
 * Paths of the bars of all days: passed checks at the bottom, failed ones above them after a space, and nothing where
 * there is no data. Every part of a day that exists can be seen.
 */
export function barsOf(days: readonly StatusDay[]): { passed: string; failed: string; width: number } {
  const bars = days.map(barOf);
  const path = (name: 'passed' | 'failed') => bars.map((bar) => bar[name]).join('');
  return { passed: path('passed'), failed: path('failed'), width: days.length * BARS.step };
}

function barOf({ passed, failed, missed }: StatusDay, at: number) {
  const { step, width, height, split, least } = BARS;
  const all = passed + failed + missed;
  if (all === 0) return { passed: '', failed: '' };
  const empty = missed === 0 ? 0 : Math.min(height, Math.max(least, (height * missed) / all));
  const full = passed + failed === 0 ? 0 : Math.max(height - empty, least);
  const red = failed === 0 ? 0 : passed === 0 ? full : Math.max(least, (full * failed) / (passed + failed));
  const green = passed === 0 ? 0 : Math.max(least, full - red - (red > 0 ? split : 0));
  const bar = (from: number, tall: number) =>
    tall === 0 ? '' : `M${at * step} ${round(height - from)}h${width}v${-round(tall)}h${-width}z`;
  return { passed: bar(0, green), failed: bar(green === 0 ? 0 : green + split, red) };
}

const round = (value: number) => Math.round(value * 10) / 10;
