import { boolean, index, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { id, instant, ref } from '../columns';
import { creators } from './creators';
import { insertionCampaigns } from './insertions';
import { products } from './products';

/** Monthly reports by email: one row per creator and month (`2026-11`), so that each is sent once. Deleted after months. */
export const monthReports = pgTable(
  'month_reports',
  {
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id, { onDelete: 'cascade' }),
    month: text('month').notNull(),
    queuedAt: instant('queued_at').notNull(),
    /** When the email was queued, or when a job found that none was due. */
    doneAt: instant('done_at'),
  },
  (t) => [primaryKey({ columns: [t.creatorId, t.month] }), index('month_reports_by_age').on(t.queuedAt)],
);

/** Links by which sponsors see the figures of one show, without an account. */
export const sponsorLinks = pgTable(
  'sponsor_links',
  {
    id: id(),
    creatorId: ref('creator_id').notNull(),
    productId: ref('product_id')
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
    /** Shows the figures of this campaign; null for those of the show. */
    campaignId: ref('campaign_id').references(() => insertionCampaigns.id, { onDelete: 'cascade' }),
    /** For whom it is, in the creator's words. */
    name: text('name').notNull(),
    /** The token itself is stored nowhere. */
    tokenHash: text('token_hash').notNull(),
    /** The page names private episodes, too. */
    namesPrivate: boolean('names_private').notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    revokedAt: instant('revoked_at'),
    /** To the hour. */
    lastUsedAt: instant('last_used_at'),
  },
  (t) => [
    uniqueIndex('sponsor_links_token_once').on(t.tokenHash),
    index('sponsor_links_of_product').on(t.productId),
    index('sponsor_links_of_campaign').on(t.campaignId),
  ],
);
