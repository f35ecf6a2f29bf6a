import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readDate } from '~/server/feed/reader/dates';
import { readDuration } from '~/server/feed/reader/durations';
import { toRfc2822 } from '~/server/feed/rfc-2822';
import { deepSeed } from '../support/deep';
import { episodeOf, FILE, lossesOf, parseSource, repairsOf, rss, showOf } from '../support/feed-reading';

test.each([
  ['Mon, 13 Jul 2020 04:00:00 +0000', '2020-07-13T04:00:00Z', true],
  ['Mon, 13 Jul 2020 04:00:00 GMT', '2020-07-13T04:00:00Z', true],
  ['13 Jul 2020 04:00 +0200', '2020-07-13T02:00:00Z', true],
  ['2020-07-13T04:00:00Z', '2020-07-13T04:00:00Z', true],
  ['2020-07-13T04:00:00.250+05:30', '2020-07-12T22:30:00.250Z', true],
  ['Mon, 13 Jul 2020 04:00:00 EST', '2020-07-13T09:00:00Z', true],
  ['Mon, 13 Jul 2020 04:00:00 PDT', '2020-07-13T11:00:00Z', true],
  ['Mon, 13 Jul 2020 04:00:00 CEST', '2020-07-13T02:00:00Z', false],
  ['Mon, 13 Jul 2020 04:00:00 AEST', '2020-07-12T18:00:00Z', false],
  ['Mon, 13 Jul 2020 04:00:00 +2', '2020-07-13T02:00:00Z', false],
  ['Mon, 13 Jul 2020 04:00:00 GMT+0200', '2020-07-13T02:00:00Z', false],
  ['Mon, 13 Jul 2020 04:00:00 UTC', '2020-07-13T04:00:00Z', false],
  ['Mon, 13 Jul 2020 04:00:00', '2020-07-13T04:00:00Z', false],
  ['Mon,13 Jul 2020 4:00:00 GMT', '2020-07-13T04:00:00Z', false],
  ['Monday, 13 July 2020 04:00:00 -0000', '2020-07-13T04:00:00Z', false],
  ['Mond, 13 Jul 20 04:00:00 GMT', '2020-07-13T04:00:00Z', false],
  ['Tue, 13 Jul 99 04:00:00 GMT', '1999-07-13T04:00:00Z', false],
  ['Mon Jul 13 04:00:00 EST 2020', '2020-07-13T09:00:00Z', false],
  ['Mon Jul 13 04:00:00 2020', '2020-07-13T04:00:00Z', false],
  ['July 13, 2020 4:05 PM', '2020-07-13T16:05:00Z', false],
  ['Jul 13 2020', '2020-07-13T00:00:00Z', false],
  ['13-Jul-2020 04:00', '2020-07-13T04:00:00Z', false],
  ['2020-07-13', '2020-07-13T00:00:00Z', false],
  ['2020/07/13 04:00', '2020-07-13T04:00:00Z', false],
  ['2020-07-13 04:00:00 +0200', '2020-07-13T02:00:00Z', false],
  ['20200713T040000Z', '2020-07-13T04:00:00Z', false],
  ['1594612800', '2020-07-13T04:00:00Z', false],
  ['1594612800000', '2020-07-13T04:00:00Z', false],
  ['13/07/2020 04:00', '2020-07-13T04:00:00Z', false],
  ['07/13/2020 04:00', '2020-07-13T04:00:00Z', false],
  ['13.07.2020', '2020-07-13T00:00:00Z', false],
  ['lun, 13 jul 2020 04:00:00 GMT', '2020-07-13T04:00:00Z', false],
  ['13 de julio de 2020 a las 4:00', '2020-07-13T04:00:00Z', false],
  ['Mi, 13 Jan 2021 04:00:00 +0100', '2021-01-13T03:00:00Z', false],
  ['mer., 13 janv. 2021 04:00:00 +0100', '2021-01-13T03:00:00Z', false],
  ['Mar, 03 Aoû 2021 04:00:00 GMT', '2021-08-03T04:00:00Z', false],
  ['13 März 2020', '2020-03-13T00:00:00Z', false],
  ['qua, 13 fev 2019 04:00:00 -0300', '2019-02-13T07:00:00Z', false],
  ['Пн, 13 июл 2020 04:00:00 +0300', '2020-07-13T01:00:00Z', false],
  ['Πεμ, 29 Ιουλ 2004 12:53:00 GMT', '2004-07-29T12:53:00Z', false],
  ['2020年7月13日', '2020-07-13T00:00:00Z', false],
  ['Thu, 31 Dec 2020 24:00:00 GMT', '2021-01-01T00:00:00Z', false],
  ['13. července 2020 04:00', '2020-07-13T04:00:00Z', false],
  ['pondělí 13. červenec 2020', '2020-07-13T00:00:00Z', false],
  ['13. června 2020', '2020-06-13T00:00:00Z', false],
  ['Mon, 13 Jul 2020 04:00:00 MEST', '2020-07-13T02:00:00Z', false],
  ['Mon, 13 Jan 2020 04:00:00 MET', '2020-01-13T03:00:00Z', false],
  ['Mon, 13 Jul 2020 04:00:00 ET', '2020-07-13T08:00:00Z', false],
  ['Mon, 13 Jan 2020 04:00:00 ET', '2020-01-13T09:00:00Z', false],
  ['Mon, 3 Apr 2006 04:00:00 ET', '2006-04-03T08:00:00Z', false],
  ['Sat, 1 Apr 2006 04:00:00 ET', '2006-04-01T09:00:00Z', false],
  ['July 13, 2020 4:05 PM PT', '2020-07-13T23:05:00Z', false],
  ['Jan 13, 2020 4:05 PM (CT)', '2020-01-13T22:05:00Z', false],
  ['July 13, 2020 5pm', '2020-07-13T17:00:00Z', false],
  ['July 13, 2020 at 5 p.m. MT', '2020-07-13T23:00:00Z', false],
  ['12am 13 Jul 2020', '2020-07-13T00:00:00Z', false],
  ['Mon, 13 Jul 2020 04:00:00 NST', '2020-07-13T07:30:00Z', false],
  ['Mon, 13 Jul 2020 04:00:00 NDT', '2020-07-13T06:30:00Z', false],
  ['Mon, 13 Jul 2020 04:00:00 NPT', '2020-07-12T22:15:00Z', false],
  ['Mon, 13 Jul 2020 04:00:00 Europe/Madrid', '2020-07-13T02:00:00Z', false],
  ['2020-01-13 04:00:00 America/New_York', '2020-01-13T09:00:00Z', false],
  ['Mon, 13 Jul 2020 04:00:00 Asia/Kolkata', '2020-07-12T22:30:00Z', false],
  ['13 Jul 2020 04:00:00 America/Argentina/Buenos_Aires', '2020-07-13T07:00:00Z', false],
  ['Mon, 13 Jul 2020 04:00:00 Eastern Daylight Time', '2020-07-13T08:00:00Z', false],
  ['July 13, 2020 4:05 AM Pacific Time', '2020-07-13T11:05:00Z', false],
  ['13 Jul 2020 04:00 Central European Summer Time', '2020-07-13T02:00:00Z', false],
  ['13 Jul 2020 04:00 Uhr', '2020-07-13T04:00:00Z', false],
])('the date %s is read', (text, expected, regular) => {
  expect(readDate(text)).toEqual({
    at: new Date(expected),
    regular: expected.includes('24:00') ? false : expect.any(Boolean),
  });
  if (regular) expect(readDate(text)?.regular).toBe(true);
});

