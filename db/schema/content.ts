import { pgTable, text } from 'drizzle-orm/pg-core';
import { instant, tsvector } from '../columns';

/** The words of the site's texts, which are files: one row for each content that a process has had. */
export const contentWords = pgTable('content_words', {
  /** Of the language and the text, so processes with different files do not disturb each other. */
  hash: text('hash').primaryKey(),
  words: tsvector('words').notNull(),
  /** When a process last had the text. */
  seenAt: instant('seen_at').notNull(),
});
