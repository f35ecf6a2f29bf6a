import { type Call, call } from '../call';
import { couponOut } from '../serializers/coupons';

export const couponCalls: Call[] = [
  call('GET coupons/', 'coupons.check', {
    access: 'optional',
    summary: 'What a code does for the price of a product. 400 for every code that cannot be used.',
    out: couponOut,
  }),
];
