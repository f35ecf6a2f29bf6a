import { and, desc, eq, exists, gte, inArray, isNotNull, lt, or, sql } from 'drizzle-orm';
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
  const used = await mostUsed(ctx, scope, days);
  const ids = used.map(({ id }) => id);
  const sums = ids.length > 0 ? await sumRevenue(ctx, ids, days) : [];
  return used.map((coupon) => ({
    ...coupon,
    revenue: sums
      .filter(({ couponId }) => couponId === coupon.id)
      .map(({ currency, now, before }) => ({ currency, now, before })),
  }));
}

const whereCoupons = ({ creatorId, productId }: Scope) =>
  and(eq(coupons.creatorId, creatorId), productId === undefined ? undefined : eq(coupons.productId, productId));

function mostUsed({ db }: Pick<Ctx, 'db'>, scope: Scope, days: Compared) {
  const { id, code } = coupons;
  const used = countUses(db, scope, days).as('used');
  const uses = sql<number>`coalesce(${used.now}, 0)::float8`;
  const usesBefore = sql<number>`coalesce(${used.before}, 0)::float8`;
  const paid = db
    .select({ one: sql`1` })
    .from(sales)
    .where(and(eq(sales.couponId, id), isPaidWithin(days)));
  return db
    .select({ id, code, uses, usesBefore })
    .from(coupons)
    .leftJoin(used, eq(used.couponId, id))
    .where(and(whereCoupons(scope), or(isNotNull(used.couponId), exists(paid))))
    .orderBy(desc(uses), desc(usesBefore), desc(id))
    .limit(STATISTICS_LIMITS.coupons);
}

function countUses(db: Ctx['db'], scope: Scope, { period, before }: Compared) {
  const { updatedAt, couponId, state } = couponRedemptions;
  const isNow = gte(updatedAt, startOf(period.from));
  return db
    .select({
      couponId,
      now: sql<number>`count(*) filter (where ${isNow})`.as('now'),
      before: sql<number>`count(*) filter (where not ${isNow})`.as('before'),
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
    .groupBy(couponId);
}

const isPaidWithin = ({ period, before }: Compared) =>
  and(gte(sales.paidAt, startOf(before.from)), lt(sales.paidAt, startOf(dayAfter(period.to, 1))));

function sumRevenue({ db }: Pick<Ctx, 'db'>, ids: number[], days: Compared) {
  const { paidAt, couponId, currency, amountMinor, refundedMinor } = sales;
  const isNow = gte(paidAt, startOf(days.period.from));
  const kept = sql`sum(${amountMinor} - ${refundedMinor})`;
  return db
    .select({
      ...{ couponId, currency },
      now: sql<number>`coalesce(${kept} filter (where ${isNow}), 0)::float8`,
      before: sql<number>`coalesce(${kept} filter (where not ${isNow}), 0)::float8`,
    })
    .from(sales)
    .where(and(inArray(couponId, ids), isPaidWithin(days)))
    .groupBy(couponId, currency)
    .orderBy(couponId, currency);
}
