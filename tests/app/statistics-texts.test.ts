import { expect, test } from 'vitest';
import { changeText } from '~/app/features/studio/statistics/changes';
import { hourNames, longDays, longMonths, shortPoint, weekdayNames } from '~/app/features/studio/statistics/dates';
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
  const months = { from: '2026-08-01', to: '2026-10-01' };
  expect(longMonths(en, months, 'en-GB')).toBe('August – October 2026');
  expect(longMonths(es, months, 'es-ES')).toBe('de agosto a octubre de 2026');
  expect(longMonths(en, { ...months, from: '2025-12-01' }, 'en-GB')).toBe('December 2025 – October 2026');
  expect(longMonths(es, { from: '2026-10-01', to: '2026-10-31' }, 'es-ES')).toBe('octubre de 2026');
  expect(shortPoint('2026-11-05', 'day', 'en-US')).toBe('Nov 5');
  expect(shortPoint('2026-11-01', 'month', 'es-ES')).toBe('nov 26');
  expect(weekdayNames('es-ES', 'long')[0]).toBe('lunes');
  expect(hourNames('en-GB')[18]).toBe('18:00');
  expect(hourNames('en-US')[18]).toMatch(/^6:00.PM$/);
});

test.each([
  [
    'machines',
    0,
    -124,
    '124 downloads of 1 October 2026 – 31 October 2026 were removed, because their apps turned out to be machines.',
  ],
  [
    'machines',
    0,
    -1,
    '1 download of 1 October 2026 – 31 October 2026 was removed, because its app turned out to be a machine.',
  ],
  ['machines', 3, -5, '1 October 2026 – 31 October 2026 was counted again, which removed 2 plays.'],
  ['recount', 1200, 34, '1 October 2026 – 31 October 2026 was counted again, which added 1,234 plays.'],
  ['recount', 2, -2, '1 October 2026 – 31 October 2026 was counted again. The sum stayed the same.'],
] as const)('a correction (%s, %d listens and %d downloads) is a sentence', (reason, listens, downloads, text) => {
  const change = { day: '2026-11-26', from: '2026-10-01', to: '2026-10-31', reason, listens, downloads };

  expect(changeText(change, { t: en, locale: 'en-GB' })).toBe(`26 November 2026: ${text}`);
  expect(changeText(change, { t: es, locale: 'es-ES' })).toMatch(/^26 de noviembre de 2026: se /);
});
