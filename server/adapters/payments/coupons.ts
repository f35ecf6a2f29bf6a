import type Stripe from 'stripe';
import { AppError } from '../../base/errors';
import { toDateOrNull, toMoney, toSeconds } from './convert';
import type { Coupon, CouponLength } from './objects';
import type { PaymentsPort } from './port';
import type { CallStripe } from './stripe-call';

function toLength({ duration, duration_in_months: months }: Stripe.Coupon): CouponLength {
  if (duration === 'repeating') return { months: months ?? 0 };
  return duration === 'forever' ? 'forever' : 'once';
}

export function toCoupon(coupon: Stripe.Coupon): Coupon {
  const { percent_off: percent, amount_off: amount, currency } = coupon;
  return {
    id: coupon.id,
    off: percent !== null ? { percent } : toMoney(amount ?? 0, currency ?? ''),
    length: toLength(coupon),
    redeemed: coupon.times_redeemed,
    maxRedemptions: coupon.max_redemptions,
    redeemBy: toDateOrNull(coupon.redeem_by),
    valid: coupon.valid,
  };
}

function durationParams(length: CouponLength) {
  if (typeof length === 'object') return { duration: 'repeating' as const, duration_in_months: length.months };
  return { duration: length };
}

type Operations = Pick<PaymentsPort, 'createCoupon' | 'retireCoupon'>;

export function couponOperations(callStripe: CallStripe): Operations {
  return {
    createCoupon: ({ id, off, length, maxRedemptions, redeemBy }, idempotencyKey) =>
      callStripe(async (stripe) => {
        const reduction =
          'percent' in off ? { percent_off: off.percent } : { amount_off: off.minor, currency: off.currency };
        const bounds = { max_redemptions: maxRedemptions, redeem_by: redeemBy && toSeconds(redeemBy) };
        const params = { id, ...reduction, ...durationParams(length), ...bounds };
        return toCoupon(await stripe.coupons.create(params, { idempotencyKey }));
      }),
    retireCoupon: (id) =>
      callStripe(async (stripe) => {
        await stripe.coupons.del(id);
      }).catch((error: unknown) => {
        // Stripe ignores idempotency keys for DELETE ("Idempotent requests"): a retry finds nothing
        if (!(error instanceof AppError && error.code === 'payments.not_found')) throw error;
      }),
  };
}
