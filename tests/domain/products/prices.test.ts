import { expect, test } from 'vitest';
import { annualSavingPercent } from '~/server/base/money';
import type { KindName } from '~/server/domain/products/kinds';
import { type PriceInput, type Prices, planTypeOf, priceProblem, pricesAfter } from '~/server/domain/products/rules';

const eur = (priceMinor: number | null, annualPriceMinor: number | null = null): Prices => ({
  priceMinor,
  annualPriceMinor,
  currency: 'eur',
});

const CHANGES: [string, Prices, PriceInput, Prices][] = [
  ['nothing', eur(500, 5000), {}, eur(500, 5000)],
  ['a first price', eur(null), { price: 500 }, eur(500)],
  ['only the monthly price', eur(500, 5000), { price: 600 }, eur(600, 5000)],
  ['only the yearly price', eur(500), { annualPrice: 5000 }, eur(500, 5000)],
  ['no yearly price', eur(500, 5000), { annualPrice: null }, eur(500)],
  ['monthly', eur(500, 5000), { planType: 'monthly' }, eur(500)],
  ['monthly with a yearly price', eur(500), { planType: 'monthly', annualPrice: 5000 }, eur(500, 5000)],
  ['yearly', eur(500, 5000), { planType: 'yearly' }, eur(500, 5000)],
  ['no price', eur(500, 5000), { price: null }, eur(null)],
  ['free', eur(500, 5000), { planType: 'free' }, eur(null)],
  ['another currency', eur(500, 5000), { currency: 'usd' }, { ...eur(500, 5000), currency: 'usd' }],
];
test.each(CHANGES)('prices after %s', (_, current, input, expected) => {
  expect(pricesAfter(current, input)).toEqual(expected);
});

test.each([
  ['podcast', eur(null), 'free'],
  ['podcast', eur(500), 'monthly'],
  ['podcast', eur(500, 5000), 'yearly'],
  ['audio_series', eur(500), 'one_time'],
  ['audio_series', eur(null), 'free'],
] as const)('the plan type of a %s with %o is %s', (kind, prices, expected) => {
  expect(planTypeOf(kind, prices)).toBe(expected);
});

const FREE = eur(null);
const PROBLEMS: [KindName, PriceInput, string | null][] = [
  ['podcast', {}, null],
  ['podcast', { planType: 'free' }, null],
  ['podcast', { planType: 'free', price: null, annualPrice: null }, null],
  ['podcast', { price: 100 }, null],
  ['podcast', { price: 50_000, annualPrice: 500_000 }, null],
  ['podcast', { planType: 'paid', price: 500 }, null],
  ['podcast', { price: 99 }, 'product.monthly_price_bounds'],
  ['podcast', { price: 50_001 }, 'product.monthly_price_bounds'],
  ['podcast', { price: 100, annualPrice: 999 }, 'product.annual_price_bounds'],
  ['podcast', { price: 100, annualPrice: 1000 }, null],
  ['podcast', { price: 100, annualPrice: 500_001 }, 'product.annual_price_bounds'],
  ['podcast', { annualPrice: 5000 }, 'product.price_required'],
  ['podcast', { planType: 'paid' }, 'product.price_required'],
  ['podcast', { planType: 'monthly', price: null }, 'product.price_required'],
  ['podcast', { planType: 'yearly', price: 500 }, 'product.annual_price_required'],
  ['podcast', { planType: 'free', price: 500 }, 'product.free_with_price'],
  ['podcast', { planType: 'free', annualPrice: 5000 }, 'product.free_with_price'],
  ['podcast', { planType: 'one_time', price: 500 }, 'product.plan_type_of_other_kind'],
  ['audio_series', { planType: 'monthly', price: 500 }, 'product.plan_type_of_other_kind'],
  ['audio_series', { planType: 'yearly', price: 500 }, 'product.plan_type_of_other_kind'],
  ['audio_series', { planType: 'one_time', price: 100_000 }, null],
  ['audio_series', { price: 100_001 }, 'product.one_time_price_bounds'],
  ['audio_series', { price: 99 }, 'product.one_time_price_bounds'],
  ['audio_series', { price: 500, annualPrice: 5000 }, 'product.annual_price_of_subscriptions'],
  ['audio_series', { price: 500, annualPrice: null }, null],
];
test.each(PROBLEMS)('a free %s that gets %o: %s', (kind, input, expected) => {
  const prices = pricesAfter(FREE, input);

  expect(priceProblem(kind, input, { prices, locale: 'en-GB' })?.code ?? null).toBe(expected);
});

test.each([
  ['en-GB', 'eur', { min: '€1.00', max: '€500.00' }],
  ['en-GB', 'usd', { min: '$1.00', max: '$500.00' }],
  ['es-ES', 'eur', { min: '1,00\u00a0€', max: '500,00\u00a0€' }],
] as const)('bounds state the currency and the amount (%s, %s)', (locale, currency, params) => {
  const prices = { ...eur(50_001), currency };

  expect(priceProblem('podcast', {}, { prices, locale })).toMatchObject({ field: 'price', params });
});

test.each([
  [500, 5000, 16],
  [500, 6000, 0],
  [500, 7000, 0],
  [1000, 9999, 16],
  [999, 1, 99],
  [500, null, null],
  [null, null, null],
] as const)('a month for %j and a year for %j save %j percent', (monthly, yearly, expected) => {
  expect(annualSavingPercent(monthly, yearly)).toBe(expected);
});
