import { bigint, date, index, integer, pgTable, text, unique } from 'drizzle-orm/pg-core';
import { ref } from '../columns';
import type { PaidPurpose } from './checkouts';

/**
 * The sales of a UTC day by show, purpose and currency. A trigger on `sales` adds and subtracts, refunds included
 * (docs/decisions/0324); foreign keys would make it fail while a creator is deleted. `productId` is null for donations
 * and plans.
 */
export const saleDays = pgTable(
  'sale_days',
  {
    creatorId: ref('creator_id').notNull(),
    productId: ref('product_id'),
    purpose: text('purpose').$type<PaidPurpose>().notNull(),
    currency: text('currency').$type<'eur' | 'usd'>().notNull(),
    day: date('day', { mode: 'string' }).notNull(),
    sales: integer('sales').notNull(),
    /** What was charged, and what of it was refunded later. */
    amountMinor: bigint('amount_minor', { mode: 'number' }).notNull(),
    refundedMinor: bigint('refunded_minor', { mode: 'number' }).notNull(),
  },
  (t) => [
    unique('sale_days_once').on(t.creatorId, t.productId, t.purpose, t.currency, t.day).nullsNotDistinct(),
    index('sale_days_of_creator').on(t.creatorId, t.day),
  ],
);
