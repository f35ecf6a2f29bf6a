import { expect, test } from 'vitest';
import { descriptionHtml, descriptionText, linkAddresses } from '~/server/domain/episodes/description-html';

const link = (address: string) => `<a href="${address}" rel="nofollow noopener">${address}</a>`;

test.each([
  ['plain text becomes paragraphs', 'One\ntwo\n\nThree', '<p>One<br>two</p><p>Three</p>'],
  ['plain text is escaped', '1 < 2 & 3 > 2', '<p>1 &lt; 2 &amp; 3 &gt; 2</p>'],
  ['a script is removed', '<p>Hi</p><script>alert(1)</script>', '<p>Hi</p>'],
  ['event handlers are removed', '<p onclick="alert(1)">Hi</p><img src=x onerror=alert(1)>', '<p>Hi</p>'],
  [
    'a javascript: link loses its target',
    '<p><a href="javascript:alert(1)">x</a></p>',
    '<p><a rel="nofollow noopener">x</a></p>',
  ],
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
  const linked = linkAddresses(await descriptionHtml(input));

  expect([linked, linkAddresses(linked)]).toEqual([html, html]);
});

test('an address may end with an ampersand', async () => {
  const html = linkAddresses(await descriptionHtml('https://a.example/?b=1& and www.c.example&.'));

  const second = '<a href="https://www.c.example" rel="nofollow noopener">www.c.example</a>';
  expect(html).toBe(`<p>${link('https://a.example/?b=1')}&amp; and ${second}&amp;.</p>`);
});

test('long runs of punctuation in an address take no time', () => {
  const html = `<p>https://a${'.'.repeat(200_000)}b https://a${'&amp;'.repeat(200_000)}b</p>`;
  const before = performance.now();

  linkAddresses(html);

  // a regular expression took minutes
  expect(performance.now() - before).toBeLessThan(2000);
});

test('the text of a description has no markup', async () => {
  expect(await descriptionText('<p>One<br>two</p><p>A &amp; B &lt;3</p>')).toBe('One two A & B <3');
});
