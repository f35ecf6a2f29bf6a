import { expect, test } from 'vitest';
import { expectedDay, nextBankDay } from '~/server/domain/payouts/bank-days';

test.each([
  ['2026-11-26', '2026-11-26', 'a Thursday'],
  ['2026-11-28', '2026-11-30', 'a Saturday'],
  ['2026-12-25', '2026-12-28', 'Christmas before a weekend'],
  ['2026-12-31', '2026-12-31', 'the last day of a year'],
  ['2027-01-01', '2027-01-04', 'New Year'],
  ['2026-05-01', '2026-05-04', 'Labour Day'],
  ['2026-10-12', '2026-10-12', 'a national holiday'],
  ['2026-04-03', '2026-04-07', 'Easter on 5 April'],
  ['2027-03-26', '2027-03-30', 'Easter on 28 March'],
  ['2038-04-23', '2038-04-27', 'Easter on 25 April, the last possible day'],
  ['2049-04-16', '2049-04-20', 'Easter on 18 April, a week earlier than the plain rule'],
  ['2076-04-17', '2076-04-21', 'Easter on 19 April, a week earlier than the plain rule'],
])('%s → %s: %s', (day, expected) => {
  expect(nextBankDay(day)).toBe(expected);
});

test.each([
  ['2026-11-23', '2026-11-25'],
  ['2026-11-26', '2026-11-30'],
  ['2026-11-28', '2026-12-01'],
  ['2026-12-23', '2026-12-28'],
])('a payout requested on %s is approved on a bank day and arrives on the next: %s', (day, expected) => {
  expect(expectedDay(day)).toBe(expected);
});