test.each([
  '13 Jul 2020 04:00:00 XYZ',
  'Mon Jul 13 04:00:00 QQT 2020',
  'July 13, 2020 4:00 AM (LMT)',
  '13 Jul 2020 04:00 Europe/Atlantis',
])('the date %s is read as UTC, and its zone is reported', (text) => {
  expect(readDate(text)).toEqual({ at: new Date('2020-07-13T04:00:00Z'), regular: false, zoneUnknown: true });
  expect(repairsOf(parseSource(rss(`<item><guid>1</guid><pubDate>${text}</pubDate>${FILE}</item>`)))).toContain(
    'zone_unknown',
  );
});

test.each([
  '',
  'soon',
  '32 Jul 2020',
  '2020-13-40',
  '31 Feb 2020',
  '12:30',
  '0000-00-00 00:00:00',
  'x'.repeat(5000),
  '0001-01-01T00:00:00Z',
  'Mon, 01 Jan 0001 00:00:00 +0000',
  'Wed, 30 Nov -0001 00:00:00 +0000',
  '-0001-11-30T00:00:00+00:00',
  '01/01/0001',
])('"%s" is not a date', (text) => {
  expect(readDate(text)).toBeNull();
});

test('dates in the usual form are read like those in any other form', () => {
  const offset = fc.constantFrom('+0000', '-0000', '+0530', '-0830', '+1400', '-9959', 'GMT');
  const date = fc.date({ min: new Date('1899-12-30'), max: new Date('9999-12-31'), noInvalidDate: true });

  fc.assert(
    fc.property(date, offset, fc.nat(31), (at, zone, day) => {
      const written = toRfc2822(at).replace('+0000', zone).replace(/\d\d/, String(day));
      // with the name of the month in capitals, it is not the usual form
      const other = written.toUpperCase();
      expect(readDate(written)?.at).toEqual(readDate(other)?.at);
    }),
    { seed: deepSeed(), numRuns: 500 },
  );
});

test('a year of no date is no reason to ignore another date', () => {
  const tags = '<pubDate>Mon, 01 Jan 0001 00:00:00 GMT</pubDate><dc:date>2020-07-13T04:00:00Z</dc:date>';

  expect(episodeOf(tags + FILE).publishedAt).toEqual(new Date('2020-07-13T04:00:00Z'));
});

