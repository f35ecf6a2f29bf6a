import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { id, instant, ref, timestamps } from '../columns';
import { users } from './accounts';
import type { ReceiptParty } from './billing';
import { creators } from './creators';

/** `reversed`: declined by the operator, or returned by the bank; the amount is in the balance again. */
export type PayoutStatus = 'requested' | 'approved' | 'paid' | 'reversed';
export type PayoutMethod = 'iban' | 'paypal';

/** Payouts that creators have requested: at most one in each calendar month (UTC) and currency. */
export const payouts = pgTable(
  'payouts',
  {
    id: id(),
    /** Used in addresses, and at the bank as the reference of the transfer. */
    publicId: uuid('public_id').notNull().defaultRandom(),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id),
    currency: text('currency').$type<'eur' | 'usd'>().notNull(),
    amountMinor: bigint('amount_minor', { mode: 'number' }).notNull(),
    /** `2026-11` */
    month: text('month').notNull(),
    status: text('status').$type<PayoutStatus>().notNull().default('requested'),
    method: text('method').$type<PayoutMethod>().notNull(),
    /** The IBAN or PayPal address at the time of the request; later changes do not affect it. */
    destination: text('destination').notNull(),
    holder: text('holder').notNull(),
    requestedAt: instant('requested_at').notNull(),
    requestedBy: ref('requested_by')
      .notNull()
      .references(() => users.id),
    approvedAt: instant('approved_at'),
    /** The file of transfers that contains it. It is never in two files. */
    transferFile: text('transfer_file'),
    paidAt: instant('paid_at'),
    reversedAt: instant('reversed_at'),
    /** Why the payout was declined or returned. */
    reason: text('reason'),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('payouts_public_once').on(t.publicId),
    uniqueIndex('payouts_once_a_month').on(t.creatorId, t.currency, t.month).where(sql`${t.status} <> 'reversed'`),
    index('payouts_of_creator').on(t.creatorId, t.id),
    index('payouts_by_status').on(t.status, t.id),
    index('payouts_in_file').on(t.transferFile).where(sql`${t.transferFile} is not null`),
    check('payouts_amount', sql`${t.amountMinor} > 0`),
    check('payouts_month', sql`${t.month} ~ '^[0-9]{4}-[0-9]{2}$'`),
    check('payouts_status', sql`${t.status} in ('requested', 'approved', 'paid', 'reversed')`),
  ],
);

/** Why the self-billing invoice has its amount of VAT (docs/decisions/0239). */
export type SelfBillingBasis = 'charged' | 'reverse_charge' | 'outside_eu' | 'not_registered';

/** The contents of a paper when it was issued. The creator sells, the operator buys. */
export type PaperFacts = {
  seller: ReceiptParty;
  buyer: { name: string; address: string | null; country: string; vatNumber: string | null };
  currency: 'eur' | 'usd';
  netMinor: number;
  vatMinor: number;
  basisPoints: number;
  basis: SelfBillingBasis;
};

/**
 * Invoices that the operator writes in the name of creators for their payouts, and the credit notes that cancel the
 * invoices of returned payouts. Numbered without gaps for each creator; never changed.
 */
export const payoutPapers = pgTable(
  'payout_papers',
  {
    id: id(),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id),
    payoutId: ref('payout_id')
      .notNull()
      .references(() => payouts.id),
    kind: text('kind').$type<'invoice' | 'credit_note'>().notNull(),
    number: integer('number').notNull(),
    issuedAt: instant('issued_at').notNull(),
    facts: jsonb('facts').$type<PaperFacts>().notNull(),
  },
  (t) => [
    uniqueIndex('payout_papers_number_once').on(t.creatorId, t.number),
    uniqueIndex('payout_papers_once').on(t.payoutId, t.kind),
    check('payout_papers_number', sql`${t.number} > 0`),
  ],
);
