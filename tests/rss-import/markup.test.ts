import { expect, test } from 'vitest';
import { FILE, ITUNES, lossesOf, PODCAST, read, repairsOf, rss } from '../support/feed-reading';

const ITEM = `<item><title>Uno</title><guid>1</guid>${FILE}</item>`;
const SOUND = rss(ITEM);

/** A fault of form, what is read all the same, and the repair that is told. */
const FAULTS: [oddity: string, source: string, title: string, repair: string | null][] = [
  ['white space before the declaration', `\n\n  ${SOUND}`, 'Uno', 'space_before_declaration'],
  ['junk before the declaration', `Warning: mysql gone away in feed.php\n${SOUND}`, 'Uno', 'junk_before_declaration'],
  ['no declaration', SOUND.replace(/<\?xml.*?\?>/, ''), 'Uno', null],
  ['bare ampersands', SOUND.replace('Uno', 'Rock & Roll & más'), 'Rock & Roll & más', 'ampersand_bare'],
  ['an ampersand before a name', SOUND.replace('Uno', 'AT&T; Q&A'), 'AT&T; Q&A', 'entity_unknown'],
  ['names of HTML', SOUND.replace('Uno', 'Ma&ntilde;ana &mdash; s&iacute;&nbsp;'), 'Mañana — sí', null],
  ['numbers of Windows', SOUND.replace('Uno', '&#147;Uno&#148;'), '“Uno”', null],
  ['numbers that are no characters', SOUND.replace('Uno', 'U&#0;no&#xD800;'), 'U\ufffdno\ufffd', null],
  ['an undeclared namespace', SOUND.replace(ITUNES, ''), 'Uno', null],
  [
    'a namespace in capitals',
    SOUND.replace(ITUNES, ITUNES.replace('www.itunes.com/dtds', 'WWW.ITUNES.COM/DTDS')),
    'Uno',
    'namespace_misspelt',
  ],
  [
    'a namespace by another address',
    SOUND.replace(
      PODCAST,
      'xmlns:podcast="https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md"',
    ),
    'Uno',
    'namespace_misspelt',
  ],
  [
    'another prefix',
    SOUND.replace('<title>Uno</title>', '<x:title xmlns:x="http://www.itunes.com/dtds/podcast-1.0.dtd">Uno</x:title>'),
    'Uno',
    null,
  ],
  ['names in capitals', SOUND.replaceAll('item>', 'ITEM>').replaceAll('title>', 'TITLE>'), 'Uno', 'name_in_capitals'],
  [
    'an unclosed CDATA section',
    rss(`<item><title><![CDATA[Uno</title><guid>1</guid>${FILE}</item>${ITEM}`),
    'Uno',
    'cdata_unclosed',
  ],
  [
    'an unclosed CDATA section before a closed one',
    rss(`<item><title><![CDATA[Uno</title>${FILE}</item><item><title><![CDATA[Dos]]></title>${FILE}</item>`),
    'Uno',
    'cdata_unclosed',
  ],
  ['an unclosed field', rss(`<item><title>Uno<guid>1</guid>${FILE}</item>`), 'Uno', 'tags_unclosed'],
  [
    'an unclosed item',
    rss(`<item><title>Uno</title>${FILE}<item><title>Dos</title>${FILE}</item>`),
    'Uno',
    'tags_unclosed',
  ],
  ['an end tag too many', rss(`<item><title>Uno</b></title>${FILE}</item>`), 'Uno', 'tags_unclosed'],
  ['an end that is missing', SOUND.replace('</channel></rss>', ''), 'Uno', 'tags_unclosed'],
  ['an end that is cut', SOUND.slice(0, -3), 'Uno', 'tags_unclosed'],
  ['single quotes', SOUND.replaceAll('"', "'"), 'Uno', null],
  ['white space around equals signs', SOUND.replaceAll('="', ' =\n "'), 'Uno', null],
  [
    'values without quotes',
    SOUND.replace(FILE, '<enclosure url=https://a.example/1.mp3 length=1000 type=audio/mpeg />'),
    'Uno',
    'markup_broken',
  ],
  [
    'curly quotes',
    SOUND.replace(FILE, '<enclosure url=“https://a.example/1.mp3” length=“1000” type=“audio/mpeg” />'),
    'Uno',
    'markup_broken',
  ],
  ['a less-than sign', SOUND.replace('Uno', '1 < 2 <3'), '1 < 2 <3', 'markup_broken'],
  [
    'a space that is no ASCII after a less-than sign',
    SOUND.replace('Uno', '1 <\u00a02'),
    '1 <\u00a02',
    'markup_broken',
  ],
  ['a comment without an end', SOUND.replace('<item>', '<!-- here <item>'), 'Uno', 'markup_broken'],
  ['comments and instructions between', SOUND.replace('Uno', '<!-- a -->U<?php b ?>no'), 'Uno', null],
  [
    'markup in a title, escaped',
    SOUND.replace('Uno', '&lt;b&gt;Uno&lt;/b&gt; &amp;amp; dos'),
    'Uno & dos',
    'markup_in_title',
  ],
  ['markup in a title, in CDATA', SOUND.replace('Uno', '<![CDATA[<p>Uno<br/></p>]]>'), 'Uno', 'markup_in_title'],
  ['markup in a title, as it is', SOUND.replace('Uno', '<b>Uno</b> y <i>dos</i>'), 'Uno y dos', 'markup_in_title'],
];