test('in US English feeds the month comes first', () => {
  expect(readDate('03/04/2020', true)?.at).toEqual(new Date('2020-03-04'));
  expect(readDate('03/04/2020')?.at).toEqual(new Date('2020-04-03'));
});

test.each([
  ['3723', 3723],
  ['1:02:03', 3723],
  ['01:02:03', 3723],
  ['62:03', 3723],
  ['3723.5', 3723.5],
  ['3723,5', 3723.5],
  ['1:02:03.250', 3723.25],
  ['00:62:03', 3723],
  ['1h 2m 3s', 3723],
  ['1h2m', 3720],
  ['1h02', 3720],
  ['1 h 2', 3720],
  ['1h 02m 03', 3723],
  ['62m03', 3723],
  ['1 hr 2 min', 3720],
  ['62 min', 3720],
  ['62 minutos', 3720],
  ["62'03''", 3723],
  ['PT1H2M3S', 3723],
  ['1:02:03:10', 3723],
  [' 62 : 03 ', 3723],
  [':45', 45],
  ['0', 0],
  ['37230000', 37_230],
])('the duration %s is read', (text, seconds) => {
  expect(readDuration(text)?.ms).toBe(seconds * 1000);
});

test.each(['', 'long', '-5', '1:2:3:4:5', 'NaN', '::', '12 parsecs'])('%s is not a duration', (text) => {
  expect(readDuration(text)).toBeNull();
});

test.each(['0', '0:00', '00:00:00', '0 min'])('the duration %s is unknown', (text) => {
  const reading = parseSource(rss(`<item>${FILE}<itunes:duration>${text}</itunes:duration></item>`));

  expect(reading.feed?.episodes[0]?.durationMs).toBeNull();
  expect(lossesOf(reading)).not.toContain('duration_unreadable');
});

test.each(['0', 'long'])('after the duration %s, that of the file counts', (text) => {
  const media = '<media:content url="https://a.example/1.mp3" type="audio/mpeg" duration="3723"/>';

  expect(episodeOf(`<itunes:duration>${text}</itunes:duration>${media}`).durationMs).toBe(3_723_000);
});

test.each([
  ['true', true, false],
  ['false', false, false],
  ['yes', true, true],
  ['No', false, true],
  [' EXPLICIT ', true, true],
  ['clean', false, true],
  ['1', true, true],
  ['sí', true, true],
])('the explicit value %s is read', (text, explicit, repaired) => {
  const source = rss(`<item><title>a</title><guid>1</guid><itunes:explicit>${text}</itunes:explicit>${FILE}</item>`);

  expect(parseSource(source).feed?.episodes[0]?.explicit).toBe(explicit);
  expect(repairsOf(parseSource(source)).includes('explicit_irregular')).toBe(repaired);
});

test('an episode without an explicit tag has the value of its show', () => {
  expect(episodeOf(FILE, '<itunes:explicit>true</itunes:explicit>').explicit).toBe(true);
});

const category = (text: string, sub = ''): string =>
  `<itunes:category text="${text}">${sub && category(sub)}</itunes:category>`;

test.each([
  [category('Arts', 'Books'), [{ name: 'Arts', sub: 'Books' }]],
  [category('Technology'), [{ name: 'Technology' }]],
  [category('society &amp; culture'), [{ name: 'Society & Culture' }]],
  [category('Society &amp;amp; Culture', 'Documentary'), [{ name: 'Society & Culture', sub: 'Documentary' }]],
  [category('Technology', 'Gadgets'), [{ name: 'Technology' }]],
  [category('Games &amp; Hobbies', 'Video Games'), [{ name: 'Leisure', sub: 'Video Games' }]],
  [category('Arts', 'Literature'), [{ name: 'Arts', sub: 'Books' }]],
  [category('Business', 'Business News'), [{ name: 'News', sub: 'Business News' }]],
  [category('News &amp; Politics'), [{ name: 'News' }]],
  [category('Health', 'Self-Help'), [{ name: 'Education', sub: 'Self-Improvement' }]],
  [category('Sports &amp; Recreation', 'Outdoor'), [{ name: 'Sports', sub: 'Wilderness' }]],
  [category('Documentary'), [{ name: 'Society & Culture', sub: 'Documentary' }]],
  [category('Comedy') + category('Comedy'), [{ name: 'Comedy' }]],
  [category('Nonsense'), []],
  ['<category>True Crime</category>', [{ name: 'True Crime' }]],
  [
    '<category>Podcasts/Arts/Design</category>',
    [{ name: 'Technology' }, { name: 'Arts' }, { name: 'Arts', sub: 'Design' }],
  ],
])('the categories %s are mapped to Apple’s', (tags, expected) => {
  expect(showOf(rss('', tags)).categories).toEqual(tags.includes('Podcasts/') ? expected.slice(1) : expected);
});
