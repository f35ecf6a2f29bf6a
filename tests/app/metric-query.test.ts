import { expect, test } from 'vitest';
import { metricQuery, presetOf, presetStart, withMetric } from '~/app/features/studio/statistics/metric-query';

const TODAY = { today: '2026-03-01', since: '2025-01-10' };

test('an address names the choices, and empty fields of the form are none', () => {
  const search = new URLSearchParams('from=2026-01-01&to=&zone=%20&country=ES&page=3');

  expect(metricQuery(search)).toEqual({ from: '2026-01-01', country: 'ES' });
});

test('links combine filters, and remove one without the others', () => {
  const query = { from: '2026-01-01', country: 'ES' };

  expect(withMetric(query, { app: 'spotify' })).toBe('?from=2026-01-01&country=ES&app=spotify');
  expect(withMetric(query, { country: null })).toBe('?from=2026-01-01');
  expect(withMetric({}, { app: 'a&b=c' })).toBe('?app=a%26b%3Dc');
});

test.each([
  ['week', '2026-02-23'],
  ['month', '2026-01-31'],
  ['quarter', '2025-12-02'],
  ['year', '2025-03-02'],
  ['all', '2025-01-10'],
] as const)('%s begins on %s, and its link is the current one', (preset, from) => {
  expect(presetStart(preset, TODAY)).toBe(from);
  expect(presetOf({ from, to: TODAY.today }, TODAY)).toBe(preset);
  // the same days of another year are dates that somebody chose
  expect(presetOf({ from, to: '2026-02-28' }, TODAY)).toBeNull();
});

test('before the first play, all is today', () => {
  expect(presetStart('all', { today: '2026-03-01', since: null })).toBe('2026-03-01');
});
