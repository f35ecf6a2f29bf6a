import { expect, test } from 'vitest';
import { annualSavingPercent, currencyOf, formatMoney, fromDecimal, toDecimal } from '~/server/base/money';

test.each([
  ['4.99', 499],
  ['4,9', 490],
  ['0.05', 5],
  ['12', 1200],
  [' 1.00 ', 100],
  ['1.005', null],
  ['-1', null],
  ['1e3', null],
  ['', null],
])('the decimal %j is %j minor units', (text, minor) => {
  expect(fromDecimal(text)).toBe(minor);
});

test('minor units become decimals with two digits', () => {
  expect([toDecimal(499), toDecimal(5), toDecimal(0), toDecimal(123456)]).toEqual(['4.99', '0.05', '0.00', '1234.56']);
});

test.each([
  [500, 5000, 16],
  [499, 4990, 16],
  [1000, 12000, 0],
  [1000, 13000, 0],
  [null, 5000, null],
  [500, null, null],
])('the yearly saving of %j a month and %j a year is %j percent, floored', (monthly, annual, percent) => {
  expect(annualSavingPercent(monthly, annual)).toBe(percent);
});

test('amounts follow the conventions of a language in a country', () => {
  const price = { minor: 499, currency: 'eur' } as const;

  expect(formatMoney(price, 'en-GB')).toBe('€4.99');
  expect(formatMoney({ ...price, currency: 'usd' }, 'en-GB')).toBe('$4.99');
  expect(formatMoney({ ...price, currency: 'usd' }, 'es-MX').replace(/\u00a0/g, ' ')).toBe('USD 4.99');
  expect(formatMoney(price, 'es-ES').replace(/\u00a0/g, ' ')).toBe('4,99 €');
});

test('the currency follows the country', () => {
  expect(['ES', 'DE', 'US', 'MX', 'GB'].map(currencyOf)).toEqual(['eur', 'eur', 'usd', 'usd', 'usd']);
});
