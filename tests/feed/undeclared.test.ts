import { expect, test } from 'vitest';
import { decodeRare } from '~/server/feed/reader/rare-encodings';
import { parseSource, repairsOf } from '../support/feed-reading';
import rows from './undeclared.json';

/** A feed that declares no encoding, with notes of these bytes. */
function feed(notes: Uint8Array): Buffer {
  const file = '<enclosure url="https://a.example/1.mp3" length="1" type="audio/mpeg"/>';
  const before = `<rss version="2.0"><channel><title>Episode</title><link>https://a.example</link><item>${file}<description>`;
  return Buffer.concat([Buffer.from(before), notes, Buffer.from('</description></item></channel></rss>')]);
}

const decode = (bytes: Uint8Array, encoding: string) => new TextDecoder(encoding).decode(bytes);

/** The texts whose letters are decoded wrongly. */
function wrongOf(shorten: (bytes: Buffer, encoding: string) => Buffer): string[] {
  return rows
    .filter(({ encoding, hex }) => {
      const bytes = shorten(Buffer.from(hex, 'hex'), encoding);
      return decode(bytes, parseSource(feed(bytes)).encoding) !== decode(bytes, encoding);
    })
    .map(({ language, encoding }) => `${language} ${encoding}`);
}

const SEVERAL_BYTES = /shift|euc|gb|big5|2022/;

test('47 notes in 27 languages without a declared encoding are read', () => {
  expect(rows).toHaveLength(47);
  expect(wrongOf((bytes) => bytes)).toEqual([]);
});

const ALL_BYTES = Uint8Array.from({ length: 128 }, (_, at) => 128 + at);
/** The characters 0x80 to 0xff. */
const CODE_PAGES = { macintosh: decode(ALL_BYTES, 'macintosh'), ibm850: decodeRare(ALL_BYTES, 'ibm850')! };
const WESTERN = rows.filter(({ encoding, language }) => encoding === 'windows-1252' && language !== 'is');

test.each(Object.entries(CODE_PAGES))('western notes in %s are read without a declaration', (encoding, page) => {
  const texts = WESTERN.map(({ hex }) =>
    decode(Buffer.from(hex, 'hex'), 'windows-1252').replaceAll('\u0092', "'").replaceAll('’', "'"),
  );
  const read = texts.map((text) => {
    const bytes = Uint8Array.from(text, (char) => (char < '\u0080' ? char.charCodeAt(0) : 128 + page.indexOf(char)));
    return parseSource(feed(bytes));
  });

  expect(read.map((reading) => reading.encoding)).toEqual(texts.map(() => encoding));
  expect(read.map((reading) => reading.feed?.episodes[0]?.description)).toEqual(texts);
});

test('38 of 47 beginnings of forty letters are read', () => {
  const shorten = (bytes: Buffer, encoding: string) => {
    if (encoding === 'iso-2022-jp') return bytes;
    return bytes.subarray(0, SEVERAL_BYTES.test(encoding) ? 24 : Math.max(40, bytes.indexOf(32, 40)));
  };

  expect(wrongOf(shorten).length).toBeLessThanOrEqual(9);
});

test('a guess is reported', () => {
  const { hex } = rows.find(({ encoding }) => encoding === 'windows-1250')!;

  expect(repairsOf(parseSource(feed(Buffer.from(hex, 'hex'))))).toContain('encoding_guessed');
});
