import { expect, test } from 'vitest';
import { toExcerpt, truncate } from '~/app/features/site/public/excerpt';

test('an excerpt ends before a list, but is not empty because of one', () => {
  expect(toExcerpt('<p>Before the city wakes.</p><ul><li>0:24 Up the hill</li></ul>', 100)).toBe(
    'Before the city wakes.',
  );
  expect(toExcerpt('<p>Intro<br>0:24 Up the hill<br>1:01 Last stop</p>', 100)).toBe('Intro');
  expect(toExcerpt('<p>At 10:30 we left.</p>', 100)).toBe('At 10:30 we left.');
  expect(toExcerpt('<ul><li>one</li><li>two</li></ul>', 100)).toBe('one two');
});

test('an excerpt is one line, cut at a word boundary', () => {
  expect(toExcerpt('<p>Él &amp; ella</p><p>otra vez</p>', 100)).toBe('Él & ella otra vez');
  expect(toExcerpt('<p>in <b>bo</b>ld<br>or <i>not</i>.</p><blockquote>x</blockquote>', 100)).toBe('in bold or not. x');
  expect(toExcerpt('<p>one two three</p>', 9)).toBe('one two…');
  expect(toExcerpt('<a href="x">long</a> <b', 100)).toBe('long');
  expect(truncate('a <3 b\n\nc', 100)).toBe('a <3 b c');
  expect(truncate('abcdefghij', 4)).toBe('abcd…');
});
