import { sql } from 'drizzle-orm';
import { bigint, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { BookEntry } from '~/server/adapters/payments/book-port';
import { id, instant, ref } from '../columns';
import { creators } from './creators';
import { products } from './products';

/** Changes of our balance at the payment provider, from its books: an amount or a fee of one of its entries. */
export const providerEntries = pgTable(
  'provider_entries',
  {
    /** The provider's id, with `/fee` for the fee. */
    id: text('id').primaryKey(),
    kind: text('kind').$type<BookEntry['kind']>().notNull(),
    /** Key of the ledger entry that must match; null for application fees, which are found by their charge. */
    key: text('key'),
    amountMinor: bigint('amount_minor', { mode: 'number' }).notNull(),
    currency: text('currency').notNull(),
    payment: text('payment'),
    source: text('source'),
    /** Set for an application fee and its refunds. */
    feeId: text('fee_id'),
    /** For an application fee: the charge on the creator's account. */
    charge: text('charge'),
    at: instant('at').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [
    index('provider_entries_at').on(t.at),
    index('provider_entries_fees').on(t.feeId).where(sql`${t.kind} = 'application_fee'`),
  ],
);

/** Objects about which the ledger and the provider disagree. */
export const reconciliationDifferences = pgTable(
  'reconciliation_differences',
  {
    /** The ledger's key, or `unknown/{id}` for an entry of the provider that nothing explains. */
    key: text('key').notNull(),
    currency: text('currency').notNull(),
    creatorId: ref('creator_id').references(() => creators.id),
    productId: ref('product_id').references(() => products.id),
    /** Null if that side has no entry. */
    oursMinor: bigint('ours_minor', { mode: 'number' }),
    theirsMinor: bigint('theirs_minor', { mode: 'number' }),
    /** When it happened. */
    at: instant('at').notNull(),
    firstSeenAt: instant('first_seen_at').notNull(),
    /** When both sides agreed again. */
    resolvedAt: instant('resolved_at'),
  },
  (t) => [
    primaryKey({ columns: [t.key, t.currency] }),
    index('reconciliation_differences_open').on(t.at).where(sql`${t.resolvedAt} is null`),
  ],
);

/** Runs of the comparison of the books. */
export const reconciliations = pgTable(
  'reconciliations',
  {
    id: id(),
    startedAt: instant('started_at').notNull(),
    /** Null if the run was interrupted; the next one reads the same period again. */
    finishedAt: instant('finished_at'),
    /** New entries of the provider, and open differences. */
    entries: integer('entries').notNull().default(0),
    differences: integer('differences').notNull().default(0),
    /** Differences for which the provider was asked again. */
    healed: integer('healed').notNull().default(0),
  },
  (t) => [index('reconciliations_finished').on(t.finishedAt)],
);
