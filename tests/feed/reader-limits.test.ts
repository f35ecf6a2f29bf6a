import { expect, test } from 'vitest';
import { FEED_IMPORT_LIMITS } from '~/server/limits/rss-import';
import { startMeter, usedMegabytes } from '../support/costs';
import { isDeep } from '../support/deep';
import { lossesOf, parseSource } from '../support/feed-reading';

const MEGABYTES = 1_000_000;
/** A deep run makes more of each input than the 32 MB that the reader accepts, and measures the cost. */
const SIZE = (isDeep ? 35 : 0.25) * MEGABYTES;
/** The limit in units of tests/support/costs.ts; the faults that this guards against take minutes. */
const MAX_COST = 1500;
const MAX_MEGABYTES = 1000;

const fill = (piece: string, before = '', after = '') => {
  const bytes = Buffer.alloc(SIZE, piece);
  bytes.write(before);
  bytes.write(after, SIZE - Buffer.byteLength(after));
  return bytes;
};

/** Numbered pieces, up to SIZE bytes. */
const numbered = (piece: (at: number) => string) => {
  const bytes = fill(' ');
  let at = bytes.write(START);
  for (let number = 0; at + 100 < SIZE; number++) at += bytes.write(piece(number), at);
  return bytes;
};

const START = '<rss><channel><title>a</title>';
/** 60 nested elements with 64 prefixes each. */
const DECLARED = Array.from({ length: 60 }, (_, depth) => {
  const prefixes = Array.from({ length: 64 }, (_, at) => `xmlns:p${depth}x${at}="c"`);
  return `<q ${prefixes.join(' ')}>`;
}).join('');

test.each([
  ['zeros', () => fill('\0')],
  ['bytes that are not text', () => fill('\xff\xfe\x80', 'x')],
  ['invalid bytes in UTF-8', () => Buffer.concat([Buffer.from(START), Buffer.alloc(SIZE, 'ñ\xff', 'latin1')])],
  ['UTF-8 with an invalid last byte', () => Buffer.concat([fill('ñ', START), Buffer.of(0xff)])],
  ['less-than signs', () => fill('<', START)],
  ['ampersands', () => fill('&', START)],
  ['comment starts', () => fill('<!--', START)],
  ['CDATA starts', () => fill('<![CDATA[', START)],
  ['unclosed CDATA sections', () => fill('<t><![CDATA[</t><b>', START, ']]>')],
  ['CDATA sections in differently named elements', () => numbered((at) => `<p><q${at}><![CDATA[]]></p>`)],
  ['CDATA starts in differently named elements', () => numbered((at) => `<q${at}><![CDATA[</q${at}>`)],
  ['doctypes', () => fill('<!DOCTYPE a [', START)],
  ['nested elements', () => fill('<a>', START)],
  ['end tags', () => fill('</a>', START)],
  ['empty elements', () => fill('<a/>', START)],
  ['empty items', () => fill('<item/>', START)],
  ['unclosed items', () => fill('<item><title>', START)],
  ['attributes', () => fill(' a=""', `${START}<b `)],
  ['mismatched quotes', () => fill(' a="\'', `${START}<b `)],
  ['text in one element', () => fill('word ', START)],
  ['text in one title', () => fill('a ', `${START}<item><enclosure url="https://a.example/1.mp3"/><title>`)],
  ['markup in one title', () => fill('<b>', `${START}<item><enclosure url="https://a.example/1.mp3"/><title>`)],
  [
    'escaped tags in one description',
    () => fill('&lt;p&gt;', `${START}<item><enclosure url="https://a.example/1.mp3"/><description>`),
  ],
  [
    'text in one duration',
    () => fill('1:', `${START}<item><enclosure url="https://a.example/1.mp3"/><itunes:duration>`),
  ],
  ['text in one date', () => fill('Mon ', `${START}<item><enclosure url="https://a.example/1.mp3"/><pubDate>`)],
  ['text in one URL', () => fill('a b', `${START}<item><enclosure url="https://a.example/`, '"/></item>')],
  [
    "slashes in the feed's address",
    () =>
      fill(
        '/',
        `${START.replace('rss', 'rss xmlns:atom="http://www.w3.org/2005/Atom"')}<atom:link rel="self" href="https://a.example/`,
        'x"/>',
      ),
  ],
  ['question marks in a URL', () => fill('?', `${START}<item><enclosure url="https://a.example/`, '\nx"/></item>')],
  ['curly quotes', () => fill('”', `${START}<b c=`, 'x>')],
  ['text in one email address', () => fill('a@', `${START}<managingEditor>`)],
  ['namespaces', () => fill('<a xmlns:b="c">', START)],
  ['namespaces inside many others', () => fill('<b xmlns:z="c"></b>', START + DECLARED)],
  ['closed episodes', () => fill('<item><enclosure url="https://a.example/1.mp3"/></item>', START)],
])('any amount of %s is read, in bounded time and memory', { timeout: 120_000 }, (_, make) => {
  const bytes = make();
  const before = usedMegabytes();
  const cost = startMeter();

  const reading = parseSource(bytes);

  expect(lossesOf(reading).includes('feed_too_large')).toBe(isDeep);
  if (!isDeep) return;
  expect(cost()).toBeLessThan(MAX_COST);
  expect(usedMegabytes() - before).toBeLessThan(MAX_MEGABYTES);
});

const EPISODE =
  '<item><title>Uno</title><enclosure url="https://a.example/1.mp3" length="9" type="audio/mpeg"/></item>';
const { depth, attributes, list, items, text, tags, bytes } = FEED_IMPORT_LIMITS;

test.each([
  ['nested elements', 'too_deep', '<a>'.repeat(depth + 1) + '</a>'.repeat(depth + 1)],
  [
    'attributes',
    'too_many_attributes',
    `<a ${Array.from({ length: attributes + 1 }, (_, at) => `a${at}=""`).join(' ')}/>`,
  ],
  ['persons', 'list_too_long', '<podcast:person>Ana</podcast:person>'.repeat(list + 1)],
  ['items', 'too_many_items', '<item/>'.repeat(items)],
  ['text', 'text_too_long', `<copyright>${'a'.repeat(text + 1)}</copyright>`],
  ['tags', 'too_many_tags', '<?>'.repeat(tags)],
  ['bytes', 'feed_too_large', ' '.repeat(bytes)],
])('too many %s are reported as lost (%s), and everything before is read', { timeout: 120_000 }, (_, loss, more) => {
  const reading = parseSource(`${START}${EPISODE}${more}`);

  expect(lossesOf(reading)).toContain(loss);
  expect(reading.feed?.episodes.map(({ title }) => title)).toEqual(['Uno']);
});
