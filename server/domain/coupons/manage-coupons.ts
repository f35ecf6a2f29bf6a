import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import { coupons } from '~/db/schema/coupons';
import { dayAfter, startOfDay } from '../../base/time';
import { COUPON_LIMITS } from '../../limits/coupons';
import { authorize } from '../../policy/authorize';
import { type Ctx, type TxCtx, transact, violates } from '../../runtime/ctx';
import { findCreator } from '../creators/queries';
import { requireFeature } from '../plans/features';
import { findProductRecord, type ProductRow } from '../products/queries';
import { recordActivity } from '../team/activity';
import { codeTaken, couponLimitReached, couponNotFound, lastDayOver } from './errors';
import { couponProblem, termsOf } from './rules';
import type { CreateCoupon, SetCouponState } from './schema';

/**
 * Adds a coupon for a paid show. Its terms never change, because buyers were promised them.
 * @throws product.not_found, plan.coupons_required, the errors of rules.ts, coupon.last_day_over, coupon.code_taken,
 * coupon.limit_reached
 */
export async function createCoupon(ctx: Ctx, input: CreateCoupon): Promise<{ id: number }> {
  const { product } = await findProductRecord(ctx, input.productId);
  const own = authorize(ctx, 'product.price', product);
  await requireFeature(ctx, own.creatorId, 'coupons');
  const terms = termsOf(own.kind, { ...input, months: input.months ?? null });
  const problem = couponProblem(terms, own, ctx.locale);
  if (problem) throw problem;
  const endsAt = await endOf(ctx, own.creatorId, input.lastDay);
  try {
    return await transact(ctx, (tx) => insertCoupon(tx, own, { ...terms, endsAt, input }));
  } catch (error) {
    throw violates(error, 'coupons_code_once') ? codeTaken() : error;
  }
}

/** The end of a day in the creator's time zone. @throws coupon.last_day_over */
async function endOf(ctx: Ctx, creatorId: number, lastDay: string | undefined): Promise<Date | null> {
  if (lastDay === undefined) return null;
  const { timeZone } = await findCreator(ctx, creatorId);
  const endsAt = startOfDay(dayAfter(lastDay, 1), timeZone);
  if (endsAt <= ctx.now()) throw lastDayOver();
  return endsAt;
}

type NewCoupon = ReturnType<typeof termsOf> & { endsAt: Date | null; input: CreateCoupon };

async function insertCoupon(tx: TxCtx, product: ProductRow, { input, ...terms }: NewCoupon): Promise<{ id: number }> {
  const { id: productId, creatorId, currency } = product;
  const { couponCode: code, redemptions: maxRedemptions = null } = input;
  if ((await tx.db.$count(coupons, eq(coupons.creatorId, creatorId))) >= COUPON_LIMITS.perCreator)
    throw couponLimitReached({ count: COUPON_LIMITS.perCreator });
  const now = tx.now();
  const values = { creatorId, productId, code, currency, maxRedemptions, ...terms, createdAt: now, updatedAt: now };
  const [row] = await tx.db.insert(coupons).values(values).returning({ id: coupons.id });
  const about = { subjectId: row!.id, params: { code, name: product.name } };
  await recordActivity(tx, { creatorId, action: 'coupon.created', ...about });
  return row!;
}

/**
 * Disables or enables new redemptions. Subscriptions keep their discount, and so do buyers whose payment page is open.
 * Repeating it changes nothing. @throws coupon.not_found, plan.coupons_required
 */
export async function setCouponState(ctx: Ctx, { id, disabled }: SetCouponState): Promise<void> {
  const [found] = await ctx.db.select().from(coupons).where(eq(coupons.id, id));
  if (!found) throw couponNotFound();
  const { creatorId, code } = authorize(ctx, 'coupon.manage', found);
  if (!disabled) await requireFeature(ctx, creatorId, 'coupons');
  await transact(ctx, async (tx) => {
    const isOther = disabled ? isNull(coupons.disabledAt) : isNotNull(coupons.disabledAt);
    const changed = await tx.db
      .update(coupons)
      .set({ disabledAt: disabled ? tx.now() : null, updatedAt: tx.now() })
      .where(and(eq(coupons.id, id), isOther))
      .returning({ id: coupons.id });
    if (changed.length === 0) return;
    const action = disabled ? 'coupon.disabled' : 'coupon.enabled';
    await recordActivity(tx, { creatorId, action, subjectId: id, params: { code } });
  });
}
