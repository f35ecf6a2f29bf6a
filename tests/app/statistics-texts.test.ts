import { expect, test } from 'vitest';
import { hourNames, longDays, shortPoint, weekdayNames } from '~/app/features/studio/statistics/dates';
import { shareText, trendText } from '~/app/features/studio/statistics/trend';
import { translator } from '~/app/lib/texts.server';

const en = translator('en', 'statistics');
const es = translator('es', 'statistics');

test.each([
  [0, 0, 'None in the period before either'],
  [5, 5, 'As many as in the period before'],
  // people, not per cent
  [5, 2, '3 more than in the period before'],
  [2, 19, '17 fewer than in the period before'],
  [3, 0, '3 more than in the period before'],
  [30, 20, '50% more than in the period before'],
  [10, 40, '75% less than in the period before'],
  [10_001, 10_000, 'As many as in the period before'],
  [45_000, 3000, '1,400% more than in the period before'],
])('%d after %d: %s', (now, before, text) => {
  expect(trendText(en, { now, before }, 'en-GB')).toBe(text);
});

test.each([
  [1, 30, '1', '1'],
  [12, 99, '12', '12'],
  [62, 100, '62%', '62 %'],
  [1, 1000, '< 1%', '< 1 %'],
])('%d of %d plays: %s', (plays, all, english, spanish) => {
  expect(shareText(en, { plays, all }, 'en-GB')).toBe(english);
  expect(shareText(es, { plays, all }, 'es-ES')).toBe(spanish);
});

test('dates and hours follow the country', () => {
  expect(longDays(en, { from: '2026-11-01', to: '2026-11-30' }, 'en-GB')).toBe('1 November 2026 – 30 November 2026');
  expect(longDays(en, { from: '2026-11-01', to: '2026-11-01' }, 'en-US')).toBe('November 1, 2026');
  expect(shortPoint('2026-11-05', 'day', 'en-US')).toBe('Nov 5');
  expect(shortPoint('2026-11-01', 'month', 'es-ES')).toBe('nov 26');
  expect(weekdayNames('es-ES', 'long')[0]).toBe('lunes');
  expect(hourNames('en-GB')[18]).toBe('18:00');
  expect(hourNames('en-US')[18]).toMatch(/^6:00.PM$/);
});
