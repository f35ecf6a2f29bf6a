import { sql } from 'drizzle-orm';
import { bigint, check, integer, pgTable, text } from 'drizzle-orm/pg-core';
import type { SwitchName } from '~/server/domain/reference/kinds';
import { instant } from '../columns';

/** What operators have switched. Without a row, everything is on for everybody. */
export const switches = pgTable(
  'switches',
  {
    name: text('name').$type<SwitchName>().primaryKey(),
    /** For how many of a hundred it is on. */
    percent: integer('percent').notNull(),
    /** Creators for whom it is on in any case. */
    creatorIds: bigint('creator_ids', { mode: 'number' }).array().notNull().default([]),
    changedAt: instant('changed_at').notNull(),
    changedBy: text('changed_by').notNull(),
  },
  (t) => [check('switches_percent', sql`${t.percent} between 0 and 100`)],
);
