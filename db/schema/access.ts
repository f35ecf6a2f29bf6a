import { sql } from 'drizzle-orm';
import { boolean, check, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { id, instant, ref, timestamps } from '../columns';
import { users } from './accounts';
import { products } from './products';

/** Who may hear a product, and until when. Every subscription, purchase, free follow and gift is one row. */
export const grants = pgTable(
  'grants',
  {
    id: id(),
    userId: ref('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    productId: ref('product_id')
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
    source: text('source').$type<'follow' | 'subscription' | 'purchase' | 'gift'>().notNull(),
    startsAt: instant('starts_at').notNull().defaultNow(),
    /** Since when the product's drip counts: the start, later by the time without access. */
    dripsFrom: instant('drips_from').notNull().defaultNow(),
    /** Null: without an end. */
    endsAt: instant('ends_at'),
    /** A subscription that will be paid again at its end. */
    renews: boolean('renews').notNull().default(false),
    /** When the creator ended it with its period to make the show free: calling that off lets it renew again. */
    renewalStoppedAt: instant('renewal_stopped_at'),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('grants_once').on(t.userId, t.productId, t.source),
    index('grants_of_product').on(t.productId, t.id),
    check('grants_source', sql`${t.source} in ('follow', 'subscription', 'purchase', 'gift')`),
  ],
);
