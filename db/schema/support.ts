import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { Language } from '~/locales/languages';
import { id, instant, ref } from '../columns';

/** Messages of the contact form. */
export const contactMessages = pgTable(
  'contact_messages',
  {
    id: id(),
    /** Shared by the messages from one address, so that mail programs show them as one conversation. */
    threadId: uuid('thread_id').notNull(),
    userId: ref('user_id'),
    name: text('name').notNull(),
    email: text('email').notNull(),
    subject: text('subject').notNull(),
    text: text('text').notNull(),
    language: text('language').$type<Language>().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [
    index('contact_messages_by_age').on(t.createdAt),
    index('contact_messages_of_address').on(t.email, t.createdAt),
  ],
);
