import { expect, test } from 'vitest';
import { cut } from '~/server/base/cut-text';
import {
  categoryOf,
  feedAddress,
  hostOfFeed,
  isOtherAudio,
  languageOf,
  maskAddress,
  parseChapterFile,
  provesOwnership,
  statedBytes,
  timeLeft,
  toChapters,
  withoutProofCodes,
} from '~/server/domain/rss-import/rules';

test.each([
  ['example.com/feed', 'https://example.com/feed'],
  ['feed://example.com/rss', 'https://example.com/rss'],
  ['feed:http://example.com/rss', 'http://example.com/rss'],
  ['pcast://example.com/rss', 'https://example.com/rss'],
  [' HTTPS://Example.com/rss ', 'HTTPS://Example.com/rss'],
  ['example:8080/rss', 'https://example:8080/rss'],
  // the fetcher rejects them
  ['file:///etc/passwd', 'file:///etc/passwd'],
  ['ftp://example.com/rss', 'ftp://example.com/rss'],
  ['javascript:alert(1)', 'javascript:alert(1)'],
])('the address %s is read as %s', (entered, address) => {
  expect(feedAddress(entered)).toBe(address);
});

test.each([
  ['Feeds.Example.com/rss', 'feeds.example.com'],
  ['pcast://example.com:8080/rss?a=b', 'example.com'],
  ['https://', ''],
])('requests for %s count for the host "%s"', (entered, host) => {
  expect(hostOfFeed(entered)).toBe(host);
});

test.each([
  ['julia@example.com', 'j***@example.com'],
  ['j@example.com', 'j***@example.com'],
  ['ñandú@example.com', 'ñ***@example.com'],
])('%s is shown as %s', (email, masked) => {
  expect(maskAddress(email)).toBe(masked);
});

test.each([
  [[{ name: 'Society & Culture', sub: 'Documentary' }], 'child'],
  [[{ name: 'History', sub: 'Unknown' }], 700],
  [[{ name: 'Nonsense' }, { name: 'History' }], 700],
])('categories %j', (categories, expected) => {
  const found = categoryOf(categories);
  if (expected === 'child') expect(found % 100).toBeGreaterThan(0);
  else expect(found).toBe(expected);
});

test('an unknown category becomes Society & Culture, and an unknown language English', () => {
  expect(categoryOf([]) % 100).toBe(0);
  expect([languageOf('es-MX'), languageOf('xx'), languageOf('')]).toEqual(['es', 'en', 'en']);
});

test('texts are cut at whole characters', () => {
  expect(cut('a🎧', 2)).toBe('a');
  expect(cut('a\u0000\nb   c', 10)).toBe('a b c');
});

test.each([
  [5, 5],
  [-1, 0],
  [Number.NaN, 0],
  [1e15, 0],
])('a stated size of %d counts as %d', (stated, counted) => {
  expect(statedBytes(stated)).toBe(counted);
});

test('chapters are sorted, and one per time', () => {
  const found = [
    { startMs: 5, title: 'B' },
    { startMs: 0, title: 'A', link: 'javascript:alert(1)', image: 'https://origin.example/a.png' },
    { startMs: 5, title: 'again' },
    { startMs: Number.NaN, title: 'C' },
    { startMs: 9, title: ' ' },
  ];

  expect(toChapters(found)).toEqual([
    { startMs: 0, title: 'A', url: null, image: 'https://origin.example/a.png' },
    { startMs: 5, title: 'B', url: null, image: null },
  ]);
});

test.each([
  ['', null],
  ['null', null],
  ['[]', null],
  ['{"chapters":5}', null],
  ['\u0000', null],
  ['{"chapters":[]}', []],
  ['{"chapters":[null,5,"a",{"title":5}]}', []],
])('the chapters file %j is read as %j', (text, chapters) => {
  expect(parseChapterFile(Buffer.from(text))).toEqual(chapters);
});

test.each([
  [{ bytes: 5 }, { bytes: 6 }, true],
  [{ bytes: 5, url: 'https://a.example/1.mp3' }, { bytes: 5, url: 'https://b.example/2.mp3' }, false],
  [{ bytes: 0 }, { bytes: 6 }, false],
  [{ bytes: 0, url: 'https://a.example/1.mp3?t=1' }, { bytes: 0, url: 'https://b.example/1.mp3?t=2' }, false],
  [{ bytes: 6, url: 'https://a.example/1.mp3' }, { bytes: 0, url: 'https://a.example/2.mp3' }, true],
  [{ bytes: 0, url: 'not an address' }, { bytes: 0, url: 'another' }, true],
])('a file %j that became %j is another one: %s', (former, now, isOther) => {
  const url = 'https://a.example/1.mp3';

  expect(isOtherAudio({ url, ...former }, { url, ...now })).toBe(isOther);
});

test('the code counts as a verification or in the description, and nowhere else', () => {
  const code = 'altavoz-0123';

  expect(provesOwnership({ description: `A show. ${code}`, texts: [] }, code)).toBe(true);
  expect(provesOwnership({ description: '', texts: [{ purpose: 'verify', text: ` ${code} ` }] }, code)).toBe(true);
  expect(provesOwnership({ description: '', texts: [{ purpose: 'other', text: code }] }, code)).toBe(false);
  expect(provesOwnership({ description: '' }, code)).toBe(false);
});

test('the time left is told once something was copied', () => {
  expect(timeLeft(1000, 10, 100)).toBe(9000);
  expect(timeLeft(1000, 0, 100)).toBeNull();
  expect(timeLeft(1000, 200, 100)).toBe(0);
});

test.each([
  ['Suena lo que suena. altavoz-c486175411165d0dcf012e35', 'Suena lo que suena.'],
  ['altavoz-c486175411165d0dcf012e35', ''],
  ['altavoz-c486175411165d0dcf012e35 y altavoz-000000000000000000000000.', 'y.'],
  ['altavoz-casa, altavoz-c486', 'altavoz-casa, altavoz-c486'],
])('the description %j is imported without the codes that proved an ownership', (text, shown) => {
  expect(withoutProofCodes(text)).toBe(shown);
});
