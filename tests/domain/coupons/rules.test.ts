import { expect, test } from 'vitest';
import {
  couponProblem,
  couponState,
  discountOf,
  fitsPrice,
  normalizedCode,
  termsOf,
} from '~/server/domain/coupons/rules';
import { createCoupon } from '~/server/domain/coupons/schema';

const percent = (value: number) => ({ percent: value, amountMinor: null });
const amount = (value: number) => ({ percent: null, amountMinor: value });

test.each([
  ['20% of 4.99, rounded half up', percent(20), 499, 100],
  ['50% of 4.99', percent(50), 499, 250],
  ['1% of 1.00', percent(1), 100, 1],
  ['everything', percent(100), 499, 499],
  ['a percentage that leaves less than the smallest charge', percent(75), 100, 50],
  ['a percentage that leaves exactly the smallest charge', percent(50), 100, 50],
  ['an amount', amount(150), 499, 150],
  ['an amount that leaves less than the smallest charge', amount(480), 499, 449],
  ['an amount above a price that was lowered', amount(600), 499, 499],
])('discount: %s', (_, reduction, price, expected) => {
  expect(discountOf(reduction, price)).toBe(expected);
});

test.each([
  ['a percentage', percent(100), 100, true],
  ['an amount below the price', amount(99), 100, true],
  ['an amount equal to the price', amount(100), 100, false],
])('fits the price: %s', (_, reduction, price, expected) => {
  expect(fitsPrice(reduction, price)).toBe(expected);
});

test.each([
  ['verano24', 'VERANO24'],
  ['  Verano ', 'VERANO'],
  ['A', 'A'],
  ['', null],
  ['TWO WORDS', null],
  ['SALE-10', null],
  ['AÑO', null],
  ['50%', null],
  ['ß', null],
  ['A'.repeat(30), 'A'.repeat(30)],
  ['A'.repeat(31), null],
])('code %j', (text, expected) => {
  expect(normalizedCode(text)).toBe(expected);
});

const MONTHLY = { priceMinor: 500, annualPriceMinor: 5000, currency: 'eur' as const };
const FREE = { priceMinor: null, annualPriceMinor: null, currency: 'eur' as const };
const input = { discountType: 'percentage' as const, discount: 2000, duration: 'once' as const };

test.each([
  ['a percentage', 'podcast', input, MONTHLY, null],
  ['100%', 'podcast', { ...input, discount: 10_000 }, MONTHLY, null],
  ['0%', 'podcast', { ...input, discount: 0 }, MONTHLY, 'coupon.percent_out_of_bounds'],
  ['101%', 'podcast', { ...input, discount: 10_100 }, MONTHLY, 'coupon.percent_out_of_bounds'],
  ['half a per cent', 'podcast', { ...input, discount: 50 }, MONTHLY, 'coupon.percent_out_of_bounds'],
  ['12.5%', 'podcast', { ...input, discount: 1250 }, MONTHLY, 'coupon.percent_out_of_bounds'],
  ['an amount', 'podcast', { ...input, discountType: 'flat', discount: 499 }, MONTHLY, null],
  [
    'the whole price',
    'podcast',
    { ...input, discountType: 'flat', discount: 500 },
    MONTHLY,
    'coupon.amount_not_below_price',
  ],
  ['no amount', 'podcast', { ...input, discountType: 'flat', discount: 0 }, MONTHLY, 'coupon.amount_not_below_price'],
  ['a free show', 'podcast', input, FREE, 'coupon.show_is_free'],
  ['some months', 'podcast', { ...input, duration: 'repeating', months: 3 }, MONTHLY, null],
  ['repeating without months', 'podcast', { ...input, duration: 'repeating' }, MONTHLY, 'coupon.months_required'],
  ['months of a series, which is paid once', 'audio_series', { ...input, duration: 'repeating' }, MONTHLY, null],
] as const)('a new coupon: %s', (_, kind, given, prices, expected) => {
  expect(couponProblem(termsOf(kind, given), prices, 'en-GB')?.code ?? null).toBe(expected);
});

test.each([
  ['audio_series', 'lifetime', { duration: 'once', months: null }],
  ['audio_series', 'repeating', { duration: 'once', months: null }],
  ['podcast', 'lifetime', { duration: 'lifetime', months: null }],
  ['podcast', 'repeating', { duration: 'repeating', months: 3 }],
] as const)('the duration of a coupon for %s: %s', (kind, duration, expected) => {
  expect(termsOf(kind, { ...input, duration, months: 3 })).toMatchObject(expected);
});

const NOON = new Date('2026-11-20T12:00:00Z');
const use = { disabledAt: null, endsAt: null, taken: 0, maxRedemptions: null };
test.each([
  ['never used', { ...use, maxRedemptions: 1 }, 'active'],
  ['without a limit', { ...use, taken: 9 }, 'active'],
  ['a second before its end', { ...use, endsAt: new Date('2026-11-20T12:00:01Z') }, 'active'],
  ['at its end', { ...use, endsAt: NOON }, 'ended'],
  ['all taken', { ...use, taken: 1, maxRedemptions: 1 }, 'used_up'],
  ['all taken, after its end', { ...use, taken: 1, maxRedemptions: 1, endsAt: NOON }, 'ended'],
  ['disabled, after its end', { ...use, disabledAt: NOON, endsAt: NOON }, 'disabled'],
])('the state of a coupon: %s', (_, facts, expected) => {
  expect(couponState(facts, NOON)).toBe(expected);
});

const form = { productId: '1', couponCode: 'a', discountType: 'flat', discount: '5', months: '', redemptions: '' };
test.each([
  ['an empty limit', {}, true],
  ['a decimal comma', { discount: '1,50' }, true],
  ['a negative amount', { discount: '-1' }, false],
  ['no number', { discount: 'NaN' }, false],
  ['an exponent', { discount: '1e9' }, false],
  ['37 months', { duration: 'repeating', months: '37' }, false],
  ['no redemptions at all', { redemptions: '0' }, false],
  ['spaces in the code', { couponCode: 'a b' }, false],
])('the form of a new coupon: %s', (_, over, expected) => {
  expect(createCoupon.safeParse({ ...form, ...over }).success).toBe(expected);
});

test('an impossible limit or number of months gets an error that names the allowed range', () => {
  const { error } = createCoupon.safeParse({ ...form, redemptions: '0', months: '37' });
  expect(error?.issues.map(({ message }) => message)).toEqual(['coupon.months_invalid', 'coupon.redemptions_invalid']);
});
