import { drizzle } from 'drizzle-orm/postgres-js';
import { addArrayTypes } from './driver/array-types';
import { openPool, type PoolOptions } from './driver/pool';

/** A connection pool wrapped by Drizzle. `close` waits up to 5 s for running queries. */
export function createDb(url: string, options: PoolOptions = {}) {
  const pool = openPool(url, options);
  const db = drizzle(pool.client);
  // Drizzle reads arrays of dates and of exact numbers as text, but only those of the first client
  addArrayTypes(pool.client.options);
  return { db, ...pool };
}

export type Database = ReturnType<typeof createDb>['db'];
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];

/** The addresses of the database, and whether they allow prepared statements. */
export type DatabaseAddress = {
  url: string;
  /** The same database without a pooler in between. */
  directUrl: string;
  /** Whether statements may be prepared through `url`. */
  prepare: boolean;
};
