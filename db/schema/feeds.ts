import { sql } from 'drizzle-orm';
import { customType, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
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

/**
 * Who fetched an episode with a private feed's address, in the last days: one row for each network and app, without
 * addresses in clear. Both are from closed sets, so an address has only so many rows.
 */
export const feedFetches = pgTable(
  'feed_fetches',
  {
    linkId: ref('link_id')
      .notNull()
      .references(() => feedLinks.id, { onDelete: 'cascade' }),
    episodeId: ref('episode_id').notNull(),
    /** A keyed hash of the network, the link and the episode: nobody follows a network from one episode to another. */
    network: text('network').notNull(),
    app: text('app').notNull(),
    /** The first time. */
    at: instant('at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.linkId, t.episodeId, t.network, t.app] }), index('feed_fetches_by_age').on(t.at)],
);

/** Private feeds that more people use than a household has. */
export const sharedFeeds = pgTable('shared_feeds', {
  linkId: ref('link_id')
    .primaryKey()
    .references(() => feedLinks.id, { onDelete: 'cascade' }),
  /** What was seen the last time. */
  networks: integer('networks').notNull(),
  apps: integer('apps').notNull(),
  foundAt: instant('found_at').notNull(),
  lastFoundAt: instant('last_found_at').notNull(),
  /** When the listener was told, once. */
  notifiedAt: instant('notified_at'),
});
