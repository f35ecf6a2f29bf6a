import { sql } from 'drizzle-orm';
import { index, pgTable, text } from 'drizzle-orm/pg-core';
import type { PaymentWarning } from '~/server/adapters/payments/objects';
import { instant, ref, timestamps } from '../columns';
import { sales } from './billing';

/**
 * Payments that a bank has reported as fraud, or that the provider wants to be looked at: a refund in time avoids a
 * dispute with its fee.
 */
export const paymentWarnings = pgTable(
  'payment_warnings',
  {
    providerId: text('provider_id').primaryKey(),
    saleId: ref('sale_id')
      .notNull()
      .references(() => sales.id),
    kind: text('kind').$type<PaymentWarning['kind']>().notNull(),
    /** The provider's word, such as `made_with_stolen_card`. */
    reason: text('reason').notNull(),
    warnedAt: instant('warned_at').notNull(),
    /** When the payment was refunded or disputed, or an operator decided to keep it. */
    closedAt: instant('closed_at'),
    ...timestamps(),
  },
  (t) => [
    index('payment_warnings_of_sale').on(t.saleId),
    index('payment_warnings_open').on(t.warnedAt).where(sql`${t.closedAt} is null`),
  ],
);
