import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { instant, ref } from '../columns';
import { products } from './products';

/** Shows that operators recommend on the home page and on Discover. */
export const featuredShows = pgTable(
  'featured_shows',
  {
    productId: ref('product_id')
      .primaryKey()
      .references(() => products.id, { onDelete: 'cascade' }),
    /** Lower ones come first. */
    position: integer('position').notNull(),
    featuredAt: instant('featured_at').notNull(),
    /** The operator. */
    featuredBy: text('featured_by').notNull(),
    /** Null: until an operator removes it. */
    until: instant('until'),
  },
  (t) => [
    index('featured_shows_in_order').on(t.position, t.featuredAt),
    check('featured_shows_position', sql`${t.position} between 1 and 99`),
  ],
);
