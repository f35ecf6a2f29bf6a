import { sql } from 'drizzle-orm';
import { bigint, check, date, index, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { id, instant, ref } from '../columns';
import type { HistoryHost, HistoryPeriod } from '../values/imported-plays';
import { creators } from './creators';
import { products } from './products';

/** Whose statistics were imported for a show: a former host or a directory, by its name. */
export const importedSources = pgTable(
  'imported_sources',
  {
    id: id(),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id, { onDelete: 'cascade' }),
    productId: ref('product_id')
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
    host: text('host').$type<HistoryHost>().notNull(),
    name: text('name').notNull(),
    /** The name of the last file. */
    fileName: text('file_name').notNull(),
    importedAt: instant('imported_at').notNull(),
  },
  (t) => [
    uniqueIndex('imported_sources_name').on(t.productId, t.name),
    index('imported_sources_of_creator').on(t.creatorId),
  ],
);

/**
 * Figures of other hosts, which are shown beside ours and never added to them. `day`: a day, or the first of a month.
 * `episode`: its title at the host; empty for the whole show.
 */
export const importedPlays = pgTable(
  'imported_plays',
  {
    sourceId: ref('source_id')
      .notNull()
      .references(() => importedSources.id, { onDelete: 'cascade' }),
    creatorId: ref('creator_id').notNull(),
    productId: ref('product_id').notNull(),
    period: text('period').$type<HistoryPeriod>().notNull(),
    day: date('day', { mode: 'string' }).notNull(),
    episode: text('episode').notNull().default(''),
    plays: bigint('plays', { mode: 'number' }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.sourceId, t.period, t.day, t.episode] }),
    index('imported_plays_of_product').on(t.productId, t.day),
    index('imported_plays_of_creator').on(t.creatorId),
    check('imported_plays_period', sql`${t.period} in ('day', 'month')`),
    check('imported_plays_plays', sql`${t.plays} >= 0`),
  ],
);
