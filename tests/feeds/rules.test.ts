import { expect, test } from 'vitest';
import { htmlOfText } from '~/server/domain/feeds/rules';

test.each([
  ['Una línea.', '<p>Una línea.</p>'],
  ['Uno\ndos\r\n\r\ntres', '<p>Uno<br>dos</p><p>tres</p>'],
  ['Q&A <3 > 2', '<p>Q&amp;A &lt;3 &gt; 2</p>'],
  ['  \n\n ', ''],
])('%j becomes %s', (text, html) => {
  expect(htmlOfText(text)).toBe(html);
});
