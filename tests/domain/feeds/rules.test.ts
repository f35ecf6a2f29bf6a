import { expect, test } from 'vitest';
import { toHtmlParagraphs } from '~/server/domain/feeds/rules';

test.each([
  ['Una línea.', '<p>Una línea.</p>'],
  ['Uno\ndos\r\n\r\ntres', '<p>Uno<br>dos</p><p>tres</p>'],
  ['Q&A <3 > 2', '<p>Q&amp;A &lt;3 &gt; 2</p>'],
  ['  \n\n ', ''],
])('%j becomes %s', (text, html) => {
  expect(toHtmlParagraphs(text)).toBe(html);
});
