import { sql } from 'drizzle-orm';
import { check, pgTable, text } from 'drizzle-orm/pg-core';
import { instant, ref } from '../columns';
import { products } from './products';

/** Names and words that engines often write wrongly, for the transcripts of a show. */
export const glossaries = pgTable(
  'glossaries',
  {
    productId: ref('product_id')
      .primaryKey()
      .references(() => products.id, { onDelete: 'cascade' }),
    /** Each a right spelling, with what engines write instead (server/transcript/glossary.ts). */
    lines: text('lines').array().notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [check('glossaries_lines', sql`cardinality(${t.lines}) <= 200`)],
);
