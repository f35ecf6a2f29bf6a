import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WINDOWS_1252 } from '~/server/feed/markup/entities';
import { decodeFeed } from '~/server/feed/reader/decode-bytes';
import { createParseLog } from '~/server/feed/reader/model';
import { deepSeed, isDeep } from '../support/deep';
import { parseSource, repairsOf } from '../support/feed-reading';

/** A feed with a title of these bytes. */
function feed(title: Uint8Array, declaration = ''): Buffer {
  const [before, after] = [
    '<rss version="2.0"><channel><title>',
    '</title><link>https://a.example</link></channel></rss>',
  ];
  return Buffer.concat([Buffer.from(declaration + before), title, Buffer.from(after)]);
}

const declared = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>`;
const hex = (text: string) => Buffer.from(text, 'hex');
const latin = (text: string) => Buffer.from(text, 'latin1');

test.each([
  ['UTF-8', Buffer.from('Mañana 🎙️'), 'Mañana 🎙️'],
  ['utf8', Buffer.from('Mañana'), 'Mañana'],
  ['ISO-8859-1', latin('Mañana'), 'Mañana'],
  ['iso-8859-15', hex('a4'), '€'],
  ['windows-1252', hex('9354616794'), '“Tag”'],
  ['windows-1251', hex('cfeee4eae0f1f2'), 'Подкаст'],
  ['KOI8-R', hex('f0cfc4cbc1d3d4'), 'Подкаст'],
  ['ISO-8859-7', hex('c5ebebe7ede9eadc'), 'Ελληνικά'],
  ['windows-1255', hex('f9ece5ed'), 'שלום'],
  ['windows-1256', hex('e3d1cde3c7'), 'مرحما'],
  ['ISO-8859-2', hex('b3f3d378'), 'łóÓx'],
  ['Shift_JIS', hex('83718367'), 'ヒト'],
  ['EUC-JP', hex('a5d2a5c8'), 'ヒト'],
  ['ISO-2022-JP', hex('1b2442255225481b2842'), 'ヒト'],
  ['Big5', hex('a4a4a4e5'), '中文'],
  ['GB2312', hex('d6d0cec4'), '中文'],
  ['EUC-KR', hex('c7d1b1db'), '한글'],
  ['IBM850', hex('4d61a4616e6120ee'), 'Mañana ¯'],
  ['cp850', hex('a8517582a3'), '¿Quéú'],
])('a feed that correctly declares %s is read', (encoding, title, expected) => {
  const reading = parseSource(feed(title, declared(encoding)));

  expect(reading.feed?.title).toBe(expected);
  expect(repairsOf(reading)).toEqual([]);
});

test('without a declaration, the Content-Type header decides', () => {
  const reading = parseSource(feed(hex('c5ebebe7ede9eadc')), 'text/xml; charset="iso-8859-7"');

  expect(reading.feed?.title).toBe('Ελληνικά');
});

test.each([
  ['utf-8 with a mark', Buffer.concat([hex('efbbbf'), feed(Buffer.from('Mañana'), declared('utf-8'))]), 'utf-8'],
  [
    'utf-16 with a mark',
    Buffer.from(`\ufeff${feed(Buffer.from('Mañana'), declared('utf-16')).toString()}`, 'utf16le'),
    'utf-16le',
  ],
  ['utf-16 without a mark', Buffer.from(feed(Buffer.from('Mañana')).toString(), 'utf16le'), 'utf-16le'],
  [
    'utf-16 the other way',
    Buffer.from(`\ufeff${feed(Buffer.from('Mañana')).toString()}`, 'utf16le').swap16(),
    'utf-16be',
  ],
])('a feed in %s is read', (_, bytes, encoding) => {
  const reading = parseSource(bytes);

  expect(reading).toMatchObject({ encoding, feed: { title: 'Mañana' } });
});

/** In UTF-32, with the lowest byte first. */
const utf32 = (text: string) =>
  Buffer.concat(Array.from(text, (char) => Buffer.from(Uint32Array.of(char.codePointAt(0)!).buffer)));

test.each([
  ['with a mark', '\ufeff', 'utf-32'],
  ['without a mark', '', 'UCS-4'],
])('a feed in UTF-32 %s is read', (_, mark, label) => {
  const bytes = utf32(mark + feed(Buffer.from('Mañana 🎙️'), declared(label)).toString());
  const [little, big] = [parseSource(bytes), parseSource(Buffer.from(bytes).swap32())];

  expect(little).toMatchObject({ encoding: 'utf-32le', feed: { title: 'Mañana 🎙️' }, repairs: [] });
  expect(big).toMatchObject({ encoding: 'utf-32be', feed: { title: 'Mañana 🎙️' }, repairs: [] });
});

test('code points that do not exist become replacement characters', () => {
  const bytes = utf32(feed(Buffer.from('Mañana')).toString());
  bytes.writeUInt32LE(0x110000, bytes.indexOf(utf32('ñ')));

  expect(parseSource(bytes).feed?.title).toBe('Ma\ufffdana');
});

test('valid UTF-8 is read as UTF-8, whatever header and declaration state', () => {
  const reading = parseSource(feed(Buffer.from('Mañana'), declared('ISO-8859-1')), 'text/xml; charset=us-ascii');

  expect(reading.feed?.title).toBe('Mañana');
  expect(repairsOf(reading)).toEqual(['encoding_other_than_declared']);
});

test('if a feed falsely declares UTF-8, its encoding is guessed', () => {
  const reading = parseSource(feed(latin('Se oirá mañana por la mañana'), declared('UTF-8')));

  expect(reading).toMatchObject({ encoding: 'windows-1252', feed: { title: 'Se oirá mañana por la mañana' } });
  expect(repairsOf(reading)).toContain('encoding_guessed');
});

test('an unknown encoding is reported', () => {
  const reading = parseSource(feed(Buffer.from('Mañana'), declared('bogus')));

  expect(reading.feed?.title).toBe('Mañana');
  expect(repairsOf(reading)).toEqual(['encoding_unknown']);
});

const PASSAGES: [encoding: string, text: string, bytes: Buffer][] = [
  ['windows-1251', 'Сегодня мы говорим о том', hex('d1e5e3eee4edff20ece020e3eee2eef0e8ec20ee20f2eeec')],
  ['windows-1255', 'שלום לכל המאזינים', hex('f9ece5ed20ecebec20e4eee0e6e9f0e9ed')],
  ['windows-1253', 'σημερα θα μιλησουμε για την', hex('f3e7ece5f1e120e8e120ece9ebe7f3eff5ece520e3e9e120f4e7ed')],
  ['shift_jis', 'こんにちは、きょうは', hex('82b182f182c982bf82cd814182ab82e582a482cd')],
  ['euc-kr', '이 방송은 한국의', hex('c0cc20b9e6bcdbc0ba20c7d1b1b9c0c7')],
  ['gbk', '我们的中国人', hex('ced2c3c7b5c4d6d0b9fac8cb')],
  ['big5', '我們的中國人', hex('a7daadcc aabaa4a4b0eaa448'.replace(' ', ''))],
];

test.each(PASSAGES)('%s is guessed without a declaration', (encoding, _, bytes) => {
  expect(parseSource(feed(bytes)).encoding).toBe(encoding);
});

const MANY = 'La mañana en la plaza, según quién la cuente: ¿qué pasó después? '.repeat(3);

test.each([
  ['one byte among UTF-8', [Buffer.from('Mañana '), hex('f1'), Buffer.from(' será otra')], 'Mañana ñ será otra'],
  [
    'quotes of Windows among UTF-8',
    [Buffer.from('Mañana '), hex('93'), Buffer.from('será'), hex('94')],
    'Mañana “será”',
  ],
  ['a character that is cut', [Buffer.from('Mañana será '), hex('e282')], 'Mañana será â‚'],
  ['a character that is too long', [Buffer.from('Mañana será '), hex('c1bf')], 'Mañana será Á¿'],
  ['half of a surrogate pair', [Buffer.from('Mañana será así '), hex('eda080')], 'Mañana será así í\u00a0€'],
  ['what is beyond Unicode', [Buffer.from('Mañana ñoña será así '), hex('f4908080')], 'Mañana ñoña será así ô\u0090€€'],
  ['an emoji among bytes of Windows', [Buffer.from('Mañana 🎙️ será '), hex('e1f1')], 'Mañana 🎙️ será áñ'],
])('%s is read as Windows-1252, and the rest as UTF-8', (_, title, expected) => {
  const reading = parseSource(feed(Buffer.concat(title), declared('UTF-8')));

  expect(reading).toMatchObject({ encoding: 'utf-8', feed: { title: expected } });
  expect(repairsOf(reading)).toEqual(['bytes_invalid']);
});

test('invalid bytes after a byte order mark are still read as Windows-1252', () => {
  const reading = parseSource(Buffer.concat([hex('efbbbf'), feed(latin('Mañana'), declared('UTF-8'))]));

  expect(reading).toMatchObject({ encoding: 'utf-8', feed: { title: 'Mañana' } });
  expect(repairsOf(reading)).toEqual(['bytes_invalid']);
});

test('a few words of UTF-8 in a Windows-1252 document are read as UTF-8', () => {
  const author = Buffer.from('</title><itunes:author>Lucía Ñúñez</itunes:author><title>');
  const reading = parseSource(feed(Buffer.concat([latin(MANY), author]), declared('UTF-8')));

  expect(reading).toMatchObject({ encoding: 'windows-1252', feed: { title: MANY.trim(), author: 'Lucía Ñúñez' } });
  expect(repairsOf(reading)).toEqual(expect.arrayContaining(['encoding_guessed', 'encoding_other_than_declared']));
});

test.each([
  'Se oirá mañana por la mañana',
  'À bientôt, à l’école où ça se décide',
  'Über Straßen, Bären und schöne Grüße',
  'São Paulo é a maior cidade, não há dúvida',
  'På väg till ön över älven',
  'Più di così non si può',
])('Windows-1252 that declares UTF-8 is read as Windows-1252: %s', (title) => {
  const bytes = Buffer.from(title.replace('’', '\u0092'), 'latin1');

  const reading = parseSource(feed(bytes, declared('UTF-8')), 'application/rss+xml; charset=utf-8');

  expect(reading).toMatchObject({ encoding: 'windows-1252', feed: { title } });
});

test('invalid bytes in UTF-8 change no valid character, and none becomes U+FFFD', () => {
  const sound = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 6 })
    .map((text) => ({ text, bytes: Buffer.from(text) }));
  const strange = fc.integer({ min: 0x80, max: 0xff }).map((byte) => {
    const text = new TextDecoder('windows-1252').decode(Uint8Array.of(byte));
    return {
      text: WINDOWS_1252[byte - 0x80] ?? text,
      bytes: Buffer.concat([Uint8Array.of(byte), Buffer.from('.')]),
      dot: '.',
    };
  });

  fc.assert(
    fc.property(fc.array(fc.oneof(sound, strange), { minLength: 1, maxLength: 20 }), (parts) => {
      const lead = { text: 'ñ'.repeat(30), bytes: Buffer.from('ñ'.repeat(30)) };
      const bytes = Buffer.concat([lead, ...parts].map((part) => part.bytes));

      const { text } = decodeFeed(bytes, 'text/xml; charset=utf-8', createParseLog());

      expect(text).toBe([lead, ...parts].map((part) => part.text + ('dot' in part ? part.dot : '')).join(''));
    }),
    { numRuns: isDeep ? 5000 : 300, seed: deepSeed() },
  );
});

test.each([
  ['letters', 'MaÃ±ana serÃ¡', 'Mañana será'],
  ['signs', 'â€œHolaâ€¦', '“Hola…'],
  ['references', '&#226;&#128;&#166;', '…'],
])('UTF-8 that was encoded twice is repaired: %s', (_, title, expected) => {
  const reading = parseSource(feed(Buffer.from(title)));

  expect(reading.feed?.title).toBe(expected);
  expect(repairsOf(reading)).toContain('text_doubly_encoded');
});

test.each(['Â¿', 'NÃO', 'CAFÉ»', 'Ã', 'A±B'])('%s stays as it is unless it can only be doubly encoded', (title) => {
  expect(parseSource(feed(Buffer.from(title))).feed?.title).toBe(title === 'Â¿' ? '¿' : title);
});
