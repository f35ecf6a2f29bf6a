import { expect, test } from 'vitest';
import { toExcerpt, truncate } from '~/app/features/site/public/excerpt';

test('an excerpt is one line, cut at a word boundary', () => {
  expect(toExcerpt('<p>Él &amp; ella</p><p>otra vez</p>', 100)).toBe('Él & ella otra vez');
  expect(toExcerpt('<p>in <b>bo</b>ld<br>or <i>not</i>.</p><blockquote>x</blockquote>', 100)).toBe('in bold or not. x');
  expect(toExcerpt('<p>one two three</p>', 9)).toBe('one two…');
  expect(toExcerpt('<a href="x">long</a> <b', 100)).toBe('long');
  expect(truncate('a <3 b\n\nc', 100)).toBe('a <3 b c');
  expect(truncate('abcdefghij', 4)).toBe('abcd…');
});
