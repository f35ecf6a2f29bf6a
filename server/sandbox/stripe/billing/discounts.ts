import type Stripe from 'stripe';
import type { Work } from '../engine/account-work';
import { newId } from '../wire/ids';
import { BLANK } from '../wire/null-fields';
import { idOf, type Ref } from '../wire/objects';
import { group, many, text } from '../wire/shapes';
import { addMonths } from './billing-dates';
import { countRedemption, redeemable } from './coupons';
import { discountLines, type Reduction } from './discount-amounts';
import { couponOfCode, redeemableCode } from './promotion-codes';

export const DISCOUNTS = many(group({ coupon: text(), promotion_code: text(), discount: text() }));
export type AskedDiscount = { coupon?: string; promotion_code?: string; discount?: string };

type For = { customer: string; subscription?: string; session?: string; currency: string };

/** Redeems what was asked for: each coupon or code becomes a discount of the customer's. */
export async function redeem(work: Work, asked: AskedDiscount[], target: For): Promise<Stripe.Discount[]> {
  const made: Stripe.Discount[] = [];
  for (const { coupon, promotion_code: codeId, discount } of asked) {
    if (discount) {
      made.push(await work.find('discount', discount, 'discounts'));
      continue;
    }
    const code = codeId ? await redeemableCode(work, codeId, 'discounts[0][promotion_code]') : null;
    const found = await redeemable(
      work,
      coupon ?? (code ? couponOfCode(code) : ''),
      target.currency,
      'discounts[0][coupon]',
    );
    countRedemption(work, found);
    if (code) {
      code.times_redeemed += 1;
      if (code.max_redemptions !== null && code.times_redeemed >= code.max_redemptions) code.active = false;
    }
    made.push(newDiscount(work, found, target, code?.id ?? null));
  }
  return made;
}

function newDiscount(work: Work, coupon: Stripe.Coupon, target: For, code: string | null): Stripe.Discount {
  const start = work.now();
  const months = coupon.duration === 'repeating' ? coupon.duration_in_months : null;
  const discount: Stripe.Discount = {
    ...BLANK.discount,
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

/** What the discounts take off at a moment; those that are over take nothing. */
export async function reductionsOf(work: Work, refs: Ref[], at: number): Promise<Reduction[]> {
  const found: Reduction[] = [];
  for (const ref of refs) {
    const discount = await work.get('discount', ref);
    const reduction = discount && work.hidden(discount).reduction;
    if (discount && reduction && (discount.end === null || discount.end > at))
      found.push({ id: discount.id, percent: reduction.percent, amount: reduction.amount });
  }
  return found;
}

/** What a price comes to after the reductions. */
export function reduced(amount: number, reductions: Reduction[]): number {
  const [taken = []] = discountLines([amount], reductions);
  return amount - taken.reduce((all, part) => all + part, 0);
}

/** Discounts that have done their work leave the subscription: those for once after an invoice with an amount, others at their end. */
export async function shedDiscounts(work: Work, subscription: Stripe.Subscription, billed: boolean): Promise<void> {
  const kept: string[] = [];
  for (const ref of subscription.discounts) {
    const discount = await work.get('discount', ref);
    if (!discount) continue;
    const once = work.hidden(discount).reduction?.duration === 'once';
    const over = (once && billed) || (discount.end !== null && discount.end <= work.now());
    if (over) {
      discount.end ??= work.now();
      work.emit('customer.discount.deleted', discount);
    } else kept.push(idOf(ref));
  }
  if (kept.length !== subscription.discounts.length) subscription.discounts = kept;
}
