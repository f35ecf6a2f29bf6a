import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { instant, ref } from '../columns';
import { users } from './accounts';
import { creators } from './creators';

/** A section of the zip, in an object of its own. */
export type BackupPart = { key: string; bytes: number };

/**
 * Backups of everything that belongs to a creator. The zip is its parts one after the other. Tables, job names, URLs and
 * error codes say 'archive', because they are stored or public (docs/decisions/0280).
 */
export const creatorBackups = pgTable(
  'creator_archives',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id, { onDelete: 'cascade' }),
    /** The user who gets the email; null if an operator has requested the backup. */
    requestedBy: ref('requested_by').references(() => users.id, { onDelete: 'cascade' }),
    /** Each step increments it in the transaction that stores its part and the next job, so no step counts twice. */
    step: integer('step').notNull().default(0),
    parts: jsonb('parts').$type<BackupPart[]>().notNull().default([]),
    /** Total size of the parts. */
    bytes: bigint('bytes', { mode: 'number' }).notNull().default(0),
    /** Total size of the files to copy; null until it is known. */
    filesBytes: bigint('files_bytes', { mode: 'number' }),
    requestedAt: instant('requested_at').notNull(),
    /** When the last step ended. */
    updatedAt: instant('updated_at').notNull(),
    readyAt: instant('ready_at'),
    expiresAt: instant('expires_at'),
    failedAt: instant('failed_at'),
  },
  (t) => [
    uniqueIndex('creator_archives_one_at_a_time')
      .on(t.creatorId)
      .where(sql`${t.readyAt} is null and ${t.failedAt} is null`),
    index('creator_archives_of_creator').on(t.creatorId, t.requestedAt),
    index('creator_archives_of_user').on(t.requestedBy),
    index('creator_archives_expiry').on(t.expiresAt).where(sql`${t.expiresAt} is not null`),
    index('creator_archives_running').on(t.updatedAt).where(sql`${t.readyAt} is null and ${t.failedAt} is null`),
  ],
);

/** The entries of a backup's zip in their order: written ones, and files that wait for their turn. */
export const backupEntries = pgTable(
  'archive_entries',
  {
    backupId: uuid('archive_id')
      .notNull()
      .references(() => creatorBackups.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    name: text('name').notNull(),
    /** The object that is copied; null for an entry written from the database. */
    storageKey: text('storage_key'),
    /** Size of its uncompressed content; before it is written, the size in the database. */
    bytes: bigint('bytes', { mode: 'number' }).notNull().default(0),
    /** This and the following columns are null until the entry is written. */
    storedBytes: bigint('stored_bytes', { mode: 'number' }),
    offset: bigint('offset', { mode: 'number' }),
    crc32: bigint('crc32', { mode: 'number' }),
    sha256: text('sha256'),
    /** Set for a table. */
    rows: integer('rows'),
    /** The object was missing in storage when its turn came. */
    isMissing: boolean('is_missing').notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.backupId, t.position] }),
    index('archive_entries_waiting').on(t.backupId, t.position).where(sql`${t.sha256} is null and not ${t.isMissing}`),
  ],
);

/** Creators that were imported from a backup of another installation. */
export const backupImports = pgTable(
  'archive_imports',
  {
    backupId: uuid('archive_id').primaryKey(),
    creatorId: ref('creator_id').references(() => creators.id, { onDelete: 'cascade' }),
    startedAt: instant('started_at').notNull(),
    endedAt: instant('ended_at'),
  },
  (t) => [index('archive_imports_of_creator').on(t.creatorId)],
);

/** The new ids of an imported archive's rows. */
export const backupImportIds = pgTable(
  'archive_import_ids',
  {
    backupId: uuid('archive_id')
      .notNull()
      .references(() => backupImports.backupId, { onDelete: 'cascade' }),
    /** The table's name. */
    table: text('table').notNull(),
    oldId: bigint('old_id', { mode: 'number' }).notNull(),
    newId: bigint('new_id', { mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.backupId, t.table, t.oldId] })],
);
