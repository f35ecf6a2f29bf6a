import { type Call, call } from '../call';
import { couponOut } from '../serializers/coupons';

export const couponCalls: Call[] = [
  call('GET coupons/', 'coupons.check', {
    access: 'optional',
    summary: 'The effect of a coupon code on the price of a product. 400 for every code that cannot be used.',
    out: couponOut,
  }),
];
