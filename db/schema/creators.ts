import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { id, instant, ref, timestamps } from '../columns';
import { users } from './accounts';

export type Testimonial = { text: string; author: string; url: string | null };
export type PageLink = { label: string; url: string };

export const creators = pgTable(
  'creators',
  {
    id: id(),
    userId: ref('user_id')
      .notNull()
      .references(() => users.id),
    name: text('name').notNull(),
    domain: text('domain').notNull(),
    timeZone: text('time_zone').notNull().default('UTC'),
    buttonColor: text('button_color'),
    textColor: text('text_color'),
    aboutTitle: text('about_title'),
    aboutText: text('about_text'),
    /** Call to action on the page. */
    ctaTitle: text('cta_title'),
    ctaText: text('cta_text'),
    ctaButton: text('cta_button'),
    ctaUrl: text('cta_url'),
    testimonials: jsonb('testimonials').$type<Testimonial[]>().notNull().default([]),
    /** Links to the creator's pages on other sites. */
    links: jsonb('links').$type<PageLink[]>().notNull().default([]),
    showNewsletter: boolean('show_newsletter').notNull().default(false),
    /** Since when the creator wants to see when contacts who agree to it last read an edition; null: nobody is watched. */
    tracksReadersSince: instant('tracks_readers_since'),
    acceptsDonations: boolean('accepts_donations').notNull().default(false),
    /** Operators opened audio insertions, whatever the plan includes. */
    insertionSpecialAccess: boolean('insertion_special_access').notNull().default(false),
    donationText: text('donation_text'),
    /** The creator's name on other sites, without @. */
    username: text('username'),
    avatarKey: text('avatar_key'),
    /** Incremented by every change that a visitor can see; caches depend on it. */
    version: integer('version').notNull().default(1),
    claimedAt: instant('claimed_at').notNull(),
    /** When the owner deleted their account. The page is gone, but its domain stays reserved. */
    closedAt: instant('closed_at'),
    /** When an operator stopped publishing: published content stays, and nothing new can be published. */
    publishingStoppedAt: instant('publishing_stopped_at'),
    /** When everything was taken down; equal to `publishing_stopped_at` if the take-down also stopped publishing. */
    takenDownAt: instant('taken_down_at'),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('creators_one_per_user').on(t.userId),
    uniqueIndex('creators_domain_once').on(t.domain),
    // operators search for the beginning of a domain or a name
    index('creators_domain_prefix').on(t.domain.op('text_pattern_ops')),
    index('creators_name_prefix').on(sql`lower(${t.name}) text_pattern_ops`),
  ],
);

/** Every domain ever claimed. A former domain redirects permanently, so no other creator can get it. */
export const domains = pgTable(
  'domains',
  {
    domain: text('domain').primaryKey(),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id),
    claimedAt: instant('claimed_at').notNull(),
    retiredAt: instant('retired_at'),
  },
  (t) => [index('domains_of_creator').on(t.creatorId)],
);
