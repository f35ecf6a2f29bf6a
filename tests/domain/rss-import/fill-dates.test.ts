import { expect, test } from 'vitest';
import { fillDates } from '~/server/domain/rss-import/fill-dates';
import { FILE, rss, showOf } from '../../support/feed-reading';

const items = (...dates: (string | null)[]) =>
  dates.map((date, i) => {
    const pubDate = date === null ? '<pubDate>when it rains</pubDate>' : `<pubDate>${date}T00:00:00Z</pubDate>`;
    return `<item><guid>${i}</guid>${pubDate}${FILE.replace('.mp3', `-${i}.mp3`)}</item>`;
  });
const filled = (...dates: (string | null)[]) =>
  fillDates(showOf(rss(items(...dates).join(''))).episodes).map(({ publishedAt }) =>
    publishedAt?.toISOString().slice(0, 19),
  );

test.each([
  ['one', ['2024-03-03', null, '2024-03-01'], [undefined, '2024-03-02T00:00:00']],
  ['two', ['2024-03-04', null, null, '2024-03-01'], [undefined, '2024-03-03T00:00:00', '2024-03-02T00:00:00']],
  ['one of the oldest first', ['2024-03-01', null, '2024-03-03'], [undefined, '2024-03-02T00:00:00']],
  ['the first', [null, null, '2024-03-02', '2024-03-01'], ['2024-03-02T00:00:02', '2024-03-02T00:00:01']],
  ['the last', ['2024-03-02', '2024-03-01', null], [undefined, undefined, '2024-02-29T23:59:59']],
  ['the first of the oldest first', [null, '2024-03-01', '2024-03-02'], ['2024-02-29T23:59:59']],
  ['beside a single date', [null, '2024-03-01', null], ['2024-03-01T00:00:01', undefined, '2024-02-29T23:59:59']],
])('an unreadable date is taken from the neighbours: %s', (_, dates, expected) => {
  const written = dates.map((date, i) => (date === null ? expected[i] : `${date}T00:00:00`));

  expect(filled(...dates)).toEqual(written);
});

test('without any date, none is made up', () => {
  expect(filled(null, null)).toEqual([undefined, undefined]);
});
