import { pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns';

/** The milestone of the last finished backup of the installation. */
export const LAST_BACKUP = 'last_backup';

/** Actions that were done in this database, such as the demo seed. */
export const milestones = pgTable('milestones', {
  name: text('name').primaryKey(),
  reachedAt: instant('reached_at').notNull().defaultNow(),
});
