import { and, eq, gte, lt, sql } from 'drizzle-orm';
import { sales } from '~/db/schema/billing';
import { couponRedemptions, coupons } from '~/db/schema/coupons';
import type { Scope } from '../../adapters/statistics/port';
import { dayAfter } from '../../base/time';
import { STATISTICS_LIMITS } from '../../limits/statistics';
import type { Ctx } from '../../runtime/ctx';
import type { MoneyTrend } from './revenue';
import type { DayRange } from './rules';

/**
 * `uses`: purchases with the coupon, in a period and in the one before it. `revenue`: what people paid who came with
 * it, renewals included, less refunds.
 */
export type CouponFigures = { id: number; code: string; uses: number; usesBefore: number; revenue: MoneyTrend[] };
type Compared = { period: DayRange; before: DayRange };

const startOf = (day: string) => new Date(`${day}T00:00:00Z`);

/** The coupons that were used or brought money in one of two periods (UTC days), the most used ones first. */
export async function couponsOf(ctx: Pick<Ctx, 'db'>, scope: Scope, days: Compared): Promise<CouponFigures[]> {
  const [uses, sums] = await Promise.all([countUses(ctx, scope, days), sumRevenue(ctx, scope, days)]);
  const byId = new Map<number, CouponFigures>();
  const found = ({ id, code }: { id: number; code: string }) => {
    const known = byId.get(id) ?? { id, code, uses: 0, usesBefore: 0, revenue: [] };
    byId.set(id, known);
    return known;
  };
  for (const { now, before, ...coupon } of uses) Object.assign(found(coupon), { uses: now, usesBefore: before });
  for (const { currency, now, before, ...coupon } of sums) found(coupon).revenue.push({ currency, now, before });
  return [...byId.values()]
    .sort((a, b) => b.uses - a.uses || b.usesBefore - a.usesBefore || b.id - a.id)
    .slice(0, STATISTICS_LIMITS.coupons);
}

const whereCoupons = ({ creatorId, productId }: Scope) =>
  and(eq(coupons.creatorId, creatorId), productId === undefined ? undefined : eq(coupons.productId, productId));

function countUses({ db }: Pick<Ctx, 'db'>, scope: Scope, { period, before }: Compared) {
  const { updatedAt, couponId, state } = couponRedemptions;
  const isNow = gte(updatedAt, startOf(period.from));
  return db
    .select({
      ...{ id: coupons.id, code: coupons.code },
      now: sql<number>`count(*) filter (where ${isNow})::float8`,
      before: sql<number>`count(*) filter (where not ${isNow})::float8`,
    })
    .from(couponRedemptions)
    .innerJoin(coupons, eq(coupons.id, couponId))
    .where(
      and(
        whereCoupons(scope),
        eq(state, 'redeemed'),
        gte(updatedAt, startOf(before.from)),
        lt(updatedAt, startOf(dayAfter(period.to, 1))),
      ),
    )
    .groupBy(coupons.id, coupons.code)
    .orderBy(coupons.id);
}

function sumRevenue({ db }: Pick<Ctx, 'db'>, scope: Scope, { period, before }: Compared) {
  const { paidAt, couponId, currency, amountMinor, refundedMinor } = sales;
  const isNow = gte(paidAt, startOf(period.from));
  const kept = sql`sum(${amountMinor} - ${refundedMinor})`;
  return db
    .select({
      ...{ id: coupons.id, code: coupons.code, currency },
      now: sql<number>`coalesce(${kept} filter (where ${isNow}), 0)::float8`,
      before: sql<number>`coalesce(${kept} filter (where not ${isNow}), 0)::float8`,
    })
    .from(sales)
    .innerJoin(coupons, eq(coupons.id, couponId))
    .where(and(whereCoupons(scope), gte(paidAt, startOf(before.from)), lt(paidAt, startOf(dayAfter(period.to, 1)))))
    .groupBy(coupons.id, coupons.code, currency)
    .orderBy(coupons.id, currency);
}
