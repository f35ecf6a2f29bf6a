import { expect, test } from 'vitest';
import { episodeOf, FILE, parseSource, repairsOf, rss } from '../support/feed-reading';

const titleOf = (title: string) => episodeOf(`<title>${title}</title>${FILE}`).title;
const escaped = (html: string) => html.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

test.each([
  ['Mi<b>l</b>agros', 'Milagros'],
  ['«<i>Ruido</i>», la serie', '«Ruido», la serie'],
  ['<a href="https://a.example">Uno</a>: dos', 'Uno: dos'],
  ['H<sub>2</sub>O', 'H2O'],
  ['Uno<br>dos', 'Uno dos'],
  ['Uno <br /> dos', 'Uno dos'],
  ['<p>Uno</p><p>dos</p>', 'Uno dos'],
  ['<p> Uno </p>', 'Uno'],
  ['<p>Uno', 'Uno'],
  ['Uno <b>dos', 'Uno dos'],
  ['<img src="https://a.example/pixel.gif"> Uno', 'Uno'],
  ['<B>Uno</b>', 'Uno'],
])('markup in the title %s is removed without adding spaces or joining lines', (html, title) => {
  expect(titleOf(escaped(html))).toBe(title);
  expect(titleOf(`<![CDATA[${html}]]>`)).toBe(title);
  expect(titleOf(escaped(escaped(html)))).toBe(title);
});

test.each([
  'The <b> tag and its friends',
  'What is <p>?',
  '<div> or <span>',
  'All about <br>, the lonely tag',
  'Why “<i>” is not <em>',
  'Never close </p>',
  'Learn <html>, <table> and <b>',
])('a title about HTML keeps its words: %s', (title) => {
  const reading = parseSource(rss(`<item><title>${escaped(title)}</title>${FILE}</item>`));

  expect(reading.feed?.episodes[0]?.title).toBe(title);
  expect(repairsOf(reading)).not.toContain('markup_in_title');
});

test('markup without words is no title', () => {
  expect(titleOf(escaped('<br>'))).toBe('1');
});

test('a title of many tags is cut like any other', () => {
  expect(titleOf(escaped(`Uno ${'<b>'.repeat(20_000)}`))).toBe('Uno');
});
