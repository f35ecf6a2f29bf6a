import { createHash } from 'node:crypto';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { type BillingInterval, checkouts } from '~/db/schema/checkouts';
import { couponRedemptions, coupons } from '~/db/schema/coupons';
import { products } from '~/db/schema/products';
import type { CouponLength } from '../../adapters/payments/objects';
import type { NewCoupon } from '../../adapters/payments/port';
import { AppError } from '../../base/errors';
import { whereProductPublic } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import { includesFeature } from '../plans/features';
import { KINDS } from '../products/kinds';
import type { ProductRow } from '../products/queries';
import { invalidCoupon } from './errors';
import { couponState, discountOf, fitsPrice, nominalDiscount, normalizedCode } from './rules';
import type { CheckCoupon } from './schema';

export type CouponRow = typeof coupons.$inferSelect;

/**
 * `every`: the interval of the subscription; null for an audio series. `priceMinor`: the buyer's price, for shows where
 * buyers choose it; other shows use their own price. `browserHash`: set for guests, so that a second tab can use the
 * redemption that their open payment page has reserved.
 */
export type CouponRequest = {
  code: string;
  productId: number;
  every: BillingInterval | null;
  priceMinor?: number;
  browserHash?: string;
};

/** A coupon at a price. Amounts are minor units of the coupon's currency. */
export type UsableCoupon = CouponRow & {
  every: BillingInterval | null;
  priceMinor: number;
  discountMinor: number;
  /** The amount left to pay; 0 if the coupon covers all. */
  totalMinor: number;
};

/** The coupon with a code, if the buyer may use it for this show now. @throws coupon.invalid */
export async function findUsableCoupon(ctx: Ctx, request: CouponRequest): Promise<UsableCoupon> {
  const code = normalizedCode(request.code);
  const found = code === null ? null : await lookupCoupon(ctx, { ...request, code });
  if (!found || !(await includesFeature(ctx, found.coupon.creatorId, 'coupons'))) throw invalidCoupon();
  const { coupon, product, holds, hasUsed } = found;
  const state = couponState(coupon, ctx.now());
  // an open payment page keeps its price
  const isOpen = state === 'active' || ((state === 'used_up' || state === 'ended') && holds);
  const price = priceFor(product, request);
  if (!isOpen || hasUsed || price === null || !isOnSale(coupon, product) || !fitsPrice(coupon, price))
    throw invalidCoupon();
  const discountMinor = discountOf(coupon, price);
  const { every } = request;
  return { ...coupon, every, priceMinor: price, discountMinor, totalMinor: price - discountMinor };
}

export type CouponOffer = Pick<UsableCoupon, 'code' | 'percent' | 'amountMinor' | 'duration' | 'months' | 'every'> &
  Pick<UsableCoupon, 'currency' | 'priceMinor' | 'discountMinor' | 'totalMinor'>;

/** The effect of a code on the price of a show. @throws coupon.invalid */
export async function checkCoupon(ctx: Ctx, { code, productId, interval }: CheckCoupon): Promise<CouponOffer> {
  const [product] = await ctx.db.select({ kind: products.kind }).from(products).where(eq(products.id, productId));
  if (!product) throw invalidCoupon();
  const isSubscription = KINDS[product.kind].sale === 'subscription';
  const every = isSubscription ? EVERY[interval ?? 'monthly'] : null;
  const coupon = await findUsableCoupon(ctx, { code, productId, every });
  const { percent, amountMinor, duration, months, currency, priceMinor, discountMinor, totalMinor } = coupon;
  return {
    code: coupon.code,
    percent,
    amountMinor,
    duration,
    months,
    every,
    currency,
    priceMinor,
    discountMinor,
    totalMinor,
  };
}

const EVERY = { monthly: 'month', yearly: 'year' } as const;

/**
 * The coupon's id at the payment provider, on our account or on the creator's own account. Its first use creates it
 * there. The id is derived from the terms, so a repetition finds the same coupon. If too little of a price would be
 * left, that price gets a separate coupon (`discountOf`).
 */
async function providerCouponOf(ctx: Ctx, coupon: UsableCoupon, account: string | null): Promise<string> {
  const terms = providerTerms(coupon);
  const isThere =
    account === null ? coupon.providerId === terms.id : coupon.accounts.includes(keyOn(account, terms.id));
  if (isThere) return terms.id;
  const payments = ctx.ports.payments.on(account);
  try {
    await payments.createCoupon(terms, `coupon/${terms.id}`);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'payments.conflict')) throw error;
    // created before, but the response was lost; throws if the coupon does not exist
    await payments.fetch.coupon(terms.id);
  }
  await (account === null ? keepOurs(ctx, coupon, terms.id) : keepOn(ctx, coupon, keyOn(account, terms.id)));
  return terms.id;
}

