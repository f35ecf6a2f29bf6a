import { AppError } from '../../base/errors';
import type { Money } from '../../base/money';
import { toCoupon } from './coupons';
import { toCustomer } from './customers';
import { couponNotRedeemable, paymentsConflict } from './errors';
import type { CallStripe } from './stripe-call';

/** Our codes for Stripe errors that have no specific code. */
const UNCLEAR_CODES = ['payments.rejected', 'payments.not_found'];

/**
 * For many states, Stripe reports only a sentence that the call is not allowed. The object's present state then gives
 * the reason; null keeps the original error.
 */
export async function withReason<T>(attempt: Promise<T>, reason: () => Promise<AppError | null>): Promise<T> {
  try {
    return await attempt;
  } catch (error) {
    if (!(error instanceof AppError) || !UNCLEAR_CODES.includes(error.code)) throw error;
    // if the object cannot be fetched, the original error is the best answer
    const found = await reason().catch(() => null);
    throw found ? Object.assign(found, { cause: error.cause }) : error;
  }
}

/** Explains a failed subscription: a customer keeps the currency of the first one. */
export async function subscriptionReason(
  callStripe: CallStripe,
  { customer, price, coupon }: { customer: string; price: Money; coupon?: string },
): Promise<AppError | null> {
  const { credit } = await callStripe(async (stripe) => toCustomer(await stripe.customers.retrieve(customer)));
  return credit && credit.currency !== price.currency
    ? paymentsConflict()
    : couponReason(callStripe, coupon, price.currency);
}

/** Explains a failed call by a coupon that can't be redeemed any more or has another currency. */
export async function couponReason(
  callStripe: CallStripe,
  coupon: string | undefined,
  currency: string,
): Promise<AppError | null> {
  if (coupon === undefined) return null;
  const { valid, off } = await callStripe(async (stripe) => toCoupon(await stripe.coupons.retrieve(coupon)));
  const fits = 'percent' in off || off.currency === currency;
  return valid && fits ? null : couponNotRedeemable();
}
