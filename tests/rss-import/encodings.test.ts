import { expect, test } from 'vitest';
import { read, repairsOf } from '../support/feed-reading';

/** A feed whose title is these bytes. */
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
])('a feed that says it is %s and is', (encoding, title, expected) => {
  const reading = read(feed(title, declared(encoding)));

  expect(reading.feed?.title).toBe(expected);
  expect(repairsOf(reading)).toEqual([]);
});

test('the header counts where nothing is declared', () => {
  const reading = read(feed(hex('c5ebebe7ede9eadc')), 'text/xml; charset="iso-8859-7"');

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
])('a feed in %s', (_, bytes, encoding) => {
  const reading = read(bytes);

  expect(reading).toMatchObject({ encoding, feed: { title: 'Mañana' } });
});

test('what is UTF-8 is read as that, whatever header and declaration say', () => {
  const reading = read(feed(Buffer.from('Mañana'), declared('ISO-8859-1')), 'text/xml; charset=us-ascii');

  expect(reading.feed?.title).toBe('Mañana');
  expect(repairsOf(reading)).toEqual(['encoding_other_than_declared']);
});

test('what says UTF-8 and is not is read as what it looks like', () => {
  const reading = read(feed(latin('Se oirá mañana por la mañana'), declared('UTF-8')));

  expect(reading).toMatchObject({ encoding: 'windows-1252', feed: { title: 'Se oirá mañana por la mañana' } });
  expect(repairsOf(reading)).toContain('encoding_guessed');
});

test('an encoding that does not exist is named', () => {
  const reading = read(feed(Buffer.from('Mañana'), declared('bogus')));

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

test.each(PASSAGES)('%s is guessed where nothing is declared', (encoding, _, bytes) => {
  expect(read(feed(bytes)).encoding).toBe(encoding);
});

test('single bytes that are none do not spoil the rest', () => {
  const reading = read(feed(Buffer.concat([Buffer.from('Mañana '), hex('f1'), Buffer.from(' será otra')])));

  expect(reading).toMatchObject({ encoding: 'utf-8', feed: { title: 'Mañana \ufffd será otra' } });
  expect(repairsOf(reading)).toContain('bytes_invalid');
});

test.each([
  ['letters', 'MaÃ±ana serÃ¡', 'Mañana será'],
  ['signs', 'â€œHolaâ€¦', '“Hola…'],
  ['references', '&#226;&#128;&#166;', '…'],
])('UTF-8 that was encoded twice is read once: %s', (_, title, expected) => {
  const reading = read(feed(Buffer.from(title)));

  expect(reading.feed?.title).toBe(expected);
  expect(repairsOf(reading)).toContain('text_doubly_encoded');
});

test.each(['Â¿', 'NÃO', 'CAFÉ»', 'Ã', 'A±B'])('%s is left as it is, or what it can only have been', (title) => {
  expect(read(feed(Buffer.from(title))).feed?.title).toBe(title === 'Â¿' ? '¿' : title);
});
