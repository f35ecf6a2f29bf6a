import { drizzle } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';

/** Longer statements are inserts of many rows, each with a text of its own. */
const MAX_PREPARED_LENGTH = 10_000;

/** A connection pool wrapped by Drizzle. `close` waits up to 5 s for running queries. */
export function createDb(url: string, options: { max?: number } = {}) {
  const client = postgres(url, { max: options.max ?? 10, onnotice: () => {} });
  prepareStatements(client);
  return { db: drizzle(client), client, close: () => client.end({ timeout: 5 }) };
}

/**
 * Drizzle asks the driver not to prepare a query unless it has a name, so each one would be parsed and planned again, after
 * a second round trip for its types. Transactions have clients of their own and are not affected. The driver keeps a
 * statement for each connection and prepares it again if a migration invalidates it.
 */
function prepareStatements(client: postgres.Sql): void {
  const { unsafe } = client;
  client.unsafe = ((text, params, options) =>
    unsafe(text, params, { ...options, prepare: text.length <= MAX_PREPARED_LENGTH })) as typeof unsafe;
}

export type Database = ReturnType<typeof createDb>['db'];
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];
