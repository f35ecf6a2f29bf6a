import { expect, test } from 'vitest';
import { barsOf } from '~/app/features/site/pages/status-bars';

test.each([
  ['all passed', { passed: 288, failed: 0, missed: 0 }, 'M0 32h3v-32h-3z', ''],
  ['all failed', { passed: 0, failed: 288, missed: 0 }, '', 'M0 32h3v-32h-3z'],
  ['one failed', { passed: 287, failed: 1, missed: 0 }, 'M0 32h3v-24h-3z', 'M0 6h3v-6h-3z'],
  ['one is missing', { passed: 287, failed: 0, missed: 1 }, 'M0 32h3v-26h-3z', ''],
  ['none was made', { passed: 0, failed: 0, missed: 288 }, '', ''],
  ['before the first check', { passed: 0, failed: 0, missed: 0 }, '', ''],
])('the bar of a day on which %s', (_, sums, passed, failed) => {
  expect(barsOf([{ day: '2026-11-29', ...sums }])).toEqual({ passed, failed, width: 4 });
});
