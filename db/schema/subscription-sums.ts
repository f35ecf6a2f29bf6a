import { bigint, boolean, date, integer, pgTable, text, unique } from 'drizzle-orm/pg-core';
import { ref } from '../columns';
import type { BillingInterval } from './checkouts';

/**
 * The numbers and prices of the running subscriptions to a show. A trigger on `subscriptions` adds and subtracts
 * (docs/decisions/0312); foreign keys would make it fail while a creator is deleted.
 */
export const subscriptionSums = pgTable(
  'subscription_sums',
  {
    creatorId: ref('creator_id').notNull(),
    productId: ref('product_id').notNull(),
    currency: text('currency').$type<'eur' | 'usd'>().notNull(),
    every: text('every').$type<BillingInterval>().notNull(),
    /** Whether they run in our account and can move to the creator's own (`whereMovable`). */
    isMovable: boolean('is_movable').notNull(),
    /** Whether they are paused, or can be (`listPausable`). */
    isPausable: boolean('is_pausable').notNull(),
    subscriptions: integer('subscriptions').notNull(),
    priceMinor: bigint('price_minor', { mode: 'number' }).notNull(),
  },
  (t) => [
    unique('subscription_sums_once').on(t.creatorId, t.productId, t.currency, t.every, t.isMovable, t.isPausable),
  ],
);

/**
 * Subscriptions to a show by the UTC days on which they began and ended. Those that were never paid, or that the sync
 * ended as duplicates, are none. A trigger on `subscriptions` adds and subtracts (docs/decisions/0327).
 */
export const subscriptionDays = pgTable(
  'subscription_days',
  {
    creatorId: ref('creator_id').notNull(),
    productId: ref('product_id').notNull(),
    currency: text('currency').$type<'eur' | 'usd'>().notNull(),
    day: date('day', { mode: 'string' }).notNull(),
    gained: integer('gained').notNull(),
    lost: integer('lost').notNull(),
  },
  (t) => [unique('subscription_days_once').on(t.creatorId, t.productId, t.day, t.currency)],
);
