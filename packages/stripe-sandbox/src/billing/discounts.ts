import type Stripe from 'stripe';
import type { Work } from '../engine/account-work';
import { newId } from '../wire/ids';
import { NULL_FIELDS } from '../wire/null-fields';
import { idOf, type Ref } from '../wire/objects';
import { arrayOf, group, text } from '../wire/shapes';
import { addMonths } from './billing-dates';
import { countRedemption, findRedeemableCoupon } from './coupons';
import { discountLines, type Reduction } from './discount-amounts';
import { couponIdOf, findRedeemableCode } from './promotion-codes';

export const DISCOUNTS = arrayOf(group({ coupon: text(), promotion_code: text(), discount: text() }));
export type DiscountInput = { coupon?: string; promotion_code?: string; discount?: string };

type DiscountTarget = {
  customer: string;
  subscription?: string;
  session?: string;
  currency: string;
  /** When the discount's months begin, if not now. */
  start?: number;
};

/** Redeems coupons and promotion codes: each becomes a discount of the customer. */
export async function redeemCoupons(
  work: Work,
  inputs: DiscountInput[],
  target: DiscountTarget,
): Promise<Stripe.Discount[]> {
  const created: Stripe.Discount[] = [];
  for (const { coupon, promotion_code: codeId, discount } of inputs) {
    if (discount) {
      created.push(await work.find('discount', discount, 'discounts'));
      continue;
    }
    const code = codeId
      ? await findRedeemableCode(work, codeId, { param: 'discounts[0][promotion_code]', ...target })
      : null;
    const found = await findRedeemableCoupon(
      work,
      coupon ?? (code ? couponIdOf(code) : ''),
      target.currency,
      'discounts[0][coupon]',
    );
    countRedemption(work, found);
    if (code) {
      code.times_redeemed += 1;
      if (code.max_redemptions !== null && code.times_redeemed >= code.max_redemptions) code.active = false;
    }
    created.push(newDiscount(work, found, target, code?.id ?? null));
  }
  return created;
}

function newDiscount(work: Work, coupon: Stripe.Coupon, target: DiscountTarget, code: string | null): Stripe.Discount {
  const start = target.start ?? work.now();
  const months = coupon.duration === 'repeating' ? coupon.duration_in_months : null;
  const discount: Stripe.Discount = {
    ...NULL_FIELDS.discount,
    id: newId('di'),
    object: 'discount',
    checkout_session: target.session ?? null,
    customer: target.customer,
    end: months === null ? null : addMonths(start, months),
    promotion_code: code,
    source: { type: 'coupon', coupon: coupon.id },
    start,
    subscription: target.subscription ?? null,
  };
  const { percent_off: percent, amount_off: amount, duration } = coupon;
  return work.add(
    discount,
    { reduction: { percent, amount, months, duration } },
    target.subscription ? 'customer.discount.created' : undefined,
  );
}

/** The reductions that apply at a moment; expired discounts are left out. */
export async function activeReductions(work: Work, refs: Ref[], at: number): Promise<Reduction[]> {
  const found: Reduction[] = [];
  for (const ref of refs) {
    const discount = await work.get('discount', ref);
    const reduction = discount && work.hidden(discount).reduction;
    if (discount && reduction && (discount.end === null || discount.end > at))
      found.push({ id: discount.id, percent: reduction.percent, amount: reduction.amount, end: discount.end });
  }
  return found;
}

/** The price after the reductions. */
export function applyReductions(amount: number, reductions: Reduction[]): number {
  const [taken = []] = discountLines([amount], reductions);
  return amount - taken.reduce((all, part) => all + part, 0);
}

export async function endDiscount(work: Work, ref: Ref): Promise<void> {
  const discount = await work.get('discount', ref);
  if (!discount) return;
  discount.end ??= work.now();
  work.emit('customer.discount.deleted', discount);
}

/** Removes one-time discounts after an invoice with an amount, and others when they expire. */
export async function removeEndedDiscounts(
  work: Work,
  subscription: Stripe.Subscription,
  billed: boolean,
): Promise<void> {
  const remaining: string[] = [];
  for (const ref of subscription.discounts) {
    const discount = await work.get('discount', ref);
    if (!discount) continue;
    const isOneTime = work.hidden(discount).reduction?.duration === 'once';
    const hasEnded = (isOneTime && billed) || (discount.end !== null && discount.end <= work.now());
    if (hasEnded) await endDiscount(work, discount);
    else remaining.push(idOf(ref));
  }
  if (remaining.length !== subscription.discounts.length) subscription.discounts = remaining;
}
