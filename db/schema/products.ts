import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { TakeDown } from '~/server/domain/reference/kinds';
import { id, instant, minor, ref, timestamps } from '../columns';
import { creators } from './creators';

export const products = pgTable(
  'products',
  {
    id: id(),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id),
    kind: text('kind').$type<'podcast' | 'audio_series'>().notNull(),
    name: text('name').notNull(),
    slug: text('slug').notNull(),
    description: text('description').notNull(),
    category: integer('category').notNull(),
    language: text('language').notNull(),
    coverKey: text('cover_key').notNull(),
    /** Monthly price of a podcast, one-time price of an audio series; null if the product is free. */
    priceMinor: minor('price_minor'),
    annualPriceMinor: minor('annual_price_minor'),
    currency: text('currency').$type<'eur' | 'usd'>().notNull(),
    /** Buyers choose the amount; the prices are its minimum. */
    paysWhatTheyWant: boolean('pays_what_they_want').notNull().default(false),
    /** Free days at the start of a subscription; 0 for none. */
    trialDays: integer('trial_days').notNull().default(0),
    /** Days for which a new public episode is for subscribers only; 0 for none. */
    earlyAccessDays: integer('early_access_days').notNull().default(0),
    /** Days between two private episodes for one listener, from the day they joined; 0: all at once. */
    dripDays: integer('drip_days').notNull().default(0),
    welcomeMessage: text('welcome_message').notNull().default(''),
    subscriberEmailMessage: text('subscriber_email_message').notNull().default(''),
    hideSubscribeButton: boolean('hide_subscribe_button').notNull().default(false),
    explicit: boolean('explicit').notNull().default(false),
    /** The show has ended: podcast apps stop asking for new episodes (`itunes:complete`). */
    complete: boolean('complete').notNull().default(false),
    /** The feed's author and copyright notice; empty for the creator's name and none. */
    author: text('author').notNull().default(''),
    copyright: text('copyright').notNull().default(''),
    /** Where listeners can support the show (`podcast:funding`). */
    fundingUrl: text('funding_url'),
    fundingText: text('funding_text').notNull().default(''),
    /** The feed's owner (`itunes:owner`); the address appears in the feed once its owner has confirmed it. */
    ownerName: text('owner_name').notNull().default(''),
    ownerEmail: text('owner_email'),
    ownerEmailVerifiedAt: instant('owner_email_verified_at'),
    /** Episodes in the public feed, the newest ones; older ones follow on further pages. Null: all of them. */
    feedLength: integer('feed_length'),
    /** Private feeds have the listener's name in their title. */
    namesListener: boolean('names_listener').notNull().default(false),
    spotifyShowUrl: text('spotify_show_url'),
    /** The show's pages in podcast directories, by the directory's name. */
    listings: jsonb('listings').$type<Record<string, string>>().notNull().default({}),
    /** The creator wants it on the discovery page. */
    isListed: boolean('is_listed').notNull().default(true),
    /** When the page about the first published episode was opened. The studio redirects there only while this is null. */
    firstPublishSeenAt: instant('first_publish_seen_at'),
    /** Hidden from everybody but its creator and those who paid for it; nothing is deleted. */
    archivedAt: instant('archived_at'),
    /** Since when an operator withholds it from everybody but its team, and why (console/taking-down.ts). */
    takenDownAt: instant('taken_down_at'),
    takeDown: jsonb('take_down').$type<TakeDown>(),
    /** A paid product that becomes free once nobody pays for it any more: how those who do will leave. */
    freeConversion: text('free_conversion').$type<'at_period_end' | 'refund'>(),
    freeConversionAt: instant('free_conversion_at'),
    feedGuid: uuid('feed_guid').notNull(),
    /** Raised by every change that a visitor or a feed reader can see. */
    version: integer('version').notNull().default(1),
    /** When that last happened: the feed's Last-Modified. */
    changedAt: instant('changed_at').notNull().defaultNow(),
    retiredAt: instant('retired_at'),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('products_slug_once').on(t.creatorId, t.slug).where(sql`${t.retiredAt} is null`),
    index('products_of_creator').on(t.creatorId, t.createdAt),
    // scanned backwards: with `desc()`, Drizzle's nulls order would match no query
    index('products_newest').on(t.createdAt, t.id).where(sql`${t.retiredAt} is null`),
    uniqueIndex('products_feed_guid_once').on(t.feedGuid),
    // operators search for the beginning of a name
    index('products_name_prefix').on(sql`lower(${t.name}) text_pattern_ops`),
    index('products_taken_down').on(t.takenDownAt).where(sql`${t.takenDownAt} is not null`),
    check('products_kind', sql`${t.kind} in ('podcast', 'audio_series')`),
    check('products_annual_price', sql`${t.annualPriceMinor} is null or ${t.kind} = 'podcast'`),
    check('products_price_positive', sql`${t.priceMinor} > 0 and ${t.annualPriceMinor} > 0`),
  ],
);

/** Slugs that a product had before; they redirect (db/slug-history.ts). */
export const formerProductSlugs = pgTable(
  'former_product_slugs',
  {
    scopeId: ref('creator_id').notNull(),
    slug: text('slug').notNull(),
    ownerId: ref('product_id')
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.scopeId, t.slug] }), index('former_product_slugs_of_product').on(t.ownerId)],
);
