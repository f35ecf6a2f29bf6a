import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant, ref } from '../columns';
import { creators } from './creators';

/** Monthly reports by email: one row per creator and month (`2026-11`), so that each is sent once. Deleted after months. */
export const monthReports = pgTable(
  'month_reports',
  {
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id, { onDelete: 'cascade' }),
    month: text('month').notNull(),
    queuedAt: instant('queued_at').notNull(),
    /** When the email was queued, or when it was clear that there is none. */
    doneAt: instant('done_at'),
  },
  (t) => [primaryKey({ columns: [t.creatorId, t.month] }), index('month_reports_by_age').on(t.queuedAt)],
);
