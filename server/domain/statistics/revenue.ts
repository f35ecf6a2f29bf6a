import { and, asc, eq, gte, inArray, lte, type SQLWrapper, sql } from 'drizzle-orm';
import type { PaidPurpose } from '~/db/schema/checkouts';
import { saleDays } from '~/db/schema/sale-days';
import type { Scope } from '../../adapters/statistics/port';
import type { Currency } from '../../base/money';
import type { Ctx } from '../../runtime/ctx';
import type { DayRange } from './rules';

/** What people pay for shows; donations and the creator's own plan are none of it. */
export const SHOW_PURPOSES: PaidPurpose[] = ['show', 'gift'];

/** `now` and `before`: minor units, in a period and in the one before it. */
export type MoneyTrend = { currency: Currency; now: number; before: number };
type Compared = { period: DayRange; before: DayRange };

/**
 * What was charged on the UTC days of two periods, less what was refunded of it later: one row for each currency,
 * because amounts of several are never added up.
 */
export async function revenueOf(
  { db }: Pick<Ctx, 'db'>,
  { creatorId, productId }: Scope,
  { period, before, purposes = SHOW_PURPOSES }: Compared & { purposes?: PaidPurpose[] },
): Promise<MoneyTrend[]> {
  const { currency, amountMinor, refundedMinor, day, purpose } = saleDays;
  const kept = sql`${amountMinor} - ${refundedMinor}`;
  return db
    .select({ currency, now: sumWithin(kept, day, period), before: sumWithin(kept, day, before) })
    .from(saleDays)
    .where(
      and(
        eq(saleDays.creatorId, creatorId),
        productId === undefined ? undefined : eq(saleDays.productId, productId),
        inArray(purpose, purposes),
        gte(day, before.from),
        lte(day, period.to),
      ),
    )
    .groupBy(currency)
    .orderBy(asc(currency));
}

/** The sum of a value on the days of a period. */
export const sumWithin = (value: SQLWrapper, day: SQLWrapper, { from, to }: DayRange) =>
  sql<number>`coalesce(sum(${value}) filter (where ${day} between ${from} and ${to}), 0)::float8`;
