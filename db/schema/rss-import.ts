import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { ErrorParams } from '~/server/base/errors';
import { id, instant, ref, timestamps } from '../columns';
import type {
  FeedItem,
  FeedPreview,
  ImportStatus,
  ItemState,
  LeftOut,
  OldFeedEnd,
  OldFeedState,
  OldRedirect,
  ShowPreview,
} from '../values/rss-import';
import { users } from './accounts';
import { creators } from './creators';
import { episodes } from './episodes';
import { products } from './products';

/** Imports of other hosts' feeds. Only the hash of the token in the email to the feed's owner is stored. */
export const rssImports = pgTable(
  'rss_imports',
  {
    id: id(),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id, { onDelete: 'cascade' }),
    /** The user who requested it: pictures are stored in this account's folder. */
    userId: ref('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    feedUrl: text('feed_url').notNull(),
    status: text('status').$type<ImportStatus>().notNull(),
    /** The contents of the feed when the import was requested. */
    preview: jsonb('preview').$type<FeedPreview>().notNull(),
    /** The feed's owner, who gets the link; null if the code must appear in the feed. */
    sentTo: text('sent_to'),
    tokenHash: text('token_hash').notNull(),
    /** Proves the ownership as a line of the show's description or as `podcast:txt`. It is public once it is there. */
    proofCode: text('proof_code').notNull(),
    expiresAt: instant('expires_at').notNull(),
    confirmedAt: instant('confirmed_at'),
    /** Whether the link in the email has proved the ownership, not the code. */
    provedByEmail: boolean('proved_by_email').notNull().default(false),
    startedAt: instant('started_at'),
    /** While set, the run holds none of the places: until then it waits for its host, for checks, or then for a place. */
    waitsUntil: instant('waits_until'),
    /** When the feed was read and its episodes were stored as items. */
    plannedAt: instant('planned_at'),
    endedAt: instant('ended_at'),
    /** Each step of the run increments it together with the job of the next one, so no step runs twice. */
    step: integer('step').notNull().default(0),
    /** Attempts to read the feed. */
    attempts: integer('attempts').notNull().default(0),
    failureReason: text('failure_reason'),
    failureParams: jsonb('failure_params').$type<ErrorParams>().notNull().default({}),
    productId: ref('product_id').references(() => products.id, { onDelete: 'set null' }),
    /** New and changed episodes of the old feed are imported as well, until the creator disables that. */
    keepsFollowing: boolean('keeps_following').notNull().default(false),
    /** Its episodes are for subscribers from the start: the feed was a paid one. */
    isPrivate: boolean('is_private').notNull().default(false),
    /** A follow-up without a request: the followed old feed had new or changed episodes. */
    isFollowUp: boolean('is_follow_up').notNull().default(false),
    /** When the creator has seen the result. */
    seenAt: instant('seen_at'),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('rss_imports_one_at_a_time')
      .on(t.creatorId)
      .where(sql`${t.status} in ('awaiting_proof', 'confirmed', 'in_progress') and not ${t.isFollowUp}`),
    uniqueIndex('rss_imports_token_once').on(t.tokenHash),
    index('rss_imports_of_creator').on(t.creatorId, t.id),
    index('rss_imports_of_product').on(t.productId),
    index('rss_imports_open')
      .on(t.status, t.confirmedAt)
      .where(sql`${t.status} in ('awaiting_proof', 'confirmed', 'in_progress')`),
    check(
      'rss_imports_status',
      sql`${t.status} in ('awaiting_proof', 'confirmed', 'in_progress', 'imported', 'failed', 'cancelled', 'expired')`,
    ),
  ],
);

