import { expect, test } from 'vitest';
import { countryOfLanguages } from '~/app/lib/guessed-country.server';

const COUNTRIES = ['ES', 'MX', 'GB', 'IE'].map((value) => ({ value, label: value }));

test.each([
  ['en-GB,en;q=0.9', 'GB'],
  ['es,en-IE;q=0.8', 'IE'],
  ['zh-Hant-XX, es-MX;q=0.5', 'MX'],
  ['es', null],
  ['es-419', null],
  ['', null],
  ['-GB, x'.repeat(50), null],
])('the languages %j suggest %s', (header, expected) => {
  expect(countryOfLanguages(header, COUNTRIES)).toBe(expected);
});
