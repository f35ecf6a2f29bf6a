import { jsonb, pgTable } from 'drizzle-orm/pg-core';
import type { Money } from '~/server/base/money';
import { instant, ref } from '../columns';
import { products } from './products';

export type UnusedPayments = {
  /**
   * Upper bounds by currency. `refund` is the amount that leaves: the creator's share, the commission and the VAT in it.
   */
  totals: { refund: Money; share: Money; commission: Money; vat: Money }[];
  /** Number of subscriptions with an unused part. */
  subscriptions: number;
};

/** What refunding all subscriptions to a show would cost, which a job computes when its creator asks. */
export const unusedPayments = pgTable('unused_payments', {
  productId: ref('product_id')
    .primaryKey()
    .references(() => products.id, { onDelete: 'cascade' }),
  askedAt: instant('asked_at').notNull(),
  /** Null until the job has computed it. */
  found: jsonb('found').$type<UnusedPayments>(),
});
