import { pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns';

/** What was done to this database once, such as the demo seed. */
export const milestones = pgTable('milestones', {
  name: text('name').primaryKey(),
  reachedAt: instant('reached_at').notNull().defaultNow(),
});
