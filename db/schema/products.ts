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
import { id, instant, minor, ref, timestamps } from '../columns';
import type { TakeDown } from '../values/take-downs';
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
    /** Free days at the start of a subscription; 0 without a trial. */
    trialDays: integer('trial_days').notNull().default(0),
    /** Days for which only subscribers may hear a new public episode; 0 without early access. */
    earlyAccessDays: integer('early_access_days').notNull().default(0),
    /** Days between two private episodes for one listener, from the day they joined; 0 makes all available at once. */
    dripDays: integer('drip_days').notNull().default(0),
    /** What buyers get, in the creator's words. If empty, the show's page lists what the show has. */
    benefits: text('benefits').array().notNull().default([]),
    welcomeMessage: text('welcome_message').notNull().default(''),
    subscriberEmailMessage: text('subscriber_email_message').notNull().default(''),
    hideSubscribeButton: boolean('hide_subscribe_button').notNull().default(false),
    explicit: boolean('explicit').notNull().default(false),
    /** The show has ended: podcast apps stop asking for new episodes (`itunes:complete`). */
    complete: boolean('complete').notNull().default(false),
    /** The feed's author and copyright notice; if empty, the creator's name and no notice. */
    author: text('author').notNull().default(''),
    copyright: text('copyright').notNull().default(''),
    /** The page where listeners can support the show (`podcast:funding`). */
    fundingUrl: text('funding_url'),
    fundingText: text('funding_text').notNull().default(''),
    /** The feed's owner (`itunes:owner`); the address appears in the feed once that person has verified it. */
    ownerName: text('owner_name').notNull().default(''),
    ownerEmail: text('owner_email'),
    ownerEmailVerifiedAt: instant('owner_email_verified_at'),
    /** Number of newest episodes in the public feed; older ones follow on further pages. Null for all episodes. */
    feedLength: integer('feed_length'),
    /** Private feeds have the listener's name in their title. */
    namesListener: boolean('names_listener').notNull().default(false),
    /** Since when the show promises its subscribers that they hear no insertions; null without the promise. */
    insertionFreeSince: instant('insertion_free_since'),
    /** Addresses of measurement services before those of the public feed's audio (db/values/measurement-prefixes.ts). */
    measurementPrefixes: text('measurement_prefixes').array().notNull().default([]),
    /** The show's page and its counter tell its plays, rounded down. */
    showsPlays: boolean('shows_plays').notNull().default(false),
    spotifyShowUrl: text('spotify_show_url'),
    /** The show's pages in podcast directories, by the directory's name. */
    listings: jsonb('listings').$type<Record<string, string>>().notNull().default({}),
    /** The creator allows the discovery page to show it. */
    isListed: boolean('is_listed').notNull().default(true),
    /** When the page about the first published episode was opened. The studio redirects there only while this is null. */
    firstPublishSeenAt: instant('first_publish_seen_at'),
    /** When it was archived: only its creator and its buyers see it; nothing is deleted. */
    archivedAt: instant('archived_at'),
    /** When and why an operator took it down; since then only its team has access (console/take-down.ts). */
    takenDownAt: instant('taken_down_at'),
    takeDown: jsonb('take_down').$type<TakeDown>(),
    /** For a paid product that becomes free after its last subscription: how the remaining subscriptions end. */
    freeConversion: text('free_conversion').$type<'at_period_end' | 'refund'>(),
    freeConversionAt: instant('free_conversion_at'),
    feedGuid: uuid('feed_guid').notNull(),
    /** Incremented by every change that a visitor or a feed reader can see. */
    version: integer('version').notNull().default(1),
    /** Time of the last such change: the feed's Last-Modified. */
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

/** Former slugs of a product; they redirect (db/slug-history.ts). */
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