/** The episodes of an import, in the order of the feed. */
export const rssImportItems = pgTable(
  'rss_import_items',
  {
    id: id(),
    importId: ref('import_id')
      .notNull()
      .references(() => rssImports.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    guid: text('guid').notNull(),
    name: text('name').notNull(),
    data: jsonb('data').$type<FeedItem>().notNull(),
    /** A hash of the values that another import would change. Null in rows of former versions. */
    fingerprint: text('fingerprint'),
    state: text('state').$type<ItemState>().notNull().default('waiting'),
    /** Error code: the reason why it was skipped or failed. */
    reason: text('reason'),
    reasonParams: jsonb('reason_params').$type<ErrorParams>().notNull().default({}),
    attempts: integer('attempts').notNull().default(0),
    /** When to retry after a temporary failure. */
    retryAt: instant('retry_at'),
    /** Parts of the episode that the last attempt could not copy. */
    leftOut: jsonb('left_out').$type<LeftOut[]>().notNull().default([]),
    /** Set with the episode, before cover, chapters and transcript. */
    episodeId: ref('episode_id').references(() => episodes.id, { onDelete: 'set null' }),
    /** The size that the feed states, replaced by the size of the copied file. */
    bytes: bigint('bytes', { mode: 'number' }).notNull().default(0),
  },
  (t) => [
    uniqueIndex('rss_import_items_once').on(t.importId, t.guid),
    index('rss_import_items_in_order').on(t.importId, t.position),
    index('rss_import_items_next').on(t.importId, t.attempts, t.position).where(sql`${t.state} = 'waiting'`),
    index('rss_import_items_of_episode').on(t.episodeId),
    check('rss_import_items_state', sql`${t.state} in ('waiting', 'imported', 'updated', 'skipped', 'failed')`),
  ],
);

/** The pictures that an import has requested, so that it requests each only once. */
export const rssImportPictures = pgTable(
  'rss_import_pictures',
  {
    importId: ref('import_id')
      .notNull()
      .references(() => rssImports.id, { onDelete: 'cascade' }),
    /** A hash of the address and the smallest side that its use allows. */
    source: text('source').notNull(),
    /** Null if it can't be used. */
    imageKey: text('image_key'),
    reason: text('reason'),
    reasonParams: jsonb('reason_params').$type<ErrorParams>().notNull().default({}),
  },
  (t) => [primaryKey({ columns: [t.importId, t.source] })],
);

/** Feeds of imported shows at their former hosts: followed, or only watched until they redirect. */
export const oldFeeds = pgTable(
  'old_feeds',
  {
    productId: ref('product_id')
      .primaryKey()
      .references(() => products.id, { onDelete: 'cascade' }),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id, { onDelete: 'cascade' }),
    /** The user of the import: pictures are stored in this account's folder. */
    userId: ref('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    feedUrl: text('feed_url').notNull(),
    /** New episodes are private, like those of the import. */
    isPrivate: boolean('is_private').notNull().default(false),
    state: text('state').$type<OldFeedState>().notNull(),
    endedBecause: text('ended_because').$type<OldFeedEnd>(),
    /** The redirect of the old feed at the last request. */
    redirect: text('redirect').$type<OldRedirect>().notNull().default('none'),
    /** The ETag of the last response whose episodes were imported. */
    etag: text('etag'),
    lastModified: text('last_modified'),
    /** Each poll increments it together with the job of the next one, so no poll counts twice. */
    step: integer('step').notNull().default(0),
    /** Number of failed polls in a row, and the reason of the last failure. */
    failures: integer('failures').notNull().default(0),
    failureReason: text('failure_reason'),
    failureParams: jsonb('failure_params').$type<ErrorParams>().notNull().default({}),
    checkedAt: instant('checked_at'),
    /** Null once polling has ended. */
    nextAt: instant('next_at'),
    /** When the state was chosen: it limits how long a feed is watched. */
    since: instant('since').notNull(),
  },
  (t) => [
    index('old_feeds_due').on(t.nextAt).where(sql`${t.nextAt} is not null`),
    index('old_feeds_of_creator').on(t.creatorId),
    check('old_feeds_state', sql`${t.state} in ('following', 'watching', 'ended')`),
  ],
);

/** Shows that visitors have looked at before they have an account, for a day. The address of the page has the token. */
export const feedPreviews = pgTable(
  'feed_previews',
  {
    tokenHash: text('token_hash').primaryKey(),
    feedUrl: text('feed_url').notNull(),
    preview: jsonb('preview').$type<ShowPreview>().notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [index('feed_previews_expiring').on(t.expiresAt)],
);
