import { call, listCall, type V1Call } from '../v1-call';
import { balancesView, couponView, entryView, payoutView } from '../views/money';
import { createdView } from '../views/plain-view';

const coupons = { chapter: 'coupons' } as const;
const money = { chapter: 'money', scope: 'money:read' } as const;

export const couponCalls: V1Call[] = [
  listCall('GET /coupons', 'coupons.list', {
    ...coupons,
    scope: 'coupons:read',
    summary: 'The coupons, the newest first.',
    out: couponView,
  }),
  call('POST /coupons', 'coupons.create', {
    isExample: true,
    ...coupons,
    scope: 'coupons:write',
    summary:
      'Create a coupon for a paid show. `discount` is a whole percentage, or an amount in minor units with `discount_type` `flat`.',
    names: { code: 'couponCode' },
    toInput: withDiscount,
    out: createdView,
    status: 201,
    example: { show_id: 1, code: 'SEA20', discount_type: 'percentage', discount: 20, duration: 'once' },
  }),
  call('PATCH /coupons/:id', 'coupons.setState', {
    ...coupons,
    scope: 'coupons:write',
    summary: 'Disable a coupon, or enable it again.',
    example: { disabled: true },
  }),
];

export const moneyCalls: V1Call[] = [
  call('GET /balances', 'payouts.overview', {
    isExample: true,
    ...money,
    summary: 'What is owed to the creator, in each currency.',
    out: balancesView,
  }),
  listCall('GET /payouts', 'payouts.list', { ...money, summary: 'The payouts, the newest first.', out: payoutView }),
  listCall('GET /sales', 'payouts.statement', {
    ...money,
    summary: 'Sales, refunds and payouts of a `month`, as the books have them; by default of the current one.',
    itemsIn: 'entries',
    out: entryView,
  }),
];

/** The form reads a percentage or an amount as a decimal, also from a text, which the API refuses: its unit is unclear. */
function withDiscount(input: Record<string, unknown>): unknown {
  const { discount, discountType } = input;
  if (!Number.isSafeInteger(discount)) return { ...input, discount: discount === undefined ? discount : 'invalid' };
  return { ...input, discount: discountType === 'flat' ? (discount as number) / 100 : discount };
}
