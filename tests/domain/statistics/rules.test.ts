import { expect, test } from 'vitest';
import {
  bucketsOf,
  countedDays,
  daysOf,
  type Period,
  periodBefore,
  quartilesOf,
  resolvePeriod,
  runningTotals,
  topSlices,
  weekOf,
} from '~/server/domain/statistics/rules';

const now = new Date('2026-11-26T22:30:00Z');
const madrid = { now, zone: 'Europe/Madrid' };

test.each([
  [{}, '2026-10-28', '2026-11-26', 'day'],
  [{ to: '2026-11-10' }, '2026-10-12', '2026-11-10', 'day'],
  [{ from: '2026-11-26' }, '2026-11-26', '2026-11-26', 'day'],
  [{ from: '2026-11-01', to: '2027-01-01' }, '2026-11-01', '2026-11-26', 'day'],
  [{ from: '2026-01-01' }, '2026-01-01', '2026-11-26', 'week'],
  [{ from: '2024-01-01' }, '2024-01-01', '2026-11-26', 'month'],
  [{ from: '2026-01-01', granularity: 'month' as const }, '2026-01-01', '2026-11-26', 'month'],
])('the period %j is %s to %s by %s', (asked, from, to, granularity) => {
  expect(resolvePeriod(asked, madrid)).toEqual({ from, to, zone: 'Europe/Madrid', granularity });
});

test('today is the day in the zone', () => {
  expect(resolvePeriod({}, { now, zone: 'Asia/Tokyo' }).to).toBe('2026-11-27');
  expect(resolvePeriod({}, { now, zone: 'America/Lima' }).to).toBe('2026-11-26');
});

test.each([
  [{ from: '2026-11-02', to: '2026-11-01' }, 'statistics.range_reversed'],
  [{ from: '2026-12-01', to: '2026-12-31' }, 'statistics.range_in_future'],
  [{ from: '2010-01-01' }, 'statistics.range_too_long'],
  [{ from: '2024-01-01', granularity: 'day' as const }, 'statistics.too_many_points'],
])('the period %j is refused: %s', (asked, code) => {
  expect(() => resolvePeriod(asked, madrid)).toThrow(expect.objectContaining({ code }));
});

test('the period before has the same length and ends the day before', () => {
  const before = periodBefore({ from: '2026-03-01', to: '2026-03-31' });

  expect(before).toEqual({ from: '2026-01-29', to: '2026-02-28' });
  expect(daysOf(before)).toBe(31);
});

const period = (from: string, to: string, rest: Partial<Period> = {}): Period => ({
  ...{ from, to, zone: 'UTC', granularity: 'day' },
  ...rest,
});
const written = (one: Period) =>
  bucketsOf(one).map(({ at, from, until }) => `${at}: ${from.day} ${from.slot} – ${until.day} ${until.slot}`);

test.each([
  ['UTC', '2026-11-26: 2026-11-26 0 – 2026-11-27 0'],
  ['Europe/Madrid', '2026-11-26: 2026-11-25 92 – 2026-11-26 92'],
  ['Asia/Kathmandu', '2026-11-26: 2026-11-25 73 – 2026-11-26 73'],
  ['America/Lima', '2026-11-26: 2026-11-26 20 – 2026-11-27 20'],
  ['Pacific/Kiritimati', '2026-11-26: 2026-11-25 40 – 2026-11-26 40'],
])('a day in %s is %s', (zone, text) => {
  expect(written(period('2026-11-26', '2026-11-26', { zone }))).toEqual([text]);
});

test('days on which clocks change have 23 or 25 hours, and none is lost or counted twice', () => {
  expect(written(period('2026-03-28', '2026-03-30', { zone: 'Europe/London' }))).toEqual([
    '2026-03-28: 2026-03-28 0 – 2026-03-29 0',
    '2026-03-29: 2026-03-29 0 – 2026-03-29 92',
    '2026-03-30: 2026-03-29 92 – 2026-03-30 92',
  ]);
  expect(written(period('2026-10-24', '2026-10-26', { zone: 'Europe/London' }))).toEqual([
    '2026-10-24: 2026-10-23 92 – 2026-10-24 92',
    '2026-10-25: 2026-10-24 92 – 2026-10-26 0',
    '2026-10-26: 2026-10-26 0 – 2026-10-27 0',
  ]);
});

test('a day whose midnight is skipped begins at its first instant', () => {
  // Chile sets its clocks forward at midnight
  expect(written(period('2026-09-06', '2026-09-06', { zone: 'America/Santiago' }))).toEqual([
    '2026-09-06: 2026-09-06 16 – 2026-09-07 12',
  ]);
});

test('weeks begin on Monday and months on their first day, cut by the period', () => {
  const starts = (one: Period) => bucketsOf(one).map(({ at }) => at);

  expect(starts(period('2026-11-05', '2026-11-17', { granularity: 'week' }))).toEqual([
    ...['2026-11-05', '2026-11-09', '2026-11-16'],
  ]);
  expect(starts(period('2026-11-30', '2027-01-01', { granularity: 'month' }))).toEqual([
    ...['2026-11-30', '2026-12-01', '2027-01-01'],
  ]);
});

test('the largest values come first, and the rest is summed', () => {
  const slices = [
    { key: 'ES', plays: 3 },
    { key: 'other', plays: 2 },
    { key: 'MX', plays: 7 },
    { key: 'AR', plays: 3 },
    { key: 'PE', plays: 0 },
  ];

  expect(topSlices(slices, 2)).toEqual([
    { key: 'MX', plays: 7 },
    { key: 'AR', plays: 3 },
    { key: 'other', plays: 5 },
  ]);
  expect(topSlices([{ key: 'ES', plays: 1 }])).toEqual([{ key: 'ES', plays: 1 }]);
});

test.each([
  [0, 6, 95, 6, 23],
  [4, 6, 95, 0, 0],
  [-20, 0, 3, 6, 19],
  [23, 2, 40, 2, 15],
])('with an offset of %i slots, UTC weekday %i, slot %i is weekday %i, hour %i', (offset, weekday, slot, day, hour) => {
  const week = weekOf([{ weekday, slot, plays: 5 }], offset);

  expect(week[day]![hour]).toBe(5);
  expect(week.flat().reduce((sum, plays) => sum + plays)).toBe(5);
});

test('running totals end at the present hour', () => {
  expect(
    runningTotals(
      new Map([
        [0, 2],
        [2, 3],
        [9, 7],
      ]),
      4,
    ),
  ).toEqual([2, 2, 5, 5]);
});

test('quartiles are those of the episodes that are old enough, while these are at least half', () => {
  expect(quartilesOf([[1, 1], [2], [3, 6, 9], [4, 8, 12]])).toEqual({
    lower: [1.75, 3.5, 9.75],
    median: [2.5, 6, 10.5],
    upper: [3.25, 7, 11.25],
  });
  expect(quartilesOf([])).toEqual({ lower: [], median: [], upper: [] });
});

test.each([
  ['all of a period', '2026-11-01', '2026-11-10', '2026-10-01', 10],
  ['since the first play', '2026-11-01', '2026-11-10', '2026-11-08', 3],
  ['up to today', '2026-11-20', '2026-12-31', '2026-10-01', 8],
  ['a period before the first play', '2026-11-01', '2026-11-10', '2026-11-11', 0],
  ['a show without plays', '2026-11-01', '2026-11-10', null, 0],
])('the counted days of %s', (_, from, to, since, days) => {
  expect(countedDays({ from, to }, { since, today: '2026-11-27' })).toBe(days);
});