/** A coupon in the form that a checkout takes. It is created at the provider on its first use. */
export const orderedCoupon = (ctx: Ctx, coupon: UsableCoupon) => ({
  id: coupon.id,
  totalMinor: coupon.totalMinor,
  providerIdOn: (account: string | null) => providerCouponOf(ctx, coupon, account),
});

const keyOn = (account: string, providerId: string) => `${account} ${providerId}`;

const keepOurs = ({ db }: Ctx, { id }: UsableCoupon, providerId: string) =>
  db
    .update(coupons)
    .set({ providerId })
    .where(and(eq(coupons.id, id), isNull(coupons.providerId)));

const keepOn = ({ db }: Ctx, { id }: UsableCoupon, key: string) =>
  db
    .update(coupons)
    .set({ accounts: sql`array_append(${coupons.accounts}, ${key})` })
    .where(
      and(
        eq(coupons.id, id),
        sql`not ${key} = any(${coupons.accounts}) and cardinality(${coupons.accounts}) < ${COUPON_ACCOUNTS}`,
      ),
    );
/** Ids on further accounts are looked up at the provider each time. */
const COUPON_ACCOUNTS = 10;

function providerTerms(coupon: UsableCoupon): NewCoupon {
  const { percent, currency, discountMinor: minor } = coupon;
  const isNominal = minor === nominalDiscount(coupon, coupon.priceMinor);
  const off = percent !== null && isNominal ? { percent } : { minor, currency };
  const length = lengthOf(coupon);
  const terms = [coupon.id, coupon.createdAt.toISOString(), coupon.code, off, length];
  const fingerprint = createHash('sha256').update(JSON.stringify(terms)).digest('hex').slice(0, 16);
  return { id: `${coupon.code}-${fingerprint}`, off, length };
}

function lengthOf({ duration, months }: CouponRow): CouponLength {
  if (duration === 'repeating') return { months: months ?? 1 };
  return duration === 'lifetime' ? 'forever' : 'once';
}

type FoundCoupon = { coupon: CouponRow; product: ProductRow; holds: boolean; hasUsed: boolean };

async function lookupCoupon(ctx: Ctx, { code, productId, browserHash }: CouponRequest): Promise<FoundCoupon | null> {
  const userId = ctx.actor.type === 'user' ? ctx.actor.userId : null;
  const ofCoupon = eq(couponRedemptions.couponId, coupons.id);
  const holds = sql<boolean>`exists (
    select from ${couponRedemptions} inner join ${checkouts} on ${checkouts.id} = ${couponRedemptions.checkoutId}
    where ${ofCoupon} and ${couponRedemptions.state} = 'reserved' and ${checkouts.productId} = ${productId}
      and (${checkouts.userId} = ${userId} or ${checkouts.browserHash} = ${browserHash ?? null}))`;
  // otherwise a coupon for one payment would apply again whenever a subscriber cancels and subscribes again
  const hasUsed = sql<boolean>`exists (
    select from ${couponRedemptions}
    where ${ofCoupon} and ${couponRedemptions.state} = 'redeemed' and ${couponRedemptions.userId} = ${userId})`;
  const [row] = await ctx.db
    .select({ coupon: coupons, product: products, holds, hasUsed })
    .from(coupons)
    .innerJoin(products, eq(products.id, coupons.productId))
    .where(and(eq(coupons.productId, productId), eq(coupons.code, code), whereProductPublic()));
  return row ?? null;
}

/** Null if the show is not sold at this interval, or if the chosen price is too low. */
function priceFor(product: ProductRow, { every, priceMinor: chosen }: CouponRequest): number | null {
  const isSubscription = KINDS[product.kind].sale === 'subscription';
  if (isSubscription !== (every !== null)) return null;
  const price = every === 'year' ? product.annualPriceMinor : product.priceMinor;
  if (price === null) return null;
  if (chosen === undefined) return price;
  return chosen === price || (product.paysWhatTheyWant && chosen > price) ? chosen : null;
}

const isOnSale = (coupon: CouponRow, product: ProductRow): boolean =>
  product.freeConversion === null && product.currency === coupon.currency;
