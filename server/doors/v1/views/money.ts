import { z } from 'zod';
import { CURRENCIES } from '../../../base/money';
import { COUPON_STATES, DURATIONS } from '../../../domain/coupons/kinds';
import type { CouponView } from '../../../domain/coupons/queries';
import type { BalanceView, MoneyOverview, PayoutView } from '../../../domain/payouts/request-payout';
import type { StatementEntry } from '../../../domain/payouts/statements';
import type { Serializer } from '../../../rest/call';
import { plainView } from './plain-view';
import { instant, url } from './values';

const currency = z.enum(CURRENCIES);

export const couponView = plainView<CouponView>('Coupon', {
  id: z.int(),
  code: z.string(),
  state: z.enum(COUPON_STATES),
  percent: z.int().nullable(),
  amountMinor: z.int().nullable(),
  currency,
  duration: z.enum(DURATIONS),
  months: z.int().nullable(),
  maxRedemptions: z.int().nullable(),
  redeemed: z.int(),
  endsAt: instant.nullable(),
  url,
  createdAt: instant,
});

const balance = plainView<BalanceView>('Balance', {
  currency,
  availableMinor: z.int(),
  pendingMinor: z.int(),
  pending: z.array(z.strictObject({ minor: z.int(), available_at: instant.nullable() })),
});

export const balancesView: Serializer<MoneyOverview> = {
  name: 'Balances',
  schema: z.strictObject({ balances: z.array(balance.schema) }),
  write: ({ balances }, ctx) => ({ balances: balances.map((each) => balance.write(each, ctx)) }),
};

export const payoutView = plainView<PayoutView>('Payout', {
  id: z.uuid(),
  amountMinor: z.int(),
  currency,
  status: z.string(),
  method: z.string(),
  destination: z.string(),
  requestedAt: instant,
  paidAt: instant.nullable(),
});

/** An entry of the books. Amounts have the sign of the change: refunds and payouts are negative. */
export const entryView = plainView<StatementEntry>('Entry', {
  id: z.int(),
  at: instant,
  kind: z.string(),
  note: z.string().nullable(),
  sale: z
    .strictObject({
      name: z.string(),
      purpose: z.string(),
      buyer: z.string(),
      user_id: z.int().nullable(),
      receipt_number: z.int(),
    })
    .nullable(),
  product: z.strictObject({ id: z.int(), kind: z.string() }).nullable(),
  payout: z.string().nullable(),
  grossMinor: z.int(),
  vatMinor: z.int(),
  commissionMinor: z.int(),
  shareMinor: z.int(),
});
