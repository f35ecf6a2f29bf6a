import { bigint, integer, timestamp } from 'drizzle-orm/pg-core';

/** A bigint identity: small enough for JavaScript's numbers for longer than the product will live. */
export const id = () => bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity();

/** The id of another row; the reference itself is stated where the tables are known. */
export const ref = (name: string) => bigint(name, { mode: 'number' });

/** An instant in UTC. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

export const timestamps = () => ({
  createdAt: instant('created_at').notNull().defaultNow(),
  updatedAt: instant('updated_at').notNull().defaultNow(),
});

/** An amount in minor units; the currency stands in a column beside it. */
export const minor = (name: string) => integer(name);
