import { sql } from 'drizzle-orm';
import { check, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { id, instant, ref, timestamps } from '../columns';
import { users } from './accounts';

/** The operators' announcements to all users of the studio. */
export const studioNotices = pgTable(
  'studio_notices',
  {
    id: id(),
    textEn: text('text_en').notNull(),
    textEs: text('text_es').notNull(),
    level: text('level').$type<'info' | 'warning'>().notNull(),
    link: text('link'),
    startsAt: instant('starts_at').notNull(),
    endsAt: instant('ends_at').notNull(),
    withdrawnAt: instant('withdrawn_at'),
    createdBy: text('created_by').notNull(),
    ...timestamps(),
  },
  (t) => [
    index('studio_notices_current').on(t.endsAt).where(sql`${t.withdrawnAt} is null`),
    check('studio_notices_level', sql`${t.level} in ('info', 'warning')`),
    check('studio_notices_time', sql`${t.endsAt} > ${t.startsAt}`),
  ],
);

/** Announcements that a user has hidden. */
export const studioNoticeDismissals = pgTable(
  'studio_notice_dismissals',
  {
    noticeId: ref('notice_id')
      .notNull()
      .references(() => studioNotices.id, { onDelete: 'cascade' }),
    userId: ref('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.noticeId, t.userId] }), index('studio_notice_dismissals_of_user').on(t.userId)],
);
