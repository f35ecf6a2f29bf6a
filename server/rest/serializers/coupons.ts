import { z } from 'zod';
import { CURRENCIES, toDecimal } from '../../base/money';
import { DISCOUNT_TYPES, DURATIONS } from '../../domain/coupons/kinds';
import type { CouponOffer } from '../../domain/coupons/usable-coupon';
import { serializer } from '../call';

const amount = z.string().regex(/^\d+\.\d\d$/);

/**
 * `discount` is a percentage or an amount, depending on `discount_type`; `months` is the duration of a repeating
 * discount.
 */
export const couponOut = serializer(
  'Coupon',
  z.strictObject({
    valid: z.literal(true),
    code: z.string(),
    discount_type: z.enum(DISCOUNT_TYPES),
    discount: amount,
    duration: z.enum(DURATIONS),
    months: z.int().nullable(),
    price: amount,
    discounted_price: amount,
    currency: z.enum(CURRENCIES),
  }),
  ({ code, percent, amountMinor, duration, months, priceMinor, totalMinor, currency }: CouponOffer) => ({
    valid: true as const,
    code,
    discount_type: percent === null ? ('flat' as const) : ('percentage' as const),
    discount: toDecimal(percent === null ? (amountMinor ?? 0) : percent * 100),
    duration,
    months,
    price: toDecimal(priceMinor),
    discounted_price: toDecimal(totalMinor),
    currency,
  }),
);
