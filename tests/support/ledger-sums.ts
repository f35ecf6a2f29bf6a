import { eq, sql } from 'drizzle-orm';
import { ledgerEntries, ledgerLines } from '~/db/schema/ledger';
import type { Runtime } from '~/server/runtime/runtime';

/** The sums of a sale's accounts. */
export async function ledgerSums({ db }: Pick<Runtime, 'db'>, saleId: number): Promise<Record<string, number>> {
  const rows = await db
    .select({ account: ledgerLines.account, minor: sql<number>`sum(${ledgerLines.amountMinor})`.mapWith(Number) })
    .from(ledgerLines)
    .innerJoin(ledgerEntries, eq(ledgerEntries.id, ledgerLines.entryId))
    .where(eq(ledgerEntries.saleId, saleId))
    .groupBy(ledgerLines.account)
    .orderBy(ledgerLines.account);
  return Object.fromEntries(rows.map(({ account, minor }) => [account, minor]));
}
