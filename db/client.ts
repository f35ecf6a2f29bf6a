import { drizzle } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';

/** A pool of connections with Drizzle over it. `close` lets running queries end, for 5 s at most. */
export function createDb(url: string, options: { max?: number } = {}) {
  const client = postgres(url, { max: options.max ?? 10, onnotice: () => {} });
  return { db: drizzle(client), client, close: () => client.end({ timeout: 5 }) };
}

export type Database = ReturnType<typeof createDb>['db'];
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];
