import { sql } from 'drizzle-orm';
import { customType, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { id, instant, ref } from '../columns';
import { users } from './accounts';
import { products } from './products';

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/**
 * The private feed of one listener, product and podcast app; without a product, the feed of all shows that the listener
 * has. Each can be replaced independently.
 */
export const feedLinks = pgTable(
  'feed_links',
  {
    id: id(),
    userId: ref('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Null for the feed of all shows. */
    productId: ref('product_id').references(() => products.id, { onDelete: 'cascade' }),
    /** The podcast app that the link is for. */
    app: text('app').notNull(),
    /** SHA-256 of the token in the feed's path. */
    tokenHash: bytea('token_hash').notNull(),
    /** The token, encrypted with the server's secret, so that its owner can see the link again. */
    sealedToken: text('sealed_token').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** When another link replaced it. */
    replacedAt: instant('replaced_at'),
    /** `shared`: we replaced it, not its owner. The feed tells the owner. */
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

/** The last versions of a show's public feed that the WebSub hub and Podping were told about; 0 for none. */
export const feedPings = pgTable('feed_pings', {
  productId: ref('product_id')
    .primaryKey()
    .references(() => products.id, { onDelete: 'cascade' }),
  version: integer('version').notNull().default(0),
  podpingVersion: integer('podping_version').notNull().default(0),
  pingedAt: instant('pinged_at').notNull(),
});

/**
 * Fetches of an episode through a private feed in the last days: one row for each network and app, without plain
 * addresses. Both columns have closed sets of values, which limits the number of rows for an address.
 */
export const feedFetches = pgTable(
  'feed_fetches',
  {
    linkId: ref('link_id')
      .notNull()
      .references(() => feedLinks.id, { onDelete: 'cascade' }),
    episodeId: ref('episode_id').notNull(),
    /**
     * A keyed hash of the network, the link and the episode, so that a network can't be followed from one episode to
     * another.
     */
    network: text('network').notNull(),
    app: text('app').notNull(),
    /** The time of the first fetch. */
    at: instant('at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.linkId, t.episodeId, t.network, t.app] }), index('feed_fetches_by_age').on(t.at)],
);

/** Private feeds that more people use than one household has. */
export const sharedFeeds = pgTable('shared_feeds', {
  linkId: ref('link_id')
    .primaryKey()
    .references(() => feedLinks.id, { onDelete: 'cascade' }),
  /** The numbers of the last finding. */
  networks: integer('networks').notNull(),
  apps: integer('apps').notNull(),
  foundAt: instant('found_at').notNull(),
  lastFoundAt: instant('last_found_at').notNull(),
  /** When the listener got the email, which is sent once. */
  notifiedAt: instant('notified_at'),
});
