import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { Language } from '~/locales/languages';
import { instant, ref } from '../columns';

/** Rendered emails, inserted in the transaction that causes them. */
export const outbox = pgTable(
  'outbox',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: ref('user_id'),
    to: text('to').notNull(),
    topic: text('topic').notNull(),
    language: text('language').$type<Language>().notNull(),
    subject: text('subject').notNull(),
    html: text('html').notNull(),
    text: text('text').notNull(),
    attempts: integer('attempts').notNull().default(0),
    createdAt: instant('created_at').notNull().defaultNow(),
    sentAt: instant('sent_at'),
    failedAt: instant('failed_at'),
    failure: text('failure'),
  },
  (t) => [index('outbox_by_age').on(t.createdAt)],
);
