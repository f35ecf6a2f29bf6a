import { sql } from 'drizzle-orm';
import { bigint, check, date, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { id, instant, ref } from '../columns';
import { sales } from './billing';
import { creators } from './creators';
import { payouts } from './payouts';
import { products } from './products';

/**
 * Accounts by the place or the owner of the money. Assets: `provider_balance` (at the payment provider), `bank`. Debts:
 * `creator_payable` (owed to a creator), `payouts_in_transit` (requested, not yet transferred), `vat_payable` (owed to
 * a country). Income: `commission`, `plan_revenue`. Expenses: `provider_fees`, `affiliate_costs` (shares of affiliates);
 * `currency_exchange` is what the provider has converted; `adjustments` are amounts that the operator gives or takes.
 */
export type LedgerAccount =
  | 'provider_balance'
  | 'bank'
  | 'creator_payable'
  | 'payouts_in_transit'
  | 'vat_payable'
  | 'commission'
  | 'plan_revenue'
  | 'provider_fees'
  | 'currency_exchange'
  | 'adjustments'
  | 'affiliate_costs';

export type EntryKind =
  | 'sale'
  | 'application_fee'
  | 'processor_fee'
  | 'refund'
  | 'refund_failed'
  | 'dispute'
  | 'dispute_won'
  | 'dispute_fee'
  | 'payout'
  | 'payout_paid'
  | 'payout_reversed'
  | 'provider_payout'
  | 'conversion'
  | 'adjustment'
  | 'affiliate_commission'
  | 'affiliate_return';

/**
 * Every movement of money, once for each `key` (`sale/{payment}`, `refund/{refund}` …). Rows are only added: triggers
 * reject updates and deletes, and entries whose lines are not balanced.
 */
export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    id: id(),
    kind: text('kind').$type<EntryKind>().notNull(),
    key: text('key').notNull(),
    saleId: ref('sale_id').references(() => sales.id),
    creatorId: ref('creator_id').references(() => creators.id),
    productId: ref('product_id').references(() => products.id),
    /** The payout of this entry. */
    payoutId: ref('payout_id').references(() => payouts.id),
    /** When it happened. */
    at: instant('at').notNull(),
    /** For an adjustment: the reason and the operator. For an affiliate's share: the code of the link. */
    note: text('note'),
    actor: text('actor'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('ledger_entries_once').on(t.key),
    index('ledger_entries_of_creator').on(t.creatorId, t.at),
    index('ledger_entries_of_sale').on(t.saleId),
    index('ledger_entries_of_payout').on(t.payoutId),
    index('ledger_entries_at').on(t.at),
  ],
);

/** The lines of an entry: debits are positive, credits negative, in minor units. Their sum is 0 in each currency. */
export const ledgerLines = pgTable(
  'ledger_lines',
  {
    id: id(),
    entryId: ref('entry_id')
      .notNull()
      .references(() => ledgerEntries.id),
    account: text('account').$type<LedgerAccount>().notNull(),
    /** Set for `creator_payable`. */
    creatorId: ref('creator_id').references(() => creators.id),
    /** Set for `vat_payable`: ISO 3166-1 alpha-2. */
    country: text('country'),
    currency: text('currency').notNull(),
    amountMinor: bigint('amount_minor', { mode: 'number' }).notNull(),
    /** For `creator_payable`: when the amount starts to count for payouts. */
    availableAt: instant('available_at'),
  },
  (t) => [
    index('ledger_lines_of_entry').on(t.entryId),
    index('ledger_lines_of_creator')
      .on(t.creatorId, t.currency, t.availableAt, t.amountMinor)
      .where(sql`${t.account} = 'creator_payable'`),
    check('ledger_lines_amount', sql`${t.amountMinor} <> 0`),
    check(
      'ledger_lines_creator',
      sql`(${t.account} = 'creator_payable') = (${t.creatorId} is not null) and (${t.creatorId} is null) = (${t.availableAt} is null)`,
    ),
    check('ledger_lines_country', sql`${t.country} is null or ${t.account} = 'vat_payable'`),
  ],
);

/**
 * The sums of the `creator_payable` lines by the month (UTC) and kind of their entry, and by the day (UTC) on which they
 * become available. A trigger on `ledger_lines` adds to them (docs/decisions/0291).
 */
export const payableSums = pgTable(
  'payable_sums',
  {
    creatorId: ref('creator_id').notNull(),
    currency: text('currency').notNull(),
    /** The first day of the month. */
    month: date('month', { mode: 'string' }).notNull(),
    kind: text('kind').$type<EntryKind>().notNull(),
    availableOn: date('available_on', { mode: 'string' }).notNull(),
    /** The last instant of that day at which an amount becomes available. */
    availableAt: instant('available_at').notNull(),
    entries: integer('entries').notNull(),
    /** What we owe to the creator: positive, unlike the lines. */
    owedMinor: bigint('owed_minor', { mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.creatorId, t.currency, t.month, t.kind, t.availableOn] })],
);
