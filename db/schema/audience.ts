import { sql } from 'drizzle-orm';
import { check, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { id, instant, ref, timestamps } from '../columns';
import { creators } from './creators';

/** A creator's contacts (spec §3). */
export const contacts = pgTable(
  'contacts',
  {
    id: id(),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id),
    /** Case-folded. */
    email: text('email').notNull(),
    name: text('name').notNull().default(''),
    source: text('source').$type<'form' | 'follow' | 'manual' | 'import'>().notNull(),
    /** Pending: requested by a form, and not yet confirmed by a link in an email. */
    status: text('status').$type<'pending' | 'active' | 'inactive'>().notNull(),
    language: text('language').notNull(),
    confirmedAt: instant('confirmed_at'),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('contacts_once').on(t.creatorId, t.email),
    index('contacts_newest').on(t.creatorId, t.status, t.createdAt),
    check('contacts_status', sql`${t.status} in ('pending', 'active', 'inactive')`),
    check('contacts_source', sql`${t.source} in ('form', 'follow', 'manual', 'import')`),
  ],
);
