import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { id, instant, ref, timestamps } from '../columns';
import { users } from './accounts';
import { checkouts } from './checkouts';
import { products } from './products';

/** Access that was bought for another person; the link is redeemed once, within a year. */
export const gifts = pgTable(
  'gifts',
  {
    id: id(),
    /** SHA-256 of the link's token. */
    tokenHash: text('token_hash').notNull(),
    /** The token, sealed, for the giver's page. */
    sealedToken: text('sealed_token').notNull(),
    checkoutId: uuid('checkout_id')
      .notNull()
      .references(() => checkouts.id),
    giverId: ref('giver_id')
      .notNull()
      .references(() => users.id),
    /** How the giver signs; empty if they don't. Null for gifts from before it was asked: the name of their account. */
    giverName: text('giver_name'),
    productId: ref('product_id')
      .notNull()
      .references(() => products.id),
    /** Months of access; null for an audio series, where access does not end. */
    months: integer('months'),
    recipientName: text('recipient_name').notNull().default(''),
    /** The address that got the link; null if the giver passes it on. */
    recipientEmail: text('recipient_email'),
    message: text('message').notNull().default(''),
    expiresAt: instant('expires_at').notNull(),
    redeemedAt: instant('redeemed_at'),
    redeemedBy: ref('redeemed_by').references(() => users.id),
    /**
     * When the gift's months start, after the months that the recipient already has. `accessUntil` is null for an audio
     * series.
     */
    accessFrom: instant('access_from'),
    accessUntil: instant('access_until'),
    /** When the recipient got the email that it has ended. */
    endReportedAt: instant('end_reported_at'),
    /** Refunded: the link no longer works, and access from it has ended. */
    cancelledAt: instant('cancelled_at'),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('gifts_token_once').on(t.tokenHash),
    uniqueIndex('gifts_checkout_once').on(t.checkoutId),
    index('gifts_of_giver').on(t.giverId),
    index('gifts_of_product').on(t.productId),
    index('gifts_of_receiver').on(t.redeemedBy),
    index('gifts_ending')
      .on(t.accessUntil)
      .where(sql`${t.accessUntil} is not null and ${t.endReportedAt} is null and ${t.cancelledAt} is null`),
  ],
);
