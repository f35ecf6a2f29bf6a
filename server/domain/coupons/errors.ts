import { defineError } from '../../base/errors';

/** For every reason, so that nobody learns which codes exist. Its text is the specification's (§8). */
export const invalidCoupon = defineError('coupon.invalid', 'invalid', { field: 'code' });
/** Of another creator, too. */
export const couponNotFound = defineError('coupon.not_found', 'not_found');
export const codeTaken = defineError('coupon.code_taken', 'invalid', { field: 'couponCode' });
export const showIsFree = defineError('coupon.show_is_free', 'invalid', { field: 'productId' });
export const percentOutOfBounds = defineError('coupon.percent_out_of_bounds', 'invalid', { field: 'discount' });
/** Its param is the lowest price. */
export const amountNotBelowPrice = defineError('coupon.amount_not_below_price', 'invalid', { field: 'discount' });
export const monthsRequired = defineError('coupon.months_required', 'invalid', { field: 'months' });
export const couponLimitReached = defineError('coupon.limit_reached', 'limit_reached');
