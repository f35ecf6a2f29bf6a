import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { ErrorParams } from '~/server/base/errors';
import { id, instant, minor, ref, timestamps } from '../columns';
import type {
  LineFault,
  LineOutcome,
  LineState,
  MoveLineState,
  SkipReason,
  StayReason,
  SubscriberFormat,
  SubscriberImportStatus,
} from '../values/subscriber-imports';
import { users } from './accounts';
import { subscriptions } from './billing';
import { creators } from './creators';
import { products } from './products';

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/**
 * Public feeds that have moved to another host. Rows stay when the show or the account is deleted
 * (docs/decisions/0224).
 */
export const feedRedirects = pgTable('feed_redirects', {
  productId: ref('product_id')
    .primaryKey()
    .references(() => products.id),
  url: text('url').notNull(),
  /** The creator can undo it for a day. */
  createdAt: instant('created_at').notNull(),
});

/** Lists of subscribers of another host. The dry run writes lines with outcomes only; the creator then confirms it. */
export const subscriberImports = pgTable(
  'subscriber_imports',
  {
    id: id(),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id, { onDelete: 'cascade' }),
    userId: ref('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    productId: ref('product_id')
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
    fileName: text('file_name').notNull(),
    /** The key of the upload. */
    fileKey: text('file_key').notNull(),
    format: text('format').$type<SubscriberFormat>().notNull(),
    /** The creator's connected account that has these customers; null if they were copied into ours. */
    account: text('account'),
    status: text('status').$type<SubscriberImportStatus>().notNull(),
    /** Each step increments it together with the job of the next one, so no step runs twice. */
    step: integer('step').notNull().default(0),
    attempts: integer('attempts').notNull().default(0),
    /** Number of the last line that was read. */
    lines: integer('lines').notNull().default(0),
    /** The creator's statement about the former host: it charges no subscribers any more. */
    statement: text('statement'),
    sendsWelcome: boolean('sends_welcome').notNull().default(false),
    confirmedAt: instant('confirmed_at'),
    confirmedBy: ref('confirmed_by').references(() => users.id, { onDelete: 'set null' }),
    endedAt: instant('ended_at'),
    failureReason: text('failure_reason'),
    failureParams: jsonb('failure_params').$type<ErrorParams>().notNull().default({}),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('subscriber_imports_one_at_a_time')
      .on(t.creatorId)
      .where(sql`${t.status} in ('reading', 'checking', 'ready', 'running')`),
    index('subscriber_imports_of_creator').on(t.creatorId, t.id),
    index('subscriber_imports_working').on(t.updatedAt).where(sql`${t.status} in ('reading', 'checking', 'running')`),
    index('subscriber_imports_ended').on(t.endedAt).where(sql`${t.endedAt} is not null`),
  ],
);

/** The lines of a list; each is adopted or recreated once. */
export const subscriberImportLines = pgTable(
  'subscriber_import_lines',
  {
    importId: ref('import_id')
      .notNull()
      .references(() => subscriberImports.id, { onDelete: 'cascade' }),
    line: integer('line').notNull(),
    email: text('email'),
    name: text('name').notNull(),
    customerId: text('customer_id'),
    subscriptionId: text('subscription_id'),
    priceMinor: minor('price_minor'),
    currency: text('currency'),
    every: text('every').$type<'month' | 'year'>(),
    renewsAt: instant('renews_at'),
    startedAt: instant('started_at'),
    hasEnded: boolean('has_ended').notNull(),
    /** The address of the private feed at the former host: a secret of the listener. */
    sealedFeed: text('sealed_feed'),
    feedHash: bytea('feed_hash'),
    fault: text('fault').$type<LineFault>(),
    state: text('state').$type<LineState>().notNull(),
    outcome: text('outcome').$type<LineOutcome['kind']>(),
    reason: text('reason').$type<SkipReason>(),
    /** Written before the provider is called: the idempotency key for the objects that the line creates there. */
    checkoutId: uuid('checkout_id'),
    userId: ref('user_id').references(() => users.id, { onDelete: 'set null' }),
    attempts: integer('attempts').notNull().default(0),
    retryAt: instant('retry_at'),
    /** Error code of the last attempt. */
    failure: text('failure'),
    doneAt: instant('done_at'),
  },
  (t) => [
    primaryKey({ columns: [t.importId, t.line] }),
    index('subscriber_import_lines_waiting')
      .on(t.importId, t.state, t.line)
      .where(sql`${t.state} in ('read', 'checked') and ${t.outcome} is distinct from 'skip'`),
    index('subscriber_import_lines_of_email').on(t.importId, t.email, t.line),
    index('subscriber_import_lines_of_customer').on(t.importId, t.customerId, t.line),
    index('subscriber_import_lines_of_subscription').on(t.importId, t.subscriptionId, t.line),
    index('subscriber_import_lines_of_user').on(t.userId),
  ],
);

