import { sql } from 'drizzle-orm';
import { date, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { id, instant, ref, timestamps } from '../columns';
import type {
  ContactFault,
  ContactImportStatus,
  ContactMapping,
  ListHost,
  ListKind,
  ReportedRow,
} from '../values/contact-imports';
import type { InactiveState } from '../values/contacts';
import { users } from './accounts';
import { creators } from './creators';

/** Files of contacts. Their rows wait in `contact_import_rows` until all suppressions of the file are known. */
export const contactImports = pgTable(
  'contact_imports',
  {
    id: id(),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id, { onDelete: 'cascade' }),
    userId: ref('user_id').references(() => users.id, { onDelete: 'set null' }),
    /** The key of the upload. */
    fileKey: text('file_key').notNull(),
    fileName: text('file_name').notNull(),
    host: text('host').$type<ListHost>().notNull(),
    kind: text('kind').$type<ListKind>().notNull(),
    mapping: jsonb('mapping').$type<ContactMapping>().notNull(),
    /** The creator's declaration, as each contact's consent has it. */
    consent: text('consent').notNull(),
    consentedOn: date('consented_on').notNull(),
    language: text('language').notNull(),
    status: text('status').$type<ContactImportStatus>().notNull(),
    /** The last line of the file whose row waits or was left out. */
    readTo: integer('read_to').notNull().default(0),
    /** The last line whose row is among the contacts. */
    mergedTo: integer('merged_to').notNull().default(0),
    rows: integer('rows').notNull().default(0),
    merged: integer('merged').notNull().default(0),
    added: integer('added').notNull().default(0),
    changed: integer('changed').notNull().default(0),
    suppressed: integer('suppressed').notNull().default(0),
    leftOut: integer('left_out').notNull().default(0),
    /** The rows that brought a contact without their date, known at the end. */
    undated: integer('undated').notNull().default(0),
    failure: text('failure'),
    endedAt: instant('ended_at'),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('contact_imports_one_at_a_time')
      .on(t.creatorId)
      .where(sql`${t.status} in ('reading', 'suppressing', 'merging')`),
    index('contact_imports_of_creator').on(t.creatorId, t.id),
    index('contact_imports_of_user').on(t.userId),
    index('contact_imports_by_age').on(t.updatedAt),
  ],
);

/**
 * The rows of a file that bring a contact or a suppression; deleted as they do. Without a foreign key, whose check for each
 * row takes longer than its insertion: a sweep deletes the rows of imports that are gone (docs/decisions/0354).
 */
export const contactImportRows = pgTable(
  'contact_import_rows',
  {
    importId: ref('import_id').notNull(),
    line: integer('line').notNull(),
    email: text('email').notNull(),
    name: text('name').notNull(),
    tags: jsonb('tags').$type<string[]>(),
    since: date('since'),
    state: text('state').$type<InactiveState>(),
  },
  (t) => [primaryKey({ columns: [t.importId, t.line] })],
);

/** The rows that brought no contact or lost their date, and why. `text`: their address, or their cells. */
export const contactImportProblems = pgTable(
  'contact_import_problems',
  {
    importId: ref('import_id')
      .notNull()
      .references(() => contactImports.id, { onDelete: 'cascade' }),
    line: integer('line').notNull(),
    text: text('text').notNull(),
    /** Null in rows of former releases. */
    row: jsonb('row').$type<ReportedRow>(),
    fault: text('fault').$type<ContactFault>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.importId, t.line] })],
);
