import { expect, test } from 'vitest';
import {
  descriptionHtml,
  descriptionText,
  linkDescription,
  shownDescription,
} from '~/server/domain/episodes/description-html';

const link = (address: string) => `<a href="${address}" rel="nofollow noopener">${address}</a>`;

test.each([
  ['plain text becomes paragraphs', 'One\ntwo\n\nThree', '<p>One<br>two</p><p>Three</p>'],
  ['plain text is escaped', '1 < 2 & 3 > 2', '<p>1 &lt; 2 &amp; 3 &gt; 2</p>'],
  ['a script is removed', '<p>Hi</p><script>alert(1)</script>', '<p>Hi</p>'],
  ['event handlers are removed', '<p onclick="alert(1)">Hi</p><img src=x onerror=alert(1)>', '<p>Hi</p>'],
  ['a javascript: link loses its target', '<p><a href="javascript:alert(1)">x</a></p>', '<p><a>x</a></p>'],
  [
    'a relative link loses its target',
    '<p><a href="/logout">x</a> <a href="//e.example">y</a></p>',
    '<p><a>x</a> <a>y</a></p>',
  ],
  ['headings get two levels', '<h1>A</h1><h2>B</h2><h6>C</h6>', '<h3>A</h3><h3>B</h3><h4>C</h4>'],
  [
    'links get safe attributes',
    '<p><a href="https://a.example">x</a></p>',
    '<p><a href="https://a.example" rel="nofollow noopener">x</a></p>',
  ],
  [
    'web addresses become links',
    'See https://a.example/x?a=1&b=2, (www.b.example) or <https://c.example>.',
    `<p>See ${link('https://a.example/x?a=1&amp;b=2')}, (<a href="https://www.b.example" rel="nofollow noopener">www.b.example</a>) or &lt;${link('https://c.example')}&gt;.</p>`,
  ],
  ['addresses in HTML become links', '<p>https://a.example</p>', `<p>${link('https://a.example')}</p>`],
  [
    'an address inside a link stays its text',
    '<p><a href="https://a.example"><b>https://b.example</b></a></p>',
    '<p><a href="https://a.example" rel="nofollow noopener"><b>https://b.example</b></a></p>',
  ],
])('description: %s', async (_, input, html) => {
  const linked = linkDescription(await descriptionHtml(input));

  expect([linked, linkDescription(linked)]).toEqual([html, html]);
});

test('an address may end with an ampersand', async () => {
  const html = linkDescription(await descriptionHtml('https://a.example/?b=1& and www.c.example&.'));

  const second = '<a href="https://www.c.example" rel="nofollow noopener">www.c.example</a>';
  expect(html).toBe(`<p>${link('https://a.example/?b=1')}&amp; and ${second}&amp;.</p>`);
});

test('an address may have long runs of punctuation', () => {
  const address = `https://a.example/${'.'.repeat(1000)}b`;

  expect(linkDescription(`<p>${address}, ${address}...</p>`)).toBe(`<p>${link(address)}, ${link(address)}...</p>`);
});

test('the text of a description has no markup', async () => {
  expect(await descriptionText('<p>One<br>two</p><p>A &amp; B &lt;3</p>')).toBe('One two A & B <3');
});

const moment = (time: string, seconds: number) =>
  `<a href="https://a.example/e#listen=7&amp;at=${seconds}&amp;playing=1">${time}</a>`;

test.each([
  ['minutes and hours', 'At 12:31, 1:02:03.', `At ${moment('12:31', 751)}, ${moment('1:02:03', 3723)}.`],
  ['in brackets', '(00:00) Start', `(${moment('00:00', 0)}) Start`],
  ['more than an hour of minutes', '75:30 End', `${moment('75:30', 4530)} End`],
  ['after the end', '2:00:00 and 99:99', '2:00:00 and 99:99'],
  ['a time of day', 'Live at 10:30 am, 10:30 p.m. or 10:30h', 'Live at 10:30 am, 10:30 p.m. or 10:30h'],
  ['parts of other numbers', '1:2:3 1.12:31 12:31:5 1234:10', '1:2:3 1.12:31 12:31:5 1234:10'],
  [
    'in a link or code',
    '<a href="https://x">12:31</a> <code>12:31</code>',
    '<a href="https://x">12:31</a> <code>12:31</code>',
  ],
])('times in descriptions: %s', (_, description, html) => {
  const episode = { id: 7, description, durationMs: 7_000_000 };

  expect(shownDescription(episode, 'https://a.example/e')).toBe(html);
  expect(shownDescription({ ...episode, durationMs: null }, 'https://a.example/e')).toBe(description);
});

test('a description keeps its first 10,000 tags, and all of its words', async () => {
  const nested = await descriptionHtml(`<p>${'<b>'.repeat(30_000)}end`);
  const flat = await descriptionHtml('<i>word</i>'.repeat(9000));

  expect(nested.match(/<b>/g)).toHaveLength(9999);
  expect(await descriptionText(nested)).toBe('end');
  expect([flat.match(/<i>/g)?.length, flat.match(/word/g)?.length]).toEqual([5000, 9000]);
});
