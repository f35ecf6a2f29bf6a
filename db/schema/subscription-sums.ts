import { bigint, boolean, integer, pgTable, text, unique } from 'drizzle-orm/pg-core';
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
