import { expect, test } from 'vitest';
import { compareFigures, figuresToKeep, isWorse } from '~/benchmarks/guard-rules';

const figure = { label: 'page', ratio: 2, tolerance: 0.1 };
const compare = (further: object, kept: Record<string, number> = { page: 2 }) =>
  compareFigures([{ ...figure, ...further }], kept)[0]!;

test.each([
  ['the same', { ratio: 2 }, 'OK', false],
  ['slower within the tolerance', { ratio: 2.19 }, 'OK', false],
  ['slower beyond it', { ratio: 2.21 }, 'SLOWER', true],
  ['faster within it', { ratio: 1.82 }, 'OK', false],
  ['faster beyond it', { ratio: 1.81 }, 'faster', false],
  ['a wider tolerance', { ratio: 2.9, tolerance: 0.5 }, 'OK', false],
  ['requests that failed', { ratio: 1, failed: 1 }, 'FAILED', true],
  ['no ratio at all', { ratio: Number.NaN }, 'FAILED', true],
])('%s', (_, further, outcome, worse) => {
  const row = compare(further);

  expect(row.outcome).toBe(outcome);
  expect(isWorse(row)).toBe(worse);
});

test('a row has both ratios and the change between them', () => {
  const row = compare({ ratio: 2.5 });

  expect(row).toEqual({ label: 'page', kept: 2, now: 2.5, change: 0.25, outcome: 'SLOWER' });
});

test('rows that are new or no longer measured are shown and change no result', () => {
  const rows = compareFigures([figure], { feed: 1 });

  expect(rows).toEqual([
    { label: 'page', kept: null, now: 2, change: null, outcome: 'new' },
    { label: 'feed', kept: 1, now: null, change: null, outcome: 'not measured' },
  ]);
  expect(rows.some(isWorse)).toBe(false);
});

test('figures are kept with three digits, and never those of a row that failed', () => {
  expect(figuresToKeep([{ ...figure, ratio: 123.456 }])).toEqual({ page: 123 });
  expect(() => figuresToKeep([{ ...figure, failed: 1 }])).toThrow('not kept: page failed');
});