/** Customers that the provider copied into our account for a creator, recorded by the operator. */
export const copiedCustomers = pgTable(
  'copied_customers',
  {
    providerId: text('provider_id').primaryKey(),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id, { onDelete: 'cascade' }),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [index('copied_customers_of_creator').on(t.creatorId)],
);

/** Addresses of private feeds at former hosts, and their owners. They can be found only by a hash. */
export const oldFeedAddresses = pgTable(
  'old_feed_addresses',
  {
    /** SHA-256 of host, path and query. */
    hash: bytea('hash').primaryKey(),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id, { onDelete: 'cascade' }),
    productId: ref('product_id')
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
    userId: ref('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The address, encrypted, for the list of redirects. */
    sealedUrl: text('sealed_url').notNull(),
    createdAt: instant('created_at').notNull(),
    /** When the address first redirected a client to the feed here. */
    usedAt: instant('used_at'),
  },
  (t) => [
    index('old_feed_addresses_of_creator').on(t.creatorId, t.hash),
    index('old_feed_addresses_of_user').on(t.userId),
  ],
);

/** Moves of running subscriptions from our account at the payment provider to the creator's own. */
export const subscriberMoves = pgTable(
  'subscriber_moves',
  {
    id: id(),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id, { onDelete: 'cascade' }),
    account: text('account').notNull(),
    status: text('status').$type<'running' | 'done' | 'stopped'>().notNull(),
    step: integer('step').notNull().default(0),
    endedAt: instant('ended_at'),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('subscriber_moves_one_at_a_time').on(t.creatorId).where(sql`${t.status} = 'running'`),
    index('subscriber_moves_of_creator').on(t.creatorId, t.id),
  ],
);

/** One subscription of a move, with the terms that it keeps. */
export const subscriberMoveLines = pgTable(
  'subscriber_move_lines',
  {
    moveId: ref('move_id')
      .notNull()
      .references(() => subscriberMoves.id, { onDelete: 'cascade' }),
    subscriptionId: ref('subscription_id')
      .notNull()
      .references(() => subscriptions.id, { onDelete: 'cascade' }),
    state: text('state').$type<MoveLineState>().notNull(),
    /** The reason why it stays. */
    reason: text('reason').$type<StayReason>(),
    /** The subscription's id in our account: later events with this id are about a moved subscription. */
    fromId: text('from_id').notNull(),
    toId: text('to_id'),
    customerId: text('customer_id'),
    cardId: text('card_id'),
    renewsAt: instant('renews_at').notNull(),
    priceMinor: minor('price_minor').notNull(),
    currency: text('currency').notNull(),
    every: text('every').$type<'month' | 'year'>().notNull(),
    attempts: integer('attempts').notNull().default(0),
    retryAt: instant('retry_at'),
    failure: text('failure'),
    /** When the provider was first called; repeated calls send the same time. */
    begunAt: instant('begun_at'),
    movedAt: instant('moved_at'),
  },
  (t) => [
    primaryKey({ columns: [t.moveId, t.subscriptionId] }),
    uniqueIndex('subscriber_move_lines_once')
      .on(t.subscriptionId)
      .where(sql`${t.state} in ('waiting', 'moving', 'moved')`),
    index('subscriber_move_lines_waiting').on(t.moveId, t.renewsAt).where(sql`${t.state} in ('waiting', 'moving')`),
    index('subscriber_move_lines_from').on(t.fromId),
    check('subscriber_move_lines_state', sql`${t.state} in ('waiting', 'moving', 'moved', 'stays', 'failed')`),
  ],
);
