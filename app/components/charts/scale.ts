/** The geometry that all charts share: pure, so that the server, the browser and a PDF draw the same. */

/** Wide charts have room for twice as many labels as those on phones. */
const MOST_LABELS = 8;
const MOST_ON_PHONES = 4;

/** Round whole numbers from 0 to at least the largest value, in at most `steps` steps. */
export function niceTicks(largest: number, steps = 4): number[] {
  const rough = Math.max(1, largest / steps);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= rough && size % 1 === 0);
  const size = step ?? 10 * power;
  return Array.from({ length: Math.max(1, Math.ceil(largest / size)) + 1 }, (_, i) => i * size);
}

/** The labels of an axis that fit beside each other. Those with `isOnPhones` also fit on a narrow screen. */
export function fittingLabels(count: number): { index: number; isOnPhones: boolean }[] {
  const step = Math.max(1, Math.ceil(count / MOST_LABELS));
  const shown = Array.from({ length: Math.ceil(count / step) }, (_, i) => i * step);
  const phoneStep = Math.ceil(shown.length / MOST_ON_PHONES);
  return shown.map((index, i) => ({ index, isOnPhones: i % phoneStep === 0 }));
}

/** The middle of a column, in percent of the chart's width. */
export const middleOf = (index: number, count: number): number => round(((index + 0.5) / count) * 100);

/** Keeps a text near an edge inside the chart. @param at percent of the width */
export function anchorAt(at: number): 'start' | 'middle' | 'end' {
  if (at < 20) return 'start';
  return at > 80 ? 'end' : 'middle';
}

/** `columns`: by default, one for each value. */
type Box = { width: number; height: number; columns?: number };

/** A point in the middle of each column, as SVG writes them. `top` is the value at the upper edge. */
export function pointsOf(values: readonly number[], top: number, { width, height, columns }: Box): string[] {
  const step = width / (columns ?? values.length);
  return values.map((value, i) => `${round((i + 0.5) * step)} ${heightOf(value, top, height)}`);
}

export const pathOf = (points: readonly string[]): string => (points.length === 0 ? '' : `M${points.join('L')}`);

/** A line with gaps where there are no values; a value between two gaps is a dot. */
export function gappedPath(values: readonly (number | null)[], top: number, box: Box): string {
  const points = pointsOf(
    values.map((value) => value ?? 0),
    top,
    box,
  );
  return points
    .map((point, i) => {
      if (values[i] === null) return '';
      if (i > 0 && values[i - 1] !== null) return `L${point}`;
      return `M${point}${(values[i + 1] ?? null) === null ? 'h0' : ''}`;
    })
    .join('');
}

/** The area between two lines; without a lower one, down to the axis. */
export function areaPath(upper: readonly number[], top: number, box: Box, lower?: readonly number[]): string {
  if (upper.length === 0) return '';
  const floor = pointsOf(lower ?? upper.map(() => 0), top, box).reverse();
  return `${pathOf([...pointsOf(upper, top, box), ...floor])}Z`;
}

/** The distance of a value from the upper edge. */
export const heightOf = (value: number, top: number, height: number): number =>
  round(height - (top === 0 ? 0 : value / top) * height);

/** The first value of each shade, from the lightest: they grow by the same factor, because a few places have most plays. */
export function shadesOf(largest: number, shades = 5): number[] {
  if (largest <= 0) return [];
  const starts = Array.from({ length: shades }, (_, i) => roundedUp(largest ** (i / shades)));
  return [...new Set(starts)].filter((start) => start <= largest);
}

/** The first value of each shade, in equal steps, for values of one size. */
export function evenShadesOf(largest: number, shades = 5): number[] {
  const starts = Array.from({ length: shades }, (_, i) => Math.floor((largest * i) / shades) + 1);
  return [...new Set(starts)].filter((start) => start <= largest);
}

/** 1 is the lightest shade; 0 means nothing. */
export const shadeOf = (value: number, starts: readonly number[]): number =>
  starts.filter((start) => value >= start).length;

/**
 * Cuts a text by the letters that readers see, so that no emoji loses a part, and counts wide ones twice.
 * @param columns the width in Latin letters
 */
export function shorten(text: string, columns: number): string {
  const letters = [...SEGMENTER.segment(text)].map(({ segment }) => segment);
  let used = 0;
  const end = letters.findIndex((letter) => {
    used += WIDE.test(letter) ? 2 : 1;
    return used > columns;
  });
  if (end === -1) return text;
  // the ellipsis takes the place of the last letter
  return `${letters
    .slice(0, Math.max(1, end - 1))
    .join('')
    .trimEnd()}…`;
}

const SEGMENTER = new Intl.Segmenter();
const WIDE = /[\p{Extended_Pictographic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Two significant digits are enough for a legend: 1,234 → 1,300. */
function roundedUp(value: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1);
  return Math.ceil(round(value / unit)) * unit;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
