import { index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { id, instant, minor, ref, timestamps } from '../columns';
import { disputes, refunds, sales } from './billing';

/**
 * The corrective invoice of each refund and of each payment that a bank took back; `failure` and `dispute_won`: of money
 * that came back, with negative amounts. Parties and item are those of the sale. Immutable.
 */
export const creditNotes = pgTable(
  'credit_notes',
  {
    id: id(),
    saleId: ref('sale_id')
      .notNull()
      .references(() => sales.id),
    /** A note has either a refund or a dispute. */
    refundId: text('refund_id').references(() => refunds.providerId),
    disputeId: text('dispute_id').references(() => disputes.providerId),
    kind: text('kind').$type<'refund' | 'failure' | 'dispute' | 'dispute_won'>().notNull(),
    /** Sequential within a legal entity, in a series of its own: `R-000123`. */
    legalEntity: text('legal_entity').notNull(),
    number: integer('number').notNull(),
    /** The returned amount, and the VAT in it. */
    amountMinor: minor('amount_minor').notNull(),
    vatMinor: minor('vat_minor').notNull(),
    issuedAt: instant('issued_at').notNull(),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('credit_notes_refund_once').on(t.refundId, t.kind),
    uniqueIndex('credit_notes_dispute_once').on(t.disputeId, t.kind),
    uniqueIndex('credit_notes_number_once').on(t.legalEntity, t.number),
    index('credit_notes_of_sale').on(t.saleId),
  ],
);

/**
 * The last number of a credit note of each legal entity. Not a column of `receipt_counters`: a repeated payment locks
 * that row before its sale, and a refund would lock it after the sale.
 */
export const creditNoteCounters = pgTable('credit_note_counters', {
  legalEntity: text('legal_entity').primaryKey(),
  last: integer('last').notNull(),
});
