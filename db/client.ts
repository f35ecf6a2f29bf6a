import { drizzle } from 'drizzle-orm/postgres-js';
import { openPool, type PoolOptions } from './pool';

/** A connection pool wrapped by Drizzle. `close` waits up to 5 s for running queries. */
export function createDb(url: string, options: PoolOptions = {}) {
  const { client, close } = openPool(url, options);
  return { db: drizzle(client), client, close };
}

export type Database = ReturnType<typeof createDb>['db'];
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];
