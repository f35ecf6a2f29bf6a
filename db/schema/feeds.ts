import { sql } from 'drizzle-orm';
import { customType, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { id, instant, ref } from '../columns';
import { users } from './accounts';
import { products } from './products';

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/**
 * The private feed of one listener, product and podcast app; without a product, of everything that the listener has. Each
 * can be replaced without the others.
 */
export const feedLinks = pgTable(
  'feed_links',
  {
    id: id(),
    userId: ref('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Null: one feed of all shows. */
    productId: ref('product_id').references(() => products.id, { onDelete: 'cascade' }),
    /** The podcast app that the link is for. */
    app: text('app').notNull(),
    /** SHA-256 of the token in the feed's path. */
    tokenHash: bytea('token_hash').notNull(),
    /** The token, encrypted with the server's secret, so that its owner can see the link again. */
    sealedToken: text('sealed_token').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** Since then another link has taken its place. */
    replacedAt: instant('replaced_at'),
    /** `shared`: not by its owner, who learns that from the feed. */
    replacedBecause: text('replaced_because').$type<'shared'>(),
  },
  (t) => [
    uniqueIndex('feed_links_token_once').on(t.tokenHash),
    uniqueIndex('feed_links_current_once').on(t.userId, t.productId, t.app).where(sql`${t.replacedAt} is null`),
    uniqueIndex('feed_links_of_all_once')
      .on(t.userId, t.app)
      .where(sql`${t.replacedAt} is null and ${t.productId} is null`),
    index('feed_links_of_product').on(t.productId),
  ],
);

/** The last version of a show's public feed of which the WebSub hub knows. */
export const feedPings = pgTable('feed_pings', {
  productId: ref('product_id')
    .primaryKey()
    .references(() => products.id, { onDelete: 'cascade' }),
  version: integer('version').notNull(),
  pingedAt: instant('pinged_at').notNull(),
});
