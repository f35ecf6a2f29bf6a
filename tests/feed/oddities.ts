import { FILE, ITUNES, PODCAST, rss } from '../support/feed-reading';

export const ITEM = `<item><title>Uno</title><guid>1</guid>${FILE}</item>`;
export const SOUND = rss(ITEM);

/** A markup fault, the title that the reader still finds, and the reported repair. */
export const FAULTS: [oddity: string, source: string, title: string, repair: string | null][] = [
  ['white space before the declaration', `\n\n  ${SOUND}`, 'Uno', 'space_before_declaration'],
  ['junk before the declaration', `Warning: mysql gone away in feed.php\n${SOUND}`, 'Uno', 'junk_before_declaration'],
  ['no declaration', SOUND.replace(/<\?xml.*?\?>/, ''), 'Uno', null],
  ['bare ampersands', SOUND.replace('Uno', 'Rock & Roll & más'), 'Rock & Roll & más', 'ampersand_bare'],
  ['an ampersand before a name', SOUND.replace('Uno', 'AT&T; Q&A'), 'AT&T; Q&A', 'entity_unknown'],
  ['names of HTML', SOUND.replace('Uno', 'Ma&ntilde;ana &mdash; s&iacute;&nbsp;'), 'Mañana — sí', null],
  ['numbers of Windows', SOUND.replace('Uno', '&#147;Uno&#148;'), '“Uno”', null],
  ['numbers that are no characters', SOUND.replace('Uno', 'U&#0;no&#xD800;'), 'U\ufffdno\ufffd', 'entity_unknown'],
  [
    'an undeclared namespace',
    SOUND.replace(ITUNES, '').replace('<guid>', '<itunes:episode>3</itunes:episode><guid>'),
    'Uno',
    'namespace_undeclared',
  ],
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

type Oddity = [oddity: string, source: string | Uint8Array, contentType?: string];

const AT = 'https://a.example';
/** The valid feed with a title of these bytes. */
function titled(title: Uint8Array, encoding: string): Uint8Array {
  const [before, after] = SOUND.replace('UTF-8', encoding).split('Uno') as [string, string];
  return Buffer.concat([Buffer.from(before), title, Buffer.from(after)]);
}
const hex = (text: string) => Buffer.from(text, 'hex');
const wide = (text: string) => Buffer.from(`\ufeff${text.replace('UTF-8', 'UTF-16')}`, 'utf16le');
/** A feed with one item that contains these tags. */
const saying = (tags: string, show = '') => rss(`<item><title>Uno</title><guid>1</guid>${tags}${FILE}</item>`, show);
const dated = (date: string) => saying(`<pubDate>${date}</pubDate>`);
const lasting = (duration: string) => saying(`<itunes:duration>${duration}</itunes:duration>`);
const enclosing = (tags: string, guid = '<guid>1</guid>') => rss(`<item><title>Uno</title>${guid}${tags}</item>`);
const enclosure = (attributes: string) => `<enclosure url="${AT}/1.mp3" ${attributes}/>`;
const twice = (guids: [string, string], files: [string, string]) =>
  rss(guids.map((guid, at) => `<item><title>${at}</title>${guid}${FILE.replace('1.mp3', files[at]!)}</item>`).join(''));

/** Complete feeds, each with one odd encoding or value. Their expected summaries are in oddities.json. */
export const ODDITIES: Oddity[] = [
  ...FAULTS.map(([oddity, source]): Oddity => [oddity, source]),
  ['UTF-16 with a mark', wide(SOUND)],
  ['UTF-16 with a mark, the other way', wide(SOUND).swap16()],
  ['UTF-16 without a mark', Buffer.from(SOUND, 'utf16le')],
  ['UTF-8 with a mark', Buffer.from(`\ufeff${SOUND}`)],
  ['ISO-8859-1', titled(hex('4d61f1616e61'), 'ISO-8859-1')],
  ['ISO-8859-15', titled(hex('a4'), 'ISO-8859-15')],
  ['Windows-1252', titled(hex('9354616794'), 'windows-1252')],
  ['Windows-1251', titled(hex('cfeee4eae0f1f2'), 'windows-1251')],
  ['Shift-JIS', titled(hex('83718367'), 'Shift_JIS')],
  ['Big5', titled(hex('a4a4a4e5'), 'Big5')],
  ['an encoding that the header names alone', titled(hex('c5ebebe7ede9eadc'), ''), 'text/xml; charset=iso-8859-7'],
  ['UTF-8 that is declared as ISO-8859-1', titled(Buffer.from('Mañana'), 'ISO-8859-1')],
  ['ISO-8859-1 that is declared as UTF-8', titled(hex('53ed2c206d61f1616e61'), 'UTF-8')],
  ['an encoding that does not exist', titled(Buffer.from('Mañana'), 'bogus')],
  ['bytes of Windows among UTF-8', titled(Buffer.concat([Buffer.from('Mañana '), hex('f1')]), 'UTF-8')],
  ['UTF-8 that was encoded twice', titled(Buffer.from('MaÃ±ana'), 'UTF-8')],
  ['a date with a named zone', dated('Mon, 13 Jul 2020 04:00:00 CEST')],
  ['a date without the name of its day', dated('13 Jul 2020 04:00:00 +0000')],
  ['a date of ISO', dated('2020-07-13 04:00')],
  ['a date that is a number of Unix', dated('1594612800')],
  ['a date in Spanish', dated('13 de julio de 2020')],
  ['an invalid date', dated('soon')],
  ['a duration of hours', lasting('1:02:03')],
  ['a duration of many minutes', lasting('62:03')],
  ['a duration with a fraction', lasting('3723.5')],
  ['a duration in words', lasting('1h 2m')],
  ['an invalid duration', lasting('long')],
  ['a guid that is missing', enclosing(FILE, '')],
  ['a duplicate guid', twice(['<guid>1</guid>', '<guid>1</guid>'], ['1.mp3', '2.mp3'])],
  ['a duplicate item', twice(['<guid>1</guid>', '<guid>1</guid>'], ['1.mp3', '1.mp3'])],
  ['a guid with white space', enclosing(FILE, '<guid>\n 1 </guid>')],
  [
    'several enclosures',
    enclosing(
      enclosure('type="audio/mpeg" length="9"').replace('mp3', 'mp4').replace('audio/mpeg', 'video/mp4') + FILE,
    ),
  ],
  ['a length that is missing', enclosing(enclosure('type="audio/mpeg"'))],
  ['a type that is missing', enclosing(enclosure('length="9"'))],
  ['a type that is misspelt', enclosing(enclosure('length="9" type="audio/x-mp3"'))],
  ['an enclosure of Yahoo', enclosing(`<media:content url="${AT}/1.mp3" fileSize="9" type="audio/mpeg"/>`)],
  ['an enclosure with a relative address', enclosing(FILE.replace(AT, ''))],
  [
    'an enclosure that FeedBurner replaced',
    saying(`<feedburner:origEnclosureLink>${AT}/0.mp3</feedburner:origEnclosureLink>`),
  ],
  ['an item without a file', rss('<item><title>Uno</title></item>')],
  ['explicit declared as yes', saying('<itunes:explicit>yes</itunes:explicit>')],
  ['explicit declared as clean', saying('<itunes:explicit>clean</itunes:explicit>')],
  [
    'a category of former times',
    saying('', '<itunes:category text="Technology"><itunes:category text="Gadgets"/></itunes:category>'),
  ],
  ['an unknown category', saying('', '<itunes:category text="Nonsense"/>')],
  ['a category of RSS alone', saying('', '<category>True Crime</category>')],
  ['a sub-category alone', saying('', '<itunes:category text="Documentary"/>')],
  ['chapters of Podcasting 2.0', saying(`<podcast:chapters url="${AT}/c.json" type="application/json+chapters"/>`)],
  ['chapters of Podlove', saying('<psc:chapters><psc:chapter start="0:30" title="Plaza"/></psc:chapters>')],
  [
    'transcripts and persons',
    saying(`<podcast:transcript url="${AT}/t.vtt" type="text/vtt"/><podcast:person>Ana</podcast:person>`),
  ],
  ['a lock with its owner', saying('', '<podcast:locked owner="ana@a.example">yes</podcast:locked>')],
  ['an owner', saying('', '<itunes:owner><itunes:email>ana@a.example</itunes:email></itunes:owner>')],
  ['a feed that moved', saying('', '<itunes:new-feed-url>https://b.example/f</itunes:new-feed-url>')],
  ['a feed that moved, by Userland', `<rss><redirect><newLocation>https://b.example/f</newLocation></redirect></rss>`],
  ['a feed in pages', saying('', '<atom:link rel="next" href="?page=2"/>')],
  [
    'a trailer that is no item',
    rss('', `<podcast:trailer url="${AT}/t.mp3" length="9" type="audio/mpeg">Pronto</podcast:trailer>`),
  ],
  ['an item that is live', rss(`<podcast:liveItem><title>Ahora</title>${FILE}</podcast:liveItem>${ITEM}`)],
  ['tags of payment', saying('<podcast:value type="lightning" method="keysend"/>')],
  [
    'entities that are declared',
    SOUND.replace('<rss', '<!DOCTYPE rss [<!ENTITY a "lol"><!ENTITY b "&a;&a;">]><rss').replace('Uno', '&b;'),
  ],
  [
    'an entity from outside',
    SOUND.replace('<rss', '<!DOCTYPE rss [<!ENTITY f SYSTEM "file:///etc/passwd">]><rss').replace('Uno', '&f;'),
  ],
  [
    'Atom',
    `<feed xmlns="http://www.w3.org/2005/Atom"><title>Ruido</title><entry><id>1</id><title>Uno</title><link rel="enclosure" href="${AT}/1.mp3" length="9" type="audio/mpeg"/></entry></feed>`,
  ],
  [
    'RSS 1.0',
    `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel><title>Ruido</title></channel><item><title>Uno</title>${FILE}</item></rdf:RDF>`,
  ],
];
