import { drizzle } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';

/** A connection pool wrapped by Drizzle. `close` waits up to 5 s for running queries. */
export function createDb(url: string, options: { max?: number } = {}) {
  const client = postgres(url, { max: options.max ?? 10, onnotice: () => {} });
  return { db: drizzle(client), client, close: () => client.end({ timeout: 5 }) };
}

export type Database = ReturnType<typeof createDb>['db'];
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];
