import { AppError } from '../../errors';
import { readCoupon } from './coupons';
import { couponNotRedeemable } from './errors';
import type { Speak } from './stripe-call';

/** What Stripe's refusals without a code of their own become. */
const UNCLEAR = ['payments.refused', 'payments.not_found'];

/**
 * Of many states Stripe tells only by a sentence that they do not allow a call. Then what the object looks like now
 * gives the reason; null leaves the refusal as it was.
 */
export async function withReason<T>(attempt: Promise<T>, reason: () => Promise<AppError | null>): Promise<T> {
  try {
    return await attempt;
  } catch (error) {
    if (!(error instanceof AppError) || !UNCLEAR.includes(error.code)) throw error;
    // what the object can't tell (it is not there, or out of reach) the refusal has told already
    const found = await reason().catch(() => null);
    throw found ? Object.assign(found, { cause: error.cause }) : error;
  }
}

/** A coupon that nobody can redeem any more is the likely reason. */
export async function couponReason(speak: Speak, coupon: string | undefined): Promise<AppError | null> {
  if (coupon === undefined) return null;
  const { valid } = await speak(async (stripe) => readCoupon(await stripe.coupons.retrieve(coupon)));
  return valid ? null : couponNotRedeemable();
}
