import { sql } from 'drizzle-orm';
import { boolean, index, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { id, instant, ref, timestamps } from '../columns';
import { users } from './accounts';
import { creators } from './creators';

/**
 * `connecting`: it could never take payments yet; `active`: new sales go there; `restricted`: the provider has stopped
 * payments there; `disconnected`: by the creator or at the provider, permanently.
 */
export type SellerStatus = 'connecting' | 'active' | 'restricted' | 'disconnected';

/** Accounts of creators at the payment provider, connected with ours (docs/decisions/0242). */
export const sellerAccounts = pgTable(
  'seller_accounts',
  {
    id: id(),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id),
    /** The account's id at the provider. */
    accountId: text('account_id').notNull(),
    status: text('status').$type<SellerStatus>().notNull(),
    /** As the provider last showed it. */
    email: text('email'),
    country: text('country'),
    chargesEnabled: boolean('charges_enabled').notNull(),
    payoutsEnabled: boolean('payouts_enabled').notNull(),
    /** The details that the provider still needs. */
    missing: jsonb('missing').$type<string[]>().notNull().default([]),
    connectedAt: instant('connected_at').notNull(),
    connectedBy: ref('connected_by')
      .notNull()
      .references(() => users.id),
    disconnectedAt: instant('disconnected_at'),
    /** `provider`: outside of Altavoz. */
    disconnectedBy: text('disconnected_by').$type<'creator' | 'provider'>(),
    /** When the provider was told about a disconnection, after the subscriptions there have ended. */
    releasedAt: instant('released_at'),
    syncedAt: instant('synced_at').notNull(),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('seller_accounts_account_once').on(t.accountId).where(sql`${t.status} <> 'disconnected'`),
    uniqueIndex('seller_accounts_creator_once').on(t.creatorId).where(sql`${t.status} <> 'disconnected'`),
    index('seller_accounts_of_account').on(t.accountId, t.id),
    index('seller_accounts_of_creator').on(t.creatorId, t.id),
    index('seller_accounts_leaving').on(t.id).where(sql`${t.status} = 'disconnected' and ${t.releasedAt} is null`),
  ],
);
