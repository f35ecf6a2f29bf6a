import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { toLinkAddress } from '~/app/components/link-address';
import { cleanPastedHtml } from '~/app/components/pasted-html';
import { descriptionHtml } from '~/server/domain/episodes/description-html';

const clipboard = (name: string) => readFileSync(new URL(`./clipboard/${name}.txt`, import.meta.url), 'utf8');
const INTRO = '<h3>El mar de noche</h3><p><strong>Hoy</strong> hablamos del <em>mar</em>, y de sus olas.</p>';
const MORE = '<p>Más en <a href="https://mar.example/olas?a=1&amp;b=2" rel="nofollow noopener">mar.example</a>.</p>';

const stored = (html: string) => descriptionHtml(cleanPastedHtml(html));

test('text from Word comes out clean, with its lists', async () => {
  const lists = '<ul><li>Arena<ul><li>Fina</li></ul></li><li>Sal</li></ul>';

  expect(await stored(clipboard('word'))).toBe(`${INTRO}${lists}${MORE}<ol><li>Uno</li><li>Dos</li></ol>`);
});

test('text from Google Docs comes out clean', async () => {
  const list = '<ul><li><p>Arena</p></li><li><p>Sal</p></li></ul>';

  expect(await stored(clipboard('google-docs'))).toBe(INTRO + list + MORE);
});

test('text from LibreOffice comes out clean', async () => {
  const list = '<ul><li><p>Arena</p></li><li><p>Sal</p></li></ul>';

  expect(await stored(clipboard('libreoffice'))).toBe(INTRO + list + MORE.replace(/<a.*a>/, '<u>$&</u>'));
});

test.each([
  ['a stray <', '1 < 2', '1 &lt; 2'],
  ['closing tags without opening ones', '</b>x</p>', 'x'],
  [
    'links of Google that redirect',
    '<a href="https://www.google.com/url?q=https://mar.example/a?b%3D1%26c%3D%2522&amp;sa=D">x</a>',
    '<a href="https://mar.example/a?b=1&amp;c=%22">x</a>',
  ],
  [
    'links of Outlook that redirect',
    '<a href="https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fmar.example%2F&amp;data=x">x</a>',
    '<a href="https://mar.example/">x</a>',
  ],
  [
    'a link that redirects to an unsafe one',
    '<a href="https://www.google.com/url?q=javascript:alert(1)">x</a>',
    '<a href="https://www.google.com/url?q=javascript:alert(1)">x</a>',
  ],
  ['unsafe links', '<a href="javascript:alert(1)">x</a><a href="file:///c:/a">y</a>', 'xy'],
  ['scripts', 'a<script>alert(1)</script>b', 'ab'],
])('pasted HTML: %s', (_, html, expected) => {
  expect(cleanPastedHtml(html)).toBe(expected);
});

test.each([
  ['https://a.example/x', 'https://a.example/x'],
  ['mailto:ana@a.example', 'mailto:ana@a.example'],
  [' a.example/x?y ', 'https://a.example/x?y'],
  ['a.example:8080', 'https://a.example:8080'],
  ['ana@a.example', 'mailto:ana@a.example'],
  ['javascript:alert(1)', null],
  ['data:text/html,x', null],
  ['/logout', null],
  ['//a.example', null],
  ['two words', null],
  ['word', null],
])('the link that a user types as %s is %s', (typed, address) => {
  expect(toLinkAddress(typed)).toBe(address);
});
