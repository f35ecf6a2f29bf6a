export const DISCOUNT_TYPES = ['percentage', 'flat'] as const;
export type DiscountType = (typeof DISCOUNT_TYPES)[number];

export const DURATIONS = ['once', 'repeating', 'lifetime'] as const;

/** A coupon is `active` until it is disabled, used up, or its last day is over. */
export const COUPON_STATES = ['active', 'used_up', 'ended', 'disabled'] as const;
export type CouponState = (typeof COUPON_STATES)[number];
