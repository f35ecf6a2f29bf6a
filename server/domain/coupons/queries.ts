import { and, count, desc, eq, gte, isNotNull, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import { couponRedemptions, coupons } from '~/db/schema/coupons';
import { products } from '~/db/schema/products';
import { matchesPattern, patternOf } from '~/db/search';
import type { Page } from '../../base/paging';
import { REGISTER_PAYMENT_PATH } from '../../base/public-paths';
import { currentCreator } from '../../policy/actor';
import { authorize, may } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { includesFeature } from '../plans/features';
import type { KindName } from '../products/kinds';
import type { CouponState } from './kinds';
import { whereNotEnded } from './redeem-coupon';
import { couponState } from './rules';
import type { ListCoupons } from './schema';

/**
 * `redeemed`: paid uses. `open`: open payment pages that use the coupon. `url`: the page before the payment, with the
 * code filled in.
 */
export type CouponView = Pick<
  typeof coupons.$inferSelect,
  | 'id'
  | 'code'
  | 'percent'
  | 'amountMinor'
  | 'currency'
  | 'duration'
  | 'months'
  | 'maxRedemptions'
  | 'endsAt'
  | 'createdAt'
> & {
  state: CouponState;
  redeemed: number;
  open: number;
  url: string;
  product: { id: number; name: string; kind: KindName };
};
/** `isOffered`: the plan includes coupons. Otherwise existing coupons are shown, but buyers can't redeem them. */
export type CouponPage = Page<CouponView> & { isOffered: boolean; canManage: boolean };

const FIELDS = {
  id: coupons.id,
  code: coupons.code,
  percent: coupons.percent,
  amountMinor: coupons.amountMinor,
  currency: coupons.currency,
  duration: coupons.duration,
  months: coupons.months,
  maxRedemptions: coupons.maxRedemptions,
  endsAt: coupons.endsAt,
  createdAt: coupons.createdAt,
};

/** A page of the coupons of the creator that the user works for, the newest first. */
export async function listCoupons(ctx: Ctx, input: ListCoupons): Promise<CouponPage> {
  const creator = authorize(ctx, 'creator.readCoupons', currentCreator(ctx));
  const { page, pageSize } = input;
  const where = and(eq(coupons.creatorId, creator.id), ...conditions(input, ctx.now()));
  const [rows, [counted], isOffered] = await Promise.all([
    selectCoupons(ctx)
      .where(where)
      .orderBy(desc(coupons.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize),
    ctx.db.select({ total: count() }).from(coupons).where(where),
    includesFeature(ctx, creator.id, 'coupons'),
  ]);
  const items = rows.map((row) => toCouponView(ctx, row));
  const canManage = may(ctx, 'coupon.manage', { creatorId: creator.id });
  return { items, total: counted?.total ?? 0, page, pageSize, isOffered, canManage };
}

const usesOf = (state: 'redeemed' | 'reserved') => sql<number>`(
  select count(*)::int from ${couponRedemptions}
  where ${couponRedemptions.couponId} = ${coupons.id} and ${couponRedemptions.state} = ${state})`;

const selectCoupons = ({ db }: Pick<Ctx, 'db'>) =>
  db
    .select({
      coupon: FIELDS,
      use: { disabledAt: coupons.disabledAt, taken: coupons.taken },
      redeemed: usesOf('redeemed'),
      open: usesOf('reserved'),
      product: { id: products.id, name: products.name, kind: products.kind },
    })
    .from(coupons)
    .innerJoin(products, eq(products.id, coupons.productId));

type FoundCoupon = Awaited<ReturnType<typeof selectCoupons>>[number];

function toCouponView({ urls, now }: Pick<Ctx, 'urls' | 'now'>, { coupon, use, ...row }: FoundCoupon): CouponView {
  const url = urls.app(`${REGISTER_PAYMENT_PATH}?product=${row.product.id}&coupon=${coupon.code}`);
  return { ...coupon, ...row, state: couponState({ ...coupon, ...use }, now()), url };
}

function conditions({ search, state, productId }: ListCoupons, now: Date): (SQL | undefined)[] {
  return [
    matchesPattern(coupons.code, patternOf(search)),
    productId ? eq(coupons.productId, productId) : undefined,
    state && whereState(now)[state],
  ];
}

const isEnabled = isNull(coupons.disabledAt);
/** The same rules as `couponState`, in SQL. */
function whereState(now: Date): Record<CouponState, SQL | undefined> {
  const isOpen = and(isEnabled, whereNotEnded(now));
  return {
    active: and(isOpen, or(isNull(coupons.maxRedemptions), lt(coupons.taken, coupons.maxRedemptions))),
    used_up: and(isOpen, gte(coupons.taken, coupons.maxRedemptions)),
    ended: and(isEnabled, lte(coupons.endsAt, now)),
    disabled: isNotNull(coupons.disabledAt),
  };
}
