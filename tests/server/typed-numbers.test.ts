import { expect, test } from 'vitest';
import { readTypedNumber } from '~/server/base/typed-numbers';

test.each([
  ['5', '5', '5'],
  ['0.5', '0.5', '0.5'],
  ['4,99', '4.99', '4.99'],
  ['4.99', '4.99', '4.99'],
  ['1.234,50', '1234.50', '1234.50'],
  ['1,234.50', '1234.50', '1234.50'],
  ['1.234.567', '1234567', '1234567'],
  ['1 234', '1234', '1234'],
  ['12\u202f345\u00a0678,9', '12345678.9', '12345678.9'],
  ['€5', '5', '5'],
  ['5 €', '5', '5'],
  ['$ 1,234.5', '1234.5', '1234.5'],
  ['US$5', '5', '5'],
  ['5,50 eur', '5.50', '5.50'],
  ['1,234', '1234', '1.234'],
  ['1.234', '1.234', '1234'],
  ['0,500', '0.500', '0.500'],
  ['1234,567', '1234.567', '1234.567'],
  ['', null, null],
  ['-1', null, null],
  ['1e5', null, null],
  ['0x10', null, null],
  ['1,23,456', null, null],
  ['1.234,567.8', null, null],
  ['1 23', null, null],
  ['5 € 6', null, null],
  [`1${' '.repeat(15_000)}1`, null, null],
])('"%s" is %s in English, and %s in Spanish', (text, english, spanish) => {
  expect(readTypedNumber(text, 'en-GB')).toBe(english);
  expect(readTypedNumber(text, 'es-ES')).toBe(spanish);
});

test('a Spanish reader in a country with a decimal point groups with commas', () => {
  expect(readTypedNumber('1,234', 'es-MX')).toBe('1234');
});
