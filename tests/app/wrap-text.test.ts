import { expect, test } from 'vitest';
import { fitText, isRightToLeft, wrapText } from '~/app/features/studio/soundbites/wrap-text';

/** Every code unit is one wide. */
const wrap = (text: string, width: number, lines: number) =>
  wrapText({ text, width, lines, measure: (part) => part.length });

test.each([
  ['fits', 'one two', 10, 2, ['one two']],
  ['takes two lines', 'one two three', 8, 2, ['one two', 'three']],
  ['is too long', 'one two three four', 8, 2, ['one two', 'three…']],
  ['is too long for one line', 'one two three', 8, 1, ['one two…']],
  ['would be cut within a word', 'one two three', 10, 1, ['one two…']],
  ['has a word wider than a line', 'abcdefghij k', 4, 4, ['abcd', 'efgh', 'ij k']],
  ['has emoji, which stay whole', '👩‍👩‍👧👩‍👩‍👧', 9, 2, ['👩‍👩‍👧', '👩‍👩‍👧']],
  ['is empty', '  ', 9, 2, []],
])('a text that %s', (_, text, width, lines, expected) => {
  expect(wrap(text, width, lines)).toEqual(expected);
});

test.each([
  ['fits', 'one two three', { size: 8, lines: ['one two', 'three'] }],
  ['fits when it is smaller', 'one two three four five', { size: 4, lines: ['one two three four', 'five'] }],
  [
    'never fits',
    'w'.repeat(90),
    { size: 4, lines: ['w'.repeat(20), 'w'.repeat(20), 'w'.repeat(20), `${'w'.repeat(19)}…`] },
  ],
])('a text that %s has this size', (_, text, expected) => {
  const measure = (part: string, size: number) => (part.length * size) / 8;

  expect(fitText({ text, width: 10, height: 20, sizes: [8, 4], measure })).toEqual(expected);
});

test.each([
  ['«مرحبا» hello', true],
  ['שלום', true],
  ['hello مرحبا', false],
  ['123', false],
])('whether %o runs from right to left: %o', (text, expected) => {
  expect(isRightToLeft(text)).toBe(expected);
});
