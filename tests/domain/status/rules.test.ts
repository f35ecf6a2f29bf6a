import { expect, test } from 'vitest';
import { firstShown, isStale, shareOf, slotOf, stateOfDay, statusDays, totalsOf } from '~/server/domain/status/rules';

const at = (text: string) => new Date(`${text}Z`);
const NOW = at('2026-11-29T10:07:00');
const TODAY = '2026-11-29';

test.each([
  ['2026-11-29T10:07:12.345', '2026-11-29T10:05:00'],
  ['2026-11-29T10:05:00', '2026-11-29T10:05:00'],
  ['2026-11-29T23:59:59.999', '2026-11-29T23:55:00'],
])('%s is in the slot of %s', (moment, slot) => {
  expect(slotOf(at(moment))).toEqual(at(slot));
});

test('the page shows ninety days, and the first one begins at midnight', () => {
  const days = statusDays([], { first: NOW, last: NOW, now: NOW });

  expect(firstShown(NOW)).toEqual(at('2026-09-01T00:00:00'));
  expect([days.length, days[0]!.day, days.at(-1)!.day]).toEqual([90, '2026-09-01', TODAY]);
});

// 10:07 is in the slot of 10:05, so today has 121 slots before it
test.each<[string, { first?: string; last: string; passed: number; failed?: number }, number]>([
  ['all slots were checked', { last: '2026-11-29T10:05:00', passed: 122 }, 0],
  ['the current slot was not checked yet', { last: '2026-11-29T10:00:00', passed: 121 }, 0],
  ['checks failed, which are no gaps', { last: '2026-11-29T10:05:00', passed: 100, failed: 22 }, 0],
  ['an hour is missing', { last: '2026-11-29T10:05:00', passed: 110 }, 12],
  ['there was no check for two hours', { last: '2026-11-29T08:00:00', passed: 97 }, 24],
  ['the first check was at nine', { first: '2026-11-29T09:00:00', last: '2026-11-29T10:05:00', passed: 14 }, 0],
])('%s: today misses the right number of checks', (_, { first, last, passed, failed = 0 }, missed) => {
  const range = { first: at(first ?? '2026-11-01T00:00:00'), last: at(last), now: NOW };

  const today = statusDays([{ day: TODAY, passed, failed }], range).at(-1)!;

  expect(today).toEqual({ day: TODAY, passed, failed, missed });
});

test('a day without any check is a gap, and days before the first check are not', () => {
  const range = { first: at('2026-11-26T12:00:00'), last: at('2026-11-29T10:05:00'), now: NOW };
  const sums = [
    { day: '2026-11-26', passed: 144, failed: 0 },
    { day: '2026-11-28', passed: 287, failed: 1 },
    { day: TODAY, passed: 121, failed: 0 },
  ];

  const days = statusDays(sums, range).slice(-5);

  expect(days.map(({ missed }) => missed)).toEqual([0, 0, 288, 0, 1]);
  expect(days.map(stateOfDay)).toEqual(['none', 'ok', 'none', 'failed', 'gap']);
  expect(totalsOf(days)).toEqual({ passed: 552, failed: 1, missed: 289 });
});

test.each([
  [0, 0, null],
  [10, 10, 10_000],
  [99_999, 100_000, 9999],
  [2, 3, 6666],
  [0, 5, 0],
])('%d of %d is a share of %j', (part, all, share) => {
  expect(shareOf(part, all)).toBe(share);
});

test.each([
  ['2026-11-29T10:05:00', false],
  ['2026-11-29T09:55:00', false],
  ['2026-11-29T09:50:00', true],
  ['2026-11-28T10:05:00', true],
])('a last check in the slot of %s is stale: %j', (last, stale) => {
  expect(isStale(at(last), NOW)).toBe(stale);
});
