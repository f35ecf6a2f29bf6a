import { sql } from 'drizzle-orm';
import type { Database, Transaction } from '~/db/client';
import { type Ctx, transact } from '~/server/runtime/ctx';

/** The number of rows of the tables that `read` makes Postgres read. */
export async function rowsRead(ctx: Ctx, read: (ctx: Ctx) => Promise<unknown>, tables: string[]): Promise<number> {
  return transact(ctx, async (tx) => {
    // tables of tests are so small that Postgres would rather read all of them
    await tx.db.execute(sql`set local enable_seqscan = off`);
    const before = await rowsSoFar(tx.db, tables);
    await read(tx);
    return (await rowsSoFar(tx.db, tables)) - before;
  });
}

/** Rows that this connection has read, and has not yet added to the statistics. */
async function rowsSoFar(db: Database | Transaction, tables: string[]): Promise<number> {
  const [row] = await db.execute<{ total: number }>(sql`
    select coalesce(sum(seq_tup_read + idx_tup_fetch), 0)::int as total from pg_stat_xact_user_tables
    where relname in ${tables}`);
  return row!.total;
}
