import { expect, test } from 'vitest';
import { firstDayOfWeek, formatDate, formatNumber, localeOf, localeOfUser, regionsOf } from '~/server/base/formats';

test.each([
  ['en', 'US', 'November 24, 2026', '1,234.5'],
  ['en', 'IE', '24 November 2026', '1,234.5'],
  ['en', 'ES', '24 November 2026', '1,234.5'],
  ['en', null, '24 November 2026', '1,234.5'],
  ['es', 'ES', '24 de noviembre de 2026', '1234,5'],
  ['es', 'AR', '24 de noviembre de 2026', '1234,5'],
  ['es', 'MX', '24 de noviembre de 2026', '1,234.5'],
  ['es', null, '24 de noviembre de 2026', '1234,5'],
] as const)('formats follow the country, not the language (%s in %s)', (language, country, date, number) => {
  const locale = localeOf(language, country);

  expect(formatDate(new Date('2026-11-24T23:30:00Z'), locale)).toBe(date);
  expect(formatNumber(1234.5, locale)).toBe(number);
});

test('a user without a language reads English with the formats of the own country', () => {
  expect(localeOfUser({ language: null, country: 'US' })).toBe('en-US');
  expect(localeOfUser({ language: null, country: null })).toBe('en-GB');
});

test('weeks start with the country’s first day, and with Monday if it is unknown', () => {
  expect(['US', 'IE', 'ES', 'EG', 'XX'].map(firstDayOfWeek)).toEqual([0, 1, 1, 6, 1]);
  expect(firstDayOfWeek(null)).toBe(1);
});

test('the browser’s languages name regions', () => {
  expect(regionsOf('es-MX,es;q=0.9,zh-Hant-TW;q=0.8,en-GB;q=0.7')).toEqual(['MX', 'TW', 'GB']);
  expect(regionsOf('en,*;q=0.1')).toEqual([]);
});
