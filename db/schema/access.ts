import { sql } from 'drizzle-orm';
import { boolean, check, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { id, instant, ref, timestamps } from '../columns';
import { users } from './accounts';
import { products } from './products';

/** Access of a user to a product, until a moment. Every subscription, purchase, free follow and gift is one row. */
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
    /** The moment from which the product's drip counts: the start, moved later by any time without access. */
    dripsFrom: instant('drips_from').notNull().defaultNow(),
    /** Null if access does not end. */
    endsAt: instant('ends_at'),
    /** Whether a subscription will be paid again at its end. */
    renews: boolean('renews').notNull().default(false),
    /** When the creator scheduled its end to make the show free: undoing that lets it renew again. */
    renewalStoppedAt: instant('renewal_stopped_at'),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('grants_once').on(t.userId, t.productId, t.source),
    index('grants_of_product').on(t.productId, t.id),
    check('grants_source', sql`${t.source} in ('follow', 'subscription', 'purchase', 'gift')`),
  ],
);
