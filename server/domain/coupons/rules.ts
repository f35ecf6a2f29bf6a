import type { CouponDuration } from '~/db/schema/coupons';
import type { AppError } from '../../base/errors';
import type { Locale } from '../../base/formats';
import { formatMoney, fromDecimal } from '../../base/money';
import { COUPON_LIMITS } from '../../limits/coupons';
import { KINDS, type KindName } from '../products/kinds';
import type { Prices } from '../products/rules';
import { amountNotBelowPrice, monthsRequired, percentOutOfBounds, showIsFree } from './errors';
import type { CouponState, DiscountType } from './kinds';

/** A percentage of the price, or an amount in minor units. */
export type Reduction = { percent: number | null; amountMinor: number | null };

/**
 * The discount of a coupon on a price, in minor units: percentages are rounded half up, like at the payment provider.
 * The rest is zero, or at least the provider's smallest charge.
 */
export function discountOf(reduction: Reduction, priceMinor: number): number {
  const off = nominalDiscount(reduction, priceMinor);
  const rest = priceMinor - off;
  return rest > 0 && rest < COUPON_LIMITS.leastCharge ? Math.max(0, priceMinor - COUPON_LIMITS.leastCharge) : off;
}

/** The discount without regard to the smallest charge. */
export function nominalDiscount({ percent, amountMinor }: Reduction, priceMinor: number): number {
  return percent === null ? Math.min(amountMinor ?? 0, priceMinor) : Math.round((priceMinor * percent) / 100);
}

/** Whether a reduction can be used at a price: an amount must be below the price. */
export const fitsPrice = ({ amountMinor }: Reduction, priceMinor: number): boolean =>
  amountMinor === null || amountMinor < priceMinor;

/** Codes are compared in capitals. Null for texts that can't be codes. */
export function normalizedCode(text: string): string | null {
  const code = text.trim();
  return /^[A-Za-z0-9]+$/.test(code) && code.length <= COUPON_LIMITS.codeLength ? code.toUpperCase() : null;
}

/** `discount`: in hundredths, of a percentage or of the currency. */
export type CouponInput = {
  discountType: DiscountType;
  discount: number;
  duration: CouponDuration;
  months?: number | null;
};
export type CouponTerms = Reduction & { duration: CouponDuration; months: number | null };

/** The terms of a new coupon. A coupon for an audio series, which is paid once, applies once (decisions, Money). */
export function termsOf(kind: KindName, { discountType, discount, ...input }: CouponInput): CouponTerms {
  const duration = KINDS[kind].sale === 'purchase' ? 'once' : input.duration;
  const months = duration === 'repeating' ? (input.months ?? null) : null;
  const isPercentage = discountType === 'percentage';
  return {
    percent: isPercentage ? discount / 100 : null,
    amountMinor: isPercentage ? null : discount,
    duration,
    months,
  };
}

/** Why the coupon can't be created for a show with these prices; null if it can. `locale`: of amounts. */
export function couponProblem(terms: CouponTerms, prices: Prices, locale: Locale): AppError | null {
  const { percent, amountMinor, duration, months } = terms;
  const lowest = lowestPrice(prices);
  if (lowest === null) return showIsFree();
  const isPercentage = percent !== null;
  if (isPercentage && !(Number.isInteger(percent) && percent >= 1 && percent <= 100)) return percentOutOfBounds();
  const price = formatMoney({ minor: lowest, currency: prices.currency }, locale);
  if (!isPercentage && !(amountMinor !== null && amountMinor > 0 && amountMinor < lowest))
    return amountNotBelowPrice({ price });
  return duration === 'repeating' && months === null ? monthsRequired() : null;
}

function lowestPrice({ priceMinor, annualPriceMinor }: Prices): number | null {
  return priceMinor === null ? null : Math.min(priceMinor, annualPriceMinor ?? priceMinor);
}

export type CouponUse = { disabledAt: Date | null; endsAt: Date | null; taken: number; maxRedemptions: number | null };

/** `taken` also counts open payment pages: until a page closes unpaid, its redemption is not free. */
export function couponState({ disabledAt, endsAt, taken, maxRedemptions }: CouponUse, now: Date): CouponState {
  if (disabledAt !== null) return 'disabled';
  if (endsAt !== null && endsAt <= now) return 'ended';
  return maxRedemptions !== null && taken >= maxRedemptions ? 'used_up' : 'active';
}

/** `20`, `20%` or `4,99`: a percentage or an amount, both with hundredths; null for another text. */
export const readDiscount = (text: string): number | null => fromDecimal(text.replace(/\s*%\s*$/, ''));
