import { type BenchmarkRow, judge, kilobytes, median, milliseconds } from './table';

const GOAL = { lcpMs: 1000, tbtMs: 0, cls: 0 };
const SHIFT_DIGITS = 3;

/** `shifted`: elements that a layout shift moved. `bytes` by type of resource. */
export type Visit = { lcp: number; tbt: number; cls: number; shifted: string[]; bytes: Record<string, number> };

/** The rows of one page, from several visits. */
export function pageRows(name: string, visits: Visit[]): BenchmarkRow[] {
  const middle = (figure: (visit: Visit) => number) => median(visits.map(figure));
  const [lcp, tbt, cls] = [middle((one) => one.lcp), middle((one) => one.tbt), middle((one) => one.cls)];
  const types = [...new Set(visits.flatMap(({ bytes }) => Object.keys(bytes)))].sort();
  const bytes = types.map((type) => `${type} ${kilobytes(middle((one) => one.bytes[type] ?? 0))}`).join(', ');
  const shifted = [...new Set(visits.flatMap((one) => one.shifted))].sort();
  const spread = visits.map((one) => Math.round(one.lcp)).sort((a, b) => a - b);
  return [
    {
      label: `${name}: largest contentful paint`,
      figure: milliseconds(lcp),
      details: `${spread[0]} to ${spread.at(-1)} ms`,
      goal: `≤ ${milliseconds(GOAL.lcpMs)}`,
      ...judge(GOAL.lcpMs / lcp, { holds: false }),
    },
    {
      label: `${name}: total blocking time`,
      figure: milliseconds(tbt),
      details: bytes,
      goal: milliseconds(GOAL.tbtMs),
      met: tbt <= GOAL.tbtMs,
    },
    {
      label: `${name}: layout shift`,
      figure: cls.toFixed(SHIFT_DIGITS),
      details: shifted.length > 0 ? `moved: ${shifted.join(', ')}` : '',
      goal: String(GOAL.cls),
      // a shift that rounds to zero is a fraction of a pixel, when a font arrives
      met: Number(cls.toFixed(SHIFT_DIGITS)) <= GOAL.cls,
    },
  ];
}
