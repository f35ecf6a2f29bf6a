import { expect, test } from 'vitest';
import { PER_EURO, RATES_ON, REGISTRATION_RULES } from '~/server/domain/vat/registration-rules';
import {
  countriesWithoutRule,
  describeRegistration,
  registrationsDue,
  type SoldTo,
  soldToConsumersAbroad,
} from '~/server/domain/vat/registrations';

const home = { country: 'ES', taxRegistrations: [] };
const none = { twelveMonths: 0, thisYear: 0, lastYear: 0 };
const to = (country: string, euros: Partial<typeof none>, over: Partial<SoldTo> = {}): SoldTo => ({
  ...{ country, basis: 'outside_eu', currency: 'eur', ...none },
  ...Object.fromEntries(Object.entries(euros).map(([period, amount]) => [period, Math.round(amount * 100)])),
  ...over,
});
const due = (...sold: SoldTo[]) =>
  registrationsDue(sold, home).map(({ rule, sold: amount, currency, isReached }) => [
    rule.countries[0],
    amount,
    currency,
    isReached,
  ]);
const inEuros = (amount: number, currency: string) => amount / PER_EURO[currency]!;

test.each(REGISTRATION_RULES)('the rule of $countries has a source, a day and a currency', (rule) => {
  expect(rule.source).toMatch(/^https:\/\/[a-z]/);
  for (const day of [rule.since, rule.checkedOn, RATES_ON]) expect(new Date(day).toISOString().slice(0, 10)).toBe(day);
  expect(rule.since < rule.checkedOn).toBe(true);
  expect(rule.currency).toMatch(/^[a-z]{3}$/);
  expect(rule.countries.every((country) => /^[A-Z]{2}$/.test(country))).toBe(true);
  if (rule.threshold || rule.worldThreshold) expect(PER_EURO[rule.currency]).toBeGreaterThan(0);
});

test('no country has two rules', () => {
  const countries = REGISTRATION_RULES.flatMap((rule) => rule.countries);

  expect(new Set(countries).size).toBe(countries.length);
});

test.each([
  ['the first sale to the United Kingdom', [to('GB', { twelveMonths: 5 })], [['GB', 4, 'gbp', true]]],
  ['a country without a rate, in euros', [to('MX', { twelveMonths: 5 })], [['MX', 5, 'eur', true]]],
  ['sales that went back', [to('GB', { twelveMonths: 0, lastYear: 5 })], []],
  ['Norway below 80 %', [to('NO', { twelveMonths: inEuros(39_999, 'nok') })], []],
  ['Norway at 80 %', [to('NO', { twelveMonths: inEuros(40_001, 'nok') })], [['NO', 40_001, 'nok', false]]],
  ['Norway at the threshold', [to('NO', { twelveMonths: inEuros(50_001, 'nok') })], [['NO', 50_001, 'nok', true]]],
  [
    'dollars and euros together',
    [to('AU', { twelveMonths: 25_000 }), to('AU', { twelveMonths: 28_172.5 }, { currency: 'usd' })],
    [['AU', 80_700, 'aud', true]],
  ],
  ['American sales of the last year', [to('US', { lastYear: 90_000 })], [['US', 101_421, 'usd', true]]],
  ['Switzerland below its worldwide threshold', [to('CH', { thisYear: 500 }), to('ES', { thisYear: 50_000 })], []],
  [
    'Switzerland and Liechtenstein above it',
    [to('CH', { thisYear: 500 }), to('LI', { thisYear: 500 }), to('ES', { thisYear: 110_000 })],
    [['CH', 936, 'chf', true]],
  ],
  ['Singapore with few sales elsewhere', [to('SG', { thisYear: 90_000 })], []],
  ['Argentina, where the bank collects', [to('AR', { twelveMonths: 90_000 })], []],
  ['a country of the Union', [to('FR', { twelveMonths: 90_000 })], []],
] as const)('a registration: %s', (_, sold, expected) => {
  expect(due(...sold)).toEqual(expected);
});

test('the operator’s own country and its registrations are left out, and the most urgent comes first', () => {
  const sold = [
    to('NO', { twelveMonths: 4_000 }),
    to('GB', { twelveMonths: 100 }),
    to('AU', { twelveMonths: 200_000 }),
  ];
  const countries = (of: Parameters<typeof registrationsDue>[1]) =>
    registrationsDue(sold, of).map(({ rule }) => rule.countries[0]);

  expect(countries(home)).toEqual(['GB', 'AU', 'NO']);
  expect(countries({ country: 'GB', taxRegistrations: ['NO'] })).toEqual(['AU']);
});

test('a line for operators has amounts, the threshold, the source and the day of the rates', () => {
  const [norway] = registrationsDue([to('NO', { twelveMonths: 4_000 })], home);
  const [kingdom] = registrationsDue([to('GB', { twelveMonths: 100 })], home);

  expect(describeRegistration(norway!)).toMatch(/^NO: a registration is near: sales of 43112 of 50000 NOK, 86 % \(VAT/);
  expect(describeRegistration(norway!)).toContain(`at rates of ${RATES_ON}`);
  expect(describeRegistration(kingdom!)).toMatch(/^GB: register: sales of 85 GBP, the first sale counts .*gov\.uk/);
});

test('countries that nobody has looked at are named, if they are outside the Union', () => {
  const sold = [to('PE', { twelveMonths: 5 }), to('UY', { lastYear: 5 }), to('FR', { twelveMonths: 5 })];

  expect(countriesWithoutRule([...sold, to('GB', { twelveMonths: 5 })], home)).toEqual(['PE']);
});

test('sales to consumers in other countries of the Union, wherever their VAT went', () => {
  const abroad = [
    to('FR', { thisYear: 3_000, lastYear: 100 }, { basis: 'charged' }),
    to('ES', { thisYear: 6_000 }, { basis: 'charged_at_home' }),
    to('FR', { thisYear: 1_126.9 }, { basis: 'charged', currency: 'usd' }),
  ];
  const others = [
    to('ES', { thisYear: 9_000 }, { basis: 'charged' }),
    to('FR', { thisYear: 9_000 }, { basis: 'reverse_charge' }),
    to('FR', { thisYear: 9_000 }, { basis: 'outside_eu' }),
  ];

  const sums = soldToConsumersAbroad([...abroad, ...others], home);

  expect([Math.round(sums.thisYear), Math.round(sums.lastYear)]).toEqual([10_000, 100]);
});