test.each(FAULTS)('%s', (_, source, title, repair) => {
  const reading = read(source);

  expect(reading.feed?.episodes[0]).toMatchObject({ title, audio: { url: 'https://a.example/1.mp3', bytes: 1000 } });
  if (repair) expect(repairsOf(reading)).toContain(repair);
  else expect(repairsOf(reading).filter((kind) => !/guid/.test(kind))).toEqual([]);
});

test('fields that were never closed lose no episode', () => {
  const source = rss(
    `<item><title>Uno<link>https://a.example/1<guid>1${FILE}</item><item><title>Dos</title><guid>2</guid>${FILE.replace('1.mp3', '2.mp3')}</item>`,
  );

  expect(read(source).feed?.episodes.map(({ title, guid }) => [title, guid])).toEqual([
    ['Uno', '1'],
    ['Dos', '2'],
  ]);
});

test('an undeclared prefix that everyone knows counts', () => {
  const reading = read('<rss><channel><title>a</title><itunes:author>Lucía</itunes:author></channel></rss>');

  expect(reading.feed?.author).toBe('Lucía');
  expect(repairsOf(reading)).toContain('namespace_undeclared');
});

test('an unknown prefix is another’s business', () => {
  const source = rss(ITEM.replace('<title>', '<x:title xmlns:x="urn:x">No</x:title><title>'));

  expect(read(source).feed?.episodes[0]?.title).toBe('Uno');
});

test('entities that a document declares are not expanded, and nothing outside is read', () => {
  const bomb = '<!DOCTYPE rss [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>';
  const source = SOUND.replace('<rss', `${bomb}<rss`).replace('Uno', '&b;&f;');

  const reading = read(source);

  expect(reading.feed?.episodes[0]?.title).toBe('&b;&f;');
  expect(lossesOf(reading)).toContain('doctype_ignored');
});

test('markup that was not escaped is the HTML of its description', () => {
  const source = rss(`<item><title>Uno</title><description><p>Hola <b>a todos</b></p></description>${FILE}</item>`);

  expect(read(source).feed?.episodes[0]?.description).toBe('<p>Hola <b>a todos</b></p>');
});

test('HTML that was escaped twice is unescaped', () => {
  const source = rss(
    `<item><title>Uno</title><description>&amp;lt;p&amp;gt;Hola&amp;lt;/p&amp;gt;</description>${FILE}</item>`,
  );

  expect(read(source).feed?.episodes[0]?.description).toBe('<p>Hola</p>');
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
])('%s is no feed', (_, source) => {
  expect(read(source).feed).toBeNull();
});
