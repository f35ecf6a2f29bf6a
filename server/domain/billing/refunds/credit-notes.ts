import { asc, eq, sql } from 'drizzle-orm';
import { refunds } from '~/db/schema/billing';
import { creditNoteCounters, creditNotes } from '~/db/schema/credit-notes';
import type { TxCtx } from '../../../runtime/ctx';
import { returnedParts } from '../../payouts/rules';
import type { SaleRow } from '../base/queries';
import { isFailed } from './refund-states';

type Note = Pick<typeof creditNotes.$inferInsert, 'refundId' | 'kind' | 'amountMinor' | 'vatMinor'>;

/**
 * Writes a corrective invoice for each refund of a sale that has none yet, and for each failure of a refund that has one
 * (docs/decisions/0302). The sale's row must be locked. Repeating it changes nothing.
 */
export async function issueCreditNotes(tx: TxCtx, sale: SaleRow): Promise<void> {
  const { id: saleId, legalEntity } = sale;
  const known = await tx.db
    .select()
    .from(creditNotes)
    .where(eq(creditNotes.saleId, saleId))
    .orderBy(asc(creditNotes.id));
  const rows = await tx.db
    .select()
    .from(refunds)
    .where(eq(refunds.saleId, saleId))
    .orderBy(asc(refunds.refundedAt), asc(refunds.providerId));
  const missing = missingNotes(sale, known, rows);
  if (missing.length === 0) return;
  const last = await countNotes(tx, legalEntity, missing.length);
  const now = tx.now();
  const common = { saleId, legalEntity, issuedAt: now, createdAt: now, updatedAt: now };
  const numbered = missing.map((note, index) => ({ ...note, ...common, number: last - missing.length + index + 1 }));
  await tx.db.insert(creditNotes).values(numbered);
}

/** The VAT is the difference to the VAT of all notes so far, so that rounding errors do not add up. */
function missingNotes(sale: SaleRow, known: Note[], rows: (typeof refunds.$inferSelect)[]): Note[] {
  const has = (refundId: string, kind: Note['kind']) =>
    known.some((note) => note.refundId === refundId && note.kind === kind);
  const missing: Note[] = [];
  const sum = (part: 'amountMinor' | 'vatMinor') => [...known, ...missing].reduce((all, note) => all + note[part], 0);
  for (const { providerId: refundId, amountMinor, status } of rows) {
    const kind = isFailed(status) ? 'failure' : 'refund';
    // a refund that failed before we knew it has no note to cancel
    if (has(refundId, kind) || (kind === 'failure' && !has(refundId, 'refund'))) continue;
    const minor = kind === 'failure' ? 0 - amountMinor : amountMinor;
    const vatMinor = returnedParts(sale, sum('amountMinor') + minor).vatMinor - sum('vatMinor');
    missing.push({ refundId, kind, amountMinor: minor, vatMinor });
  }
  return missing;
}

/** @returns the last of the new numbers */
async function countNotes(tx: TxCtx, legalEntity: string, count: number): Promise<number> {
  const [row] = await tx.db
    .insert(creditNoteCounters)
    .values({ legalEntity, last: count })
    .onConflictDoUpdate({
      target: creditNoteCounters.legalEntity,
      set: { last: sql`${creditNoteCounters.last} + ${count}` },
    })
    .returning();
  return row!.last;
}
