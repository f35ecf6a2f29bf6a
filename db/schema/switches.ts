import { sql } from 'drizzle-orm';
import { bigint, check, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns';
import type { SwitchName } from '../values/switches';

/** The operators' feature switches. A feature without a row is on for all users. */
export const switches = pgTable(
  'switches',
  {
    name: text('name').$type<SwitchName>().primaryKey(),
    /** The percentage of people for whom it is on. */
    percent: integer('percent').notNull(),
    /** Creators for whom it is always on. */
    creatorIds: bigint('creator_ids', { mode: 'number' }).array().notNull().default([]),
    changedAt: instant('changed_at').notNull(),
    changedBy: text('changed_by').notNull(),
  },
  (t) => [check('switches_percent', sql`${t.percent} between 0 and 100`)],
);
