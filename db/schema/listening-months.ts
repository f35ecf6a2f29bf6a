import { date, integer, jsonb, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import { ref } from '../columns';
import type { DimensionCounts } from '../values/statistics';

/**
 * What the plays of a show are made of, by UTC month, named by its first day. A month is right if `plays` are those of
 * its days: a former release writes days only (decision 0344).
 */
export const listeningMonths = pgTable(
  'listening_months',
  {
    creatorId: ref('creator_id').notNull(),
    productId: ref('product_id').notNull(),
    month: date('month', { mode: 'string' }).notNull(),
    plays: integer('plays').notNull(),
    dimensions: jsonb('dimensions').$type<DimensionCounts>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.creatorId, t.productId, t.month] })],
);
