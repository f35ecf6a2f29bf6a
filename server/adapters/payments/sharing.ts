import type Stripe from 'stripe';
import type { Money } from '../../base/money';
import { toCoupon } from './coupons';
import type { Coupon } from './objects';
import type { PercentSharing, PlatformFee, PlatformShare, Sharing } from './port';

export type Sale = { price: Money; coupon?: string; sharing?: Sharing | PercentSharing; platformFee?: PlatformFee };

type SharedSubscription = { sharing?: PercentSharing; platformFee?: PlatformShare };

/**
 * The part of a one-time payment that another account gets. Stripe takes only an amount as its fee, so a percentage is
 * computed from the amount really paid, after the coupon.
 */
export async function paymentShare(stripe: Stripe, { price, coupon, sharing, platformFee }: Sale) {
  const share = sharing ?? platformFee;
  if (!share) return {};
  const transfer = sharing && { transfer_data: { destination: sharing.account } };
  if ('fee' in share)
    return share.fee.minor === 0 && !sharing ? {} : { application_fee_amount: share.fee.minor, ...transfer };
  const paid = coupon === undefined ? price.minor : discounted(price, toCoupon(await stripe.coupons.retrieve(coupon)));
  // nothing is paid, so nothing can be shared
  if (paid === 0) return {};
  return { application_fee_amount: percentOf(paid, share.feePercent), ...transfer };
}

/** The part of each payment of a subscription that another account gets. */
export const subscriptionShare = ({ sharing, platformFee }: SharedSubscription) =>
  sharing
    ? { application_fee_percent: sharing.feePercent, transfer_data: { destination: sharing.account } }
    : platformFee && { application_fee_percent: platformFee.feePercent };

function discounted({ minor }: Money, { off }: Coupon): number {
  return Math.max(0, minor - ('percent' in off ? percentOf(minor, off.percent) : off.minor));
}

/** Percentages have at most two decimals. Halves are rounded up, as Stripe does. */
const percentOf = (minor: number, percent: number) => Math.round((minor * Math.round(percent * 100)) / 10_000);
