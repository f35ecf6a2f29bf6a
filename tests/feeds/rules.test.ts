import { expect, test } from 'vitest';
import { htmlOfText, isLengthKnown } from '~/server/domain/feeds/rules';

test.each([
  ['Una línea.', '<p>Una línea.</p>'],
  ['Uno\ndos\r\n\r\ntres', '<p>Uno<br>dos</p><p>tres</p>'],
  ['Q&A <3 > 2', '<p>Q&amp;A &lt;3 &gt; 2</p>'],
  ['  \n\n ', ''],
])('%j becomes %s', (text, html) => {
  expect(htmlOfText(text)).toBe(html);
});

test.each([
  [1, true],
  [2 ** 40, true],
  [0, false],
  [-1, false],
  [1.5, false],
  [Number.NaN, false],
  [Number.POSITIVE_INFINITY, false],
])('%d bytes is a length that a feed may promise: %s', (bytes, known) => {
  expect(isLengthKnown({ audio: { url: 'https://a.example/1.mp3', bytes } })).toBe(known);
});
