import { expect, test } from 'vitest';
import { excerptOf, shortened } from '~/app/features/public/excerpt';

test('an excerpt is one line of words, cut between two of them', () => {
  expect(excerptOf('<p>Él &amp; ella</p><p>otra vez</p>', 100)).toBe('Él & ella otra vez');
  expect(excerptOf('<p>one two three</p>', 9)).toBe('one two…');
  expect(excerptOf('<a href="x">long</a> <b', 100)).toBe('long');
  expect(shortened('a <3 b\n\nc', 100)).toBe('a <3 b c');
  expect(shortened('abcdefghij', 4)).toBe('abcd…');
});
