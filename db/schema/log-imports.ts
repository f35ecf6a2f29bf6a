import { customType, date, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns';
import type { LogCounts, LogFormat } from '../values/log-imports';

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** Files of a CDN's requests, by a hash of their contents. `lines`: how many of them are counted. */
export const logImports = pgTable('log_imports', {
  fingerprint: text('fingerprint').primaryKey(),
  name: text('name').notNull(),
  format: text('format').$type<LogFormat>().notNull(),
  lines: integer('lines').notNull().default(0),
  counts: jsonb('counts').$type<LogCounts>().notNull().default({}),
  startedAt: instant('started_at').notNull(),
  finishedAt: instant('finished_at'),
});

/**
 * The keys of listeners on past days whose salts are deleted. They are deleted when their import ends, or after a day,
 * so that no listener key can be traced back to an address.
 */
export const logKeys = pgTable('log_keys', {
  day: date('day', { mode: 'string' }).primaryKey(),
  key: bytea('key').notNull(),
  createdAt: instant('created_at').notNull(),
});
