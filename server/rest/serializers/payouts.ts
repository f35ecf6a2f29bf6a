import { z } from 'zod';
import { CURRENCIES, toDecimal } from '../../base/money';
import { utcDay } from '../../base/time';
import type { MoneyOverview, RequestedPayout } from '../../domain/payouts/request-payout';
import { serializer } from '../call';

/** A creator's balance may be negative, for example by a refund after a payout. */
const balance = z.string().regex(/^-?\d+\.\d\d$/);
const amount = z.string().regex(/^\d+\.\d\d$/);

export const payoutAmountsOut = serializer(
  'PayoutAmounts',
  z.array(
    z.strictObject({
      available: balance,
      pending: balance,
      currency: z.enum(CURRENCIES),
      threshold: amount,
      can_request: z.boolean(),
      next_request_date: z.iso.date().nullable(),
    }),
  ),
  ({ balances }: MoneyOverview) =>
    balances.map(({ availableMinor, pendingMinor, currency, thresholdMinor, problem, nextRequestAt }) => ({
      available: toDecimal(availableMinor),
      pending: toDecimal(pendingMinor),
      currency,
      threshold: toDecimal(thresholdMinor),
      can_request: problem === null,
      next_request_date: nextRequestAt && utcDay(nextRequestAt),
    })),
);

export const requestedPayoutOut = serializer(
  'RequestedPayout',
  z.strictObject({
    id: z.uuid(),
    amount,
    currency: z.enum(CURRENCIES),
    status: z.literal('requested'),
  }),
  ({ id, amountMinor, currency }: RequestedPayout) => ({
    id,
    amount: toDecimal(amountMinor),
    currency,
    status: 'requested' as const,
  }),
);
