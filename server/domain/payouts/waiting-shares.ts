import { and, eq, sql } from 'drizzle-orm';
import { sales } from '~/db/schema/billing';
import { ledgerEntries, ledgerLines } from '~/db/schema/ledger';
import type { Ctx } from '../../runtime/ctx';
import { type Settling, UNKNOWN_DAY } from './rules';

/**
 * Whether a part of a sale waits for its day, or has waited. During an update, the former release may enter the fee of
 * such a sale, and leave the share where it waits.
 */
export const hasWaited = sql`exists (
  select from ${ledgerEntries} inner join ${ledgerLines} on ${ledgerLines.entryId} = ${ledgerEntries.id}
  where ${ledgerEntries.saleId} = ${sales.id} and ${ledgerLines.availableAt} = ${UNKNOWN_DAY.toISOString()}::timestamptz)`;

/** The sum of a sale's lines that wait for their day; negative, as we owe it. */
export async function waitingOf(
  { db }: Pick<Ctx, 'db'>,
  { id }: Pick<typeof sales.$inferSelect, 'id'>,
): Promise<number> {
  const [row] = await db
    .select({ minor: sql<number>`coalesce(sum(${ledgerLines.amountMinor}), 0)`.mapWith(Number) })
    .from(ledgerLines)
    .innerJoin(ledgerEntries, eq(ledgerEntries.id, ledgerLines.entryId))
    .where(and(eq(ledgerEntries.saleId, id), eq(ledgerLines.availableAt, UNKNOWN_DAY)));
  return row!.minor;
}

/** The provider may have named the day of a sale since it was read. The sale must be locked. */
export async function settlingOf(
  { db }: Pick<Ctx, 'db'>,
  { id, paidAt }: Pick<typeof sales.$inferSelect, 'id' | 'paidAt'>,
): Promise<Settling> {
  const { availableAt, providerFeeMinor } = sales;
  const [row] = await db.select({ availableAt, providerFeeMinor }).from(sales).where(eq(sales.id, id));
  return { paidAt, ...row! };
}
