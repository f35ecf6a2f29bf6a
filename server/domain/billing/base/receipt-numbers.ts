import { eq, sql } from 'drizzle-orm';
import { receiptCounters, sales } from '~/db/schema/billing';
import { creditNoteCounters, creditNotes } from '~/db/schema/credit-notes';
import type { TxCtx } from '../../../runtime/ctx';

/** The legal entities that number receipts in this installation. */
export async function isEntityTaken(tx: TxCtx): Promise<(legalEntity: string) => boolean> {
  const rows = await tx.db.select({ legalEntity: receiptCounters.legalEntity }).from(receiptCounters);
  const taken = new Set(rows.map(({ legalEntity }) => legalEntity));
  return (legalEntity) => taken.has(legalEntity);
}

/** Call it after sales of another installation were imported: new receipts and credit notes get higher numbers. */
export async function countImported(tx: TxCtx, creatorId: number): Promise<void> {
  await countReceipts(tx, creatorId);
  await countNotes(tx, creatorId);
}

async function countReceipts(tx: TxCtx, creatorId: number): Promise<void> {
  const last = sql<number>`max(${sales.receiptNumber})`.mapWith(Number);
  const found = await tx.db
    .select({ legalEntity: sales.legalEntity, last })
    .from(sales)
    .where(eq(sales.creatorId, creatorId))
    .groupBy(sales.legalEntity);
  if (found.length === 0) return;
  await tx.db
    .insert(receiptCounters)
    .values(found)
    .onConflictDoUpdate({
      target: receiptCounters.legalEntity,
      set: { last: sql`greatest(${receiptCounters.last}, excluded.last)` },
    });
}

async function countNotes(tx: TxCtx, creatorId: number): Promise<void> {
  const last = sql<number>`max(${creditNotes.number})`.mapWith(Number);
  const found = await tx.db
    .select({ legalEntity: creditNotes.legalEntity, last })
    .from(creditNotes)
    .innerJoin(sales, eq(sales.id, creditNotes.saleId))
    .where(eq(sales.creatorId, creatorId))
    .groupBy(creditNotes.legalEntity);
  if (found.length === 0) return;
  await tx.db
    .insert(creditNoteCounters)
    .values(found)
    .onConflictDoUpdate({
      target: creditNoteCounters.legalEntity,
      set: { last: sql`greatest(${creditNoteCounters.last}, excluded.last)` },
    });
}
