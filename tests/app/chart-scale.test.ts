import { expect, test } from 'vitest';
import {
  anchorAt,
  areaPath,
  evenShadesOf,
  fittingLabels,
  middleOf,
  niceTicks,
  pathOf,
  pointsOf,
  shadeOf,
  shadesOf,
  shorten,
} from '~/app/components/charts/scale';

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [4, [0, 1, 2, 3, 4]],
  [5, [0, 2, 4, 6]],
  [9, [0, 5, 10]],
  [30, [0, 10, 20, 30]],
  [95, [0, 25, 50, 75, 100]],
  [1234, [0, 500, 1000, 1500]],
  [100_000_000, [0, 25_000_000, 50_000_000, 75_000_000, 100_000_000]],
])('an axis up to %d has round whole numbers', (largest, ticks) => {
  expect(niceTicks(largest)).toEqual(ticks);
});

test.each([1, 2, 7, 8, 9, 30, 31, 53, 90, 366])('%d columns have labels that fit', (count) => {
  const labels = fittingLabels(count);
  const onPhones = labels.filter(({ isOnPhones }) => isOnPhones);

  expect(labels[0]).toEqual({ index: 0, isOnPhones: true });
  expect(labels.length).toBeLessThanOrEqual(8);
  expect(labels.length).toBeGreaterThanOrEqual(Math.min(count, 4));
  expect(onPhones.length).toBeLessThanOrEqual(4);
  expect(onPhones.length).toBeGreaterThanOrEqual(Math.min(count, 2));
  // one distance between all of them
  expect(new Set(labels.slice(1).map(({ index }, i) => index - labels[i]!.index)).size).toBeLessThanOrEqual(1);
});

test('texts near an edge stay inside the chart', () => {
  expect([0, 19, 20, 50, 80, 81, 100].map(anchorAt)).toEqual([
    'start',
    'start',
    'middle',
    'middle',
    'middle',
    'end',
    'end',
  ]);
});

const BOX = { width: 100, height: 10 };

test('a line goes through the middle of its columns, and higher values are nearer to the top', () => {
  expect([0, 1].map((index) => middleOf(index, 2))).toEqual([25, 75]);
  expect(pointsOf([0, 4], 4, BOX)).toEqual(['25 10', '75 0']);
  expect(pointsOf([2], 4, BOX)).toEqual(['50 5']);
  // a line that has not reached the end
  expect(pointsOf([2], 4, { ...BOX, columns: 4 })).toEqual(['12.5 5']);
  expect(pathOf(['25 10', '75 0'])).toBe('M25 10L75 0');
  expect(pathOf([])).toBe('');
});

test('an area closes along the axis or along the lower line', () => {
  expect(areaPath([0, 4], 4, BOX)).toBe('M25 10L75 0L75 10L25 10Z');
  expect(areaPath([2, 4], 4, BOX, [1, 2])).toBe('M25 5L75 0L75 5L25 7.5Z');
  expect(areaPath([], 4, BOX)).toBe('');
});

test.each([
  [0, []],
  [1, [1]],
  [3, [1, 2, 3]],
  [30, [1, 2, 4, 8, 16]],
  [100_000, [1, 10, 100, 1000, 10_000]],
])('shades up to %d', (largest, starts) => {
  expect(shadesOf(largest)).toEqual(starts);
  expect(shadeOf(largest, starts)).toBe(starts.length);
  expect(shadeOf(0, starts)).toBe(0);
});

test.each([
  [0, []],
  [1, [1]],
  [3, [1, 2, 3]],
  [30, [1, 7, 13, 19, 25]],
])('equal shades up to %d', (largest, starts) => {
  expect(evenShadesOf(largest)).toEqual(starts);
});

test.each([
  ['short', 10, 'short'],
  ['exactly ten', 11, 'exactly ten'],
  ['a name that is too long', 10, 'a name th…'],
  ['family 👨‍👩‍👧‍👦 talks', 9, 'family…'],
  ['family 👨‍👩‍👧‍👦 talks', 10, 'family 👨‍👩‍👧‍👦…'],
  ['ポッドキャスト', 8, 'ポッド…'],
  ['👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 3, '👨‍👩‍👧‍👦…'],
  ['مقهى المدينة القديمة', 8, 'مقهى ال…'],
])('%s in %d columns', (text, columns, expected) => {
  expect(shorten(text, columns)).toBe(expected);
});
