import { bigint, customType, integer, timestamp } from 'drizzle-orm/pg-core';

/** A bigint identity, read as a JavaScript number; ids will never reach 2^53. */
export const id = () => bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity();

/** The id of another row; the table declares the foreign key. */
export const ref = (name: string) => bigint(name, { mode: 'number' });

/** An instant in UTC. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/** The words of a text for searching. */
export const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });

export const timestamps = () => ({
  createdAt: instant('created_at').notNull().defaultNow(),
  updatedAt: instant('updated_at').notNull().defaultNow(),
});

/** An amount in minor units; another column holds the currency. */
export const minor = (name: string) => integer(name);
