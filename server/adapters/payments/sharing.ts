import type Stripe from 'stripe';
import type { Money } from '../../money';
import { toCoupon } from './coupons';
import type { Coupon } from './objects';
import type { PercentSharing, Sharing } from './port';

export type Sale = { price: Money; coupon?: string; sharing?: Sharing | PercentSharing };

/**
 * What a one-time payment passes on. Stripe takes only an amount as its fee, so a percentage is computed from what is
 * really paid, after the coupon.
 */
export async function paymentShare(stripe: Stripe, { price, coupon, sharing }: Sale) {
  if (!sharing) return {};
  const transfer_data = { destination: sharing.account };
  if ('fee' in sharing) return { application_fee_amount: sharing.fee.minor, transfer_data };
  const paid = coupon === undefined ? price.minor : discounted(price, toCoupon(await stripe.coupons.retrieve(coupon)));
  // nothing is paid, so nothing can be passed on
  if (paid === 0) return {};
  return { application_fee_amount: percentOf(paid, sharing.feePercent), transfer_data };
}

/** What each payment of a subscription passes on. */
export const subscriptionShare = (sharing: PercentSharing | undefined) =>
  sharing && { application_fee_percent: sharing.feePercent, transfer_data: { destination: sharing.account } };

function discounted({ minor }: Money, { off }: Coupon): number {
  return Math.max(0, minor - ('percent' in off ? percentOf(minor, off.percent) : off.minor));
}

/** Percentages have at most two decimals. Halves are rounded up, as Stripe does. */
const percentOf = (minor: number, percent: number) => Math.round((minor * Math.round(percent * 100)) / 10_000);
