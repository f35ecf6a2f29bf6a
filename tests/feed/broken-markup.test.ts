import { expect, test } from 'vitest';
import { FILE, lossesOf, parseSource, repairsOf, rss } from '../support/feed-reading';
import { FAULTS, ITEM, SOUND } from './oddities';

test.each(FAULTS)('%s', (_, source, title, repair) => {
  const reading = parseSource(source);

  expect(reading.feed?.episodes[0]).toMatchObject({ title, audio: { url: 'https://a.example/1.mp3', bytes: 1000 } });
  if (repair) expect(repairsOf(reading)).toContain(repair);
  else expect(repairsOf(reading).filter((kind) => !/guid/.test(kind))).toEqual([]);
});

test('unclosed fields lose no episode', () => {
  const source = rss(
    `<item><title>Uno<link>https://a.example/1<guid>1${FILE}</item><item><title>Dos</title><guid>2</guid>${FILE.replace('1.mp3', '2.mp3')}</item>`,
  );

  expect(parseSource(source).feed?.episodes.map(({ title, guid }) => [title, guid])).toEqual([
    ['Uno', '1'],
    ['Dos', '2'],
  ]);
});

test('a well-known prefix works without a declaration', () => {
  const reading = parseSource('<rss><channel><title>a</title><itunes:author>Lucía</itunes:author></channel></rss>');

  expect(reading.feed?.author).toBe('Lucía');
  expect(repairsOf(reading)).toContain('namespace_undeclared');
});

test('tags with an unknown prefix are ignored', () => {
  const source = rss(ITEM.replace('<title>', '<x:title xmlns:x="urn:x">No</x:title><title>'));

  expect(parseSource(source).feed?.episodes[0]?.title).toBe('Uno');
});

test('declared entities are not expanded, and external ones are not fetched', () => {
  const bomb = '<!DOCTYPE rss [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>';
  const source = SOUND.replace('<rss', `${bomb}<rss`).replace('Uno', '&b;&f;');

  const reading = parseSource(source);

  expect(reading.feed?.episodes[0]?.title).toBe('&b;&f;');
  expect(lossesOf(reading)).toContain('doctype_ignored');
});

test('unescaped markup in a description is its HTML', () => {
  const source = rss(`<item><title>Uno</title><description><p>Hola <b>a todos</b></p></description>${FILE}</item>`);

  expect(parseSource(source).feed?.episodes[0]?.description).toBe('<p>Hola <b>a todos</b></p>');
});

test('HTML that was escaped twice is unescaped twice', () => {
  const source = rss(
    `<item><title>Uno</title><description>&amp;lt;p&amp;gt;Hola&amp;lt;/p&amp;gt;</description>${FILE}</item>`,
  );

  expect(parseSource(source).feed?.episodes[0]?.description).toBe('<p>Hola</p>');
});

test.each([
  ['nothing', ''],
  ['white space', ' \n '],
  ['a declaration', '<?xml version="1.0"?>'],
  ['a page', '<!DOCTYPE html><html><head><title>Not found</title></head><body><p>404</p></body></html>'],
  ['an object', '{"error":"not found"}'],
  ['an empty rss', '<rss></rss>'],
  ['a picture', 'GIF89a\u0001\u0000'],
  ['other XML', '<opml version="2.0"><head><title>a</title></head></opml>'],
])('%s is not a feed', (_, source) => {
  expect(parseSource(source).feed).toBeNull();
});
