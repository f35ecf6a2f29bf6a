import type { Caller } from '~/server/trpc/caller';
import type { Input, Rule } from './authorization';

type Stage = { owner: { api: Caller }; paid: { id: number } };

/** The rows of the authorization matrix about what creators sell. */
export function sellerRows({ owner, paid }: Stage) {
  const newCoupon = () => {
    const couponCode = `C${String(Math.random()).slice(2)}`;
    return { productId: paid.id, couponCode, discountType: 'percentage' as const, discount: '10' };
  };
  const coupon = () => owner.api.coupons.create(newCoupon());
  return {
    'coupons.list': [['money', () => ({})]],
    'coupons.create': [['ownerAlone', newCoupon]],
    'coupons.setState': [['ownerAlone', async () => ({ ...(await coupon()), disabled: true })]],
    'coupons.check': [['everyone', () => ({ code: 'UNKNOWN', productId: paid.id })]],
  } satisfies Record<string, [rule: Rule, input?: () => Input | Promise<Input>][]>;
}
