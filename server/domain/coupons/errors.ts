import { defineError } from '../../errors';

/** For every reason, so that nobody learns which codes exist (§8). */
export const invalidCoupon = defineError('coupon.invalid', 'invalid', { field: 'code' });
