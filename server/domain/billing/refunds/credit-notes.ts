import { asc, eq, sql } from 'drizzle-orm';
import { refunds } from '~/db/schema/billing';
import { creditNoteCounters, creditNotes } from '~/db/schema/credit-notes';
import type { Dispute } from '../../../adapters/payments/objects';
import type { TxCtx } from '../../../runtime/ctx';
import { returnedParts } from '../../payouts/rules';
import type { SaleRow } from '../base/queries';
import { isFailed } from '../base/refund-states';

type Note = Pick<typeof creditNotes.$inferSelect, 'refundId' | 'disputeId' | 'kind' | 'amountMinor' | 'vatMinor'>;
/** A movement of money that has a note; one that `reverses` another has none without its note. */
type Movement = Omit<Note, 'vatMinor'> & { reverses?: Note['kind'] };

/**
 * Writes a corrective invoice for each refund of a sale that has none yet, and for each failure of a refund that has one
 * (docs/decisions/0302). The sale's row must be locked. Repeating it changes nothing.
 */
export async function issueCreditNotes(tx: TxCtx, sale: SaleRow): Promise<void> {
  const rows = await tx.db
    .select()
    .from(refunds)
    .where(eq(refunds.saleId, sale.id))
    .orderBy(asc(refunds.refundedAt), asc(refunds.providerId));
  const movements = rows.map(({ providerId: refundId, amountMinor, status }): Movement => {
    const common = { refundId, disputeId: null };
    // a refund that failed before we knew it has no note to cancel
    return isFailed(status)
      ? { ...common, kind: 'failure', amountMinor: 0 - amountMinor, reverses: 'refund' }
      : { ...common, kind: 'refund', amountMinor };
  });
  await issueMissing(tx, sale, movements);
}

/**
 * Writes a corrective invoice when a bank takes a payment back, and another one when it returns it: the same moments as
 * in the books, so that each change of the VAT has its document. The dispute must be stored, and the sale's row locked.
 */
export async function issueDisputeNotes(tx: TxCtx, sale: SaleRow, dispute: Dispute): Promise<void> {
  const { id: disputeId, taken, returned } = dispute;
  if (!taken) return;
  const common = { refundId: null, disputeId };
  const { minor } = taken.amount;
  await issueMissing(tx, sale, [
    { ...common, kind: 'dispute', amountMinor: minor },
    ...(returned
      ? [{ ...common, kind: 'dispute_won', amountMinor: 0 - minor, reverses: 'dispute' } satisfies Movement]
      : []),
  ]);
}

async function issueMissing(tx: TxCtx, sale: SaleRow, movements: Movement[]): Promise<void> {
  const { id: saleId, legalEntity } = sale;
  const known = await tx.db
    .select()
    .from(creditNotes)
    .where(eq(creditNotes.saleId, saleId))
    .orderBy(asc(creditNotes.id));
  const missing = missingNotes(sale, known, movements);
  if (missing.length === 0) return;
  const last = await countNotes(tx, legalEntity, missing.length);
  const now = tx.now();
  const common = { saleId, legalEntity, issuedAt: now, createdAt: now, updatedAt: now };
  const numbered = missing.map((note, index) => ({ ...note, ...common, number: last - missing.length + index + 1 }));
  await tx.db.insert(creditNotes).values(numbered);
}

/** The VAT is the difference to the VAT of all notes so far, so that rounding errors do not add up. */
function missingNotes(sale: SaleRow, known: Note[], movements: Movement[]): Note[] {
  const missing: Note[] = [];
  const all = () => [...known, ...missing];
  const has = ({ refundId, disputeId }: Movement, kind: Note['kind']) =>
    all().some((note) => note.refundId === refundId && note.disputeId === disputeId && note.kind === kind);
  const sum = (part: 'amountMinor' | 'vatMinor') => all().reduce((total, note) => total + note[part], 0);
  for (const { reverses, ...movement } of movements) {
    if (has(movement, movement.kind) || (reverses && !has(movement, reverses))) continue;
    const vatMinor = returnedParts(sale, sum('amountMinor') + movement.amountMinor).vatMinor - sum('vatMinor');
    missing.push({ ...movement, vatMinor });
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
