import { pgTable, text } from 'drizzle-orm/pg-core';
import { instant, ref } from '../columns';
import { products } from './products';

/** Public feeds that have moved to another host. Kept when the show or the account is deleted (docs/decisions/0224). */
export const feedRedirects = pgTable('feed_redirects', {
  productId: ref('product_id')
    .primaryKey()
    .references(() => products.id),
  url: text('url').notNull(),
  /** The creator can undo it for a day. */
  createdAt: instant('created_at').notNull(),
});
