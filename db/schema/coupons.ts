import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { id, instant, minor, ref, timestamps } from '../columns';
import { users } from './accounts';
import { creators } from './creators';
import { products } from './products';

export type CouponDuration = 'once' | 'repeating' | 'lifetime';

export const coupons = pgTable(
  'coupons',
  {
    id: id(),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id),
    productId: ref('product_id')
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
    /** In upper case: codes are case-insensitive. */
    code: text('code').notNull(),
    /** Either a percentage from 1 to 100 or an amount in the product's currency. */
    percent: integer('percent'),
    amountMinor: minor('amount_minor'),
    currency: text('currency').$type<'eur' | 'usd'>().notNull(),
    duration: text('duration').$type<CouponDuration>().notNull(),
    /** Set for a repeating coupon. */
    months: integer('months'),
    /** How often it can be used; null for any number. */
    maxRedemptions: integer('max_redemptions'),
    /**
     * Redemptions in use: those of settled and of open checkouts. Payments on closed pages can raise it above
     * `maxRedemptions`.
     */
    taken: integer('taken').notNull().default(0),
    /** The coupon's id at the payment provider; null until it is first used. */
    providerId: text('provider_id'),
    /** The creator's own accounts at the provider that have the coupon: `account id`. */
    accounts: text('accounts').array().notNull().default([]),
    /** The first moment at which it can't be used any more; null without an end. */
    endsAt: instant('ends_at'),
    disabledAt: instant('disabled_at'),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('coupons_code_once').on(t.creatorId, t.code),
    index('coupons_of_creator').on(t.creatorId, t.id),
    index('coupons_of_product').on(t.productId),
    check('coupons_discount', sql`(${t.percent} is null) <> (${t.amountMinor} is null)`),
    check('coupons_percent', sql`${t.percent} between 1 and 100`),
    check('coupons_months', sql`(${t.duration} = 'repeating') = (${t.months} is not null)`),
    check('coupons_cap', sql`${t.taken} >= 0`),
  ],
);

/** Each use of a coupon: reserved when its checkout opens, released when the checkout closes unpaid. */
export const couponRedemptions = pgTable(
  'coupon_redemptions',
  {
    /** The checkout's id. */
    checkoutId: uuid('checkout_id').primaryKey(),
    couponId: ref('coupon_id')
      .notNull()
      .references(() => coupons.id, { onDelete: 'cascade' }),
    userId: ref('user_id').references(() => users.id),
    state: text('state').$type<'reserved' | 'redeemed' | 'released'>().notNull().default('reserved'),
    ...timestamps(),
  },
  (t) => [
    index('coupon_redemptions_of_coupon').on(t.couponId, t.state),
    index('coupon_redemptions_redeemed').on(t.couponId, t.updatedAt).where(sql`${t.state} = 'redeemed'`),
    index('coupon_redemptions_of_user').on(t.userId),
  ],
);
