import { z } from 'zod';
import { fields, listFields } from '../../base/fields';
import { COUPON_LIMITS } from '../../limits/coupons';
import { COUPON_STATES, DISCOUNT_TYPES, DURATIONS } from './kinds';
import { normalizedCode, readDiscount } from './rules';

/** Forms send empty strings for fields that users leave blank. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' || value === null ? undefined : value), schema.optional());

export const createCoupon = z.object({
  productId: fields.id(),
  /**
   * Letters and digits in any case (spec §5). The field is not named `code`, because a failed form would not show its
   * value again.
   */
  couponCode: z.string({ error: 'coupon.code_invalid' }).transform((text, ctx) => {
    const code = normalizedCode(text);
    if (code === null) ctx.addIssue({ code: 'custom', message: 'coupon.code_invalid' });
    return code ?? z.NEVER;
  }),
  discountType: fields.oneOf(DISCOUNT_TYPES),
  discount: z.union([z.string(), z.number()], { error: 'coupon.discount_invalid' }).transform((value, ctx) => {
    const hundredths = readDiscount(String(value));
    if (hundredths === null) ctx.addIssue({ code: 'custom', message: 'coupon.discount_invalid' });
    return hundredths ?? z.NEVER;
  }),
  duration: fields.oneOf(DURATIONS).default('once'),
  months: optional(fields.whole(1, COUPON_LIMITS.months, 'coupon.months_invalid')),
  /** Without a number, redemptions are unlimited. */
  redemptions: optional(fields.whole(1, COUPON_LIMITS.redemptions, 'coupon.redemptions_invalid')),
  /** The last day on which buyers can use it, in the creator's time zone. Without one, it has no end. */
  lastDay: fields.day().optional(),
});

export const setCouponState = z.object({ id: fields.id(), disabled: fields.flag() });

export const listCoupons = z.object({
  ...listFields,
  state: optional(fields.oneOf(COUPON_STATES)),
  productId: optional(fields.id()),
});

export const INTERVALS = ['monthly', 'yearly'] as const;

/** A buyer's question. `interval`: the interval of a subscription, by default the first that the show offers. */
export const checkCoupon = z.object({
  code: z.string({ error: 'coupon.invalid' }).max(200, { error: 'coupon.invalid' }),
  productId: fields.id(),
  interval: optional(fields.oneOf(INTERVALS)),
});

export type SetCouponState = z.infer<typeof setCouponState>;
export type CreateCoupon = z.infer<typeof createCoupon>;
export type ListCoupons = z.infer<typeof listCoupons>;
export type CheckCoupon = z.infer<typeof checkCoupon>;
