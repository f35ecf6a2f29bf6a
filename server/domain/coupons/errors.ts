import { defineError } from '../../base/errors';

/**
 * One error for every reason, so that visitors can't find out which codes exist. The text comes from the specification
 * (§8).
 */
export const invalidCoupon = defineError('coupon.invalid', 'invalid', { field: 'code' });
/** Also thrown for another creator's coupon. */
export const couponNotFound = defineError('coupon.not_found', 'not_found');
export const codeTaken = defineError('coupon.code_taken', 'invalid', { field: 'couponCode' });
export const showIsFree = defineError('coupon.show_is_free', 'invalid', { field: 'productId' });
export const percentOutOfBounds = defineError('coupon.percent_out_of_bounds', 'invalid', { field: 'discount' });
/** The param is the lowest price. */
export const amountNotBelowPrice = defineError('coupon.amount_not_below_price', 'invalid', { field: 'discount' });
export const monthsRequired = defineError('coupon.months_required', 'invalid', { field: 'months' });
export const lastDayOver = defineError('coupon.last_day_over', 'invalid', { field: 'lastDay' });
export const couponLimitReached = defineError('coupon.limit_reached', 'limit_reached');
