import { expect, test } from 'vitest';
import { cutHtml } from '~/server/feed/cut-html';

const words = 'one word after another '.repeat(1000);

test.each([
  ['what fits stays as it is', '<p>a</p>', 100, '<p>a</p>'],
  ['what is open is closed, in its order', `<ul><li><b>a</b>${words}`, 230, '<ul><li><b>a</b>one word after</li></ul>'],
  ['a tag is kept completely or removed', `<p>a</p><a href="${words}">b</a>`, 230, '<p>a</p>'],
  ['so is one that has only begun', `${'x'.repeat(29)}<${'br>'.repeat(300)}`, 230, 'x'.repeat(29)],
  ['an entity too', `${'x'.repeat(27)}&amp;${words}`, 230, 'x'.repeat(27)],
  ['a character too', '😀'.repeat(100), 230, '😀'.repeat(7)],
  ['tags are the same in either case', `<B>a</b>${words}`, 230, '<B>a</b>one word after another'],
  ['elements without an end have none', `<br><img src="a"/>${words}`, 230, '<br><img src="a"/>one word aft'],
  ['an end without a beginning closes nothing', `<i>a</b>${words}`, 230, '<i>a</b>one word after another</i>'],
])('cutting HTML: %s', (_, value, bytes, cut) => {
  expect(cutHtml(value, bytes)).toBe(cut);
});

test('a less-than sign is not a tag, so the text after it stays', () => {
  const cut = cutHtml(`<p>Hi</p> I <3 podcasts, 2 < 3. ${words}`, 10_000);

  expect(cut.length).toBeGreaterThan(9700);
  expect(cut.startsWith('<p>Hi</p> I <3 podcasts, 2 < 3. one word')).toBe(true);
});

test('any number of open elements is closed within the limit', () => {
  const open = '<strong>'.repeat(60);
  const cut = cutHtml(open + words, 4000);
  const onlyTags = cutHtml('<strong>'.repeat(10_000), 4000);

  expect(cut.startsWith(open)).toBe(true);
  expect(cut.match(/<\/strong>/g)).toHaveLength(60);
  expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(4000);
  expect(onlyTags.match(/<\/strong>/g)?.length).toBe(onlyTags.match(/<strong>/g)?.length);
  expect(Buffer.byteLength(onlyTags)).toBeLessThanOrEqual(4000);
});

test.each([
  ['a tag that never ends', `<${'a'.repeat(90_000)}<b>${words}`],
  ['a tag of blanks', `<a${' '.repeat(90_000)}<b>${words}`],
  ['signs for less', '<'.repeat(120_000)],
  ['ever more that is open, and ends of something else', `${'<b>'.repeat(12_000)}${'</i>'.repeat(16_000)}${words}`],
])('%s is cut within the limit', (_, value) => {
  expect(Buffer.byteLength(cutHtml(value, 100_000))).toBeLessThanOrEqual(100_000);
});
