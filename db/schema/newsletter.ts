import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { id, instant, ref, timestamps } from '../columns';
import {
  DELIVERY_STATES,
  type DeliveryState,
  EDITION_STATES,
  type EditionAudience,
  type EditionState,
} from '../values/editions';
import { contacts } from './audience';
import { automations } from './automations';
import { creators } from './creators';

const oneOf = (values: readonly string[]) => sql.raw(values.map((value) => `'${value}'`).join(', '));

/** The settings of a creator's newsletter (spec §3). Without a row, nothing can be sent. */
export const newsletters = pgTable('newsletters', {
  creatorId: ref('creator_id')
    .primaryKey()
    .references(() => creators.id, { onDelete: 'cascade' }),
  name: text('name').notNull(),
  description: text('description').notNull(),
  category: integer('category').notNull(),
  language: text('language').notNull(),
  logoKey: text('logo_key'),
  senderName: text('sender_name').notNull(),
  /** Answers go here. Emails come from an address of the platform (docs/decisions/0350). */
  senderEmail: text('sender_email').notNull(),
  /** When the owner of that address has confirmed it. Until then, answers go to the creator's owner. */
  senderVerifiedAt: instant('sender_verified_at'),
  header: text('header').notNull(),
  footer: text('footer').notNull(),
  sendsWelcome: boolean('sends_welcome').notNull(),
  welcomeSubject: text('welcome_subject').notNull(),
  welcomeContent: text('welcome_content').notNull(),
  /** Whether other creators may recommend this newsletter. */
  mayBeRecommended: boolean('may_be_recommended').notNull().default(true),
  ...timestamps(),
});

/** Newsletters of other creators that are offered to people who have just confirmed this one (docs/decisions/0359). */
export const newsletterRecommendations = pgTable(
  'newsletter_recommendations',
  {
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id, { onDelete: 'cascade' }),
    recommendedId: ref('recommended_id')
      .notNull()
      .references(() => creators.id, { onDelete: 'cascade' }),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.creatorId, t.recommendedId] }),
    index('newsletter_recommendations_of_recommended').on(t.recommendedId),
    check('newsletter_recommendations_of_others', sql`${t.creatorId} <> ${t.recommendedId}`),
  ],
);

/** An edition of a newsletter. `content`: HTML of the vocabulary of server/edition. */
export const editions = pgTable(
  'editions',
  {
    id: id(),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id, { onDelete: 'cascade' }),
    status: text('status').$type<EditionState>().notNull().default('draft'),
    /** The address in the archive, from the first sending on. */
    slug: text('slug'),
    title: text('title').notNull().default(''),
    preheader: text('preheader').notNull().default(''),
    description: text('description').notNull().default(''),
    content: text('content').notNull().default(''),
    tags: jsonb('tags').$type<string[]>().notNull().default([]),
    seoTitle: text('seo_title').notNull().default(''),
    seoDescription: text('seo_description').notNull().default(''),
    audience: jsonb('audience').$type<EditionAudience>().notNull().default({ group: 'everyone' }),
    isInArchive: boolean('is_in_archive').notNull().default(true),
    /** Counts the changes, so that the second of two open windows does not overwrite the first. */
    revision: integer('revision').notNull().default(1),
    scheduledAt: instant('scheduled_at'),
    /** The code of the error that kept a scheduled edition from being sent. */
    problem: text('problem'),
    /** When the recipients were frozen. */
    startedAt: instant('started_at'),
    endedAt: instant('ended_at'),
    /** The number of recipients that were frozen. */
    recipients: integer('recipients').notNull().default(0),
    opens: integer('opens').notNull().default(0),
    /**
     * The automation that this edition is a step of. Steps are in no list and no archive. A step stays `sending`, because
     * its recipients come one by one.
     */
    automationId: ref('automation_id').references(() => automations.id, { onDelete: 'cascade' }),
    /** Of a step: hours from the event to its email. */
    delayHours: integer('delay_hours'),
    /** Of a step that was deleted: its links and pictures work on in the emails that people have. */
    removedAt: instant('removed_at'),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('editions_slug_once').on(t.creatorId, t.slug),
    index('editions_of_creator').on(t.creatorId, t.id),
    // the order of the creator's list
    index('editions_listed')
      .on(
        t.creatorId,
        t.startedAt.desc().nullsFirst(),
        t.scheduledAt.asc().nullsLast(),
        t.updatedAt.desc().nullsFirst(),
        t.id.desc().nullsFirst(),
      )
      .where(sql`${t.automationId} is null`),
    index('editions_in_archive')
      .on(t.creatorId, t.startedAt)
      .where(sql`${t.startedAt} is not null and ${t.isInArchive}`),
    index('editions_due').on(t.scheduledAt).where(sql`${t.status} = 'scheduled'`),
    index('editions_sending').on(t.id).where(sql`${t.status} = 'sending'`),
    index('editions_of_automation').on(t.automationId, t.delayHours).where(sql`${t.automationId} is not null`),
    check('editions_status', sql`${t.status} in (${oneOf(EDITION_STATES)})`),
  ],
);

/** What an edition was at some times before, to restore it. */
export const editionVersions = pgTable(
  'edition_versions',
  {
    editionId: ref('edition_id')
      .notNull()
      .references(() => editions.id, { onDelete: 'cascade' }),
    revision: integer('revision').notNull(),
    title: text('title').notNull(),
    preheader: text('preheader').notNull(),
    content: text('content').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.editionId, t.revision] })],
);

/**
 * The frozen audience of an edition: nobody gets it twice. The address is that of the contact when the email is sent.
 * `dueAt`: when a waiting email may be sent, or when the lease of a leased one ends.
 */
export const editionRecipients = pgTable(
  'edition_recipients',
  {
    editionId: ref('edition_id')
      .notNull()
      .references(() => editions.id, { onDelete: 'cascade' }),
    contactId: ref('contact_id')
      .notNull()
      .references(() => contacts.id, { onDelete: 'cascade' }),
    /** Whether this person gets the part for paying subscribers, too. */
    pays: boolean('pays').notNull(),
    state: text('state').$type<DeliveryState>().notNull().default('waiting'),
    attempts: integer('attempts').notNull().default(0),
    dueAt: instant('due_at'),
    /** What the mail server answered; of a step's email that was skipped, the `SkipReason`. */
    answer: text('answer'),
    settledAt: instant('settled_at'),
    /** Whether a part of the day's share of the creator's own domain was reserved for this email. */
    usesOwnDomain: boolean('uses_own_domain').notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.editionId, t.contactId] }),
    index('edition_recipients_of_contact').on(t.contactId),
    index('edition_recipients_due').on(t.editionId, t.dueAt).where(sql`${t.state} in ('waiting', 'leased')`),
    index('edition_recipients_returned').on(t.editionId).where(sql`${t.state} in ('bounced', 'failed')`),
    check('edition_recipients_state', sql`${t.state} in (${oneOf(DELIVERY_STATES)})`),
  ],
);

/**
 * How many emails of an edition are in a state, `reason` why they were skipped. A trigger on `edition_recipients` adds and
 * subtracts. A state may have several rows, some of them negative: their sum counts (docs/decisions/0357).
 */
export const editionSums = pgTable(
  'edition_sums',
  {
    editionId: ref('edition_id')
      .notNull()
      .references(() => editions.id, { onDelete: 'cascade' }),
    state: text('state').$type<DeliveryState>().notNull(),
    reason: text('reason').notNull(),
    emails: integer('emails').notNull(),
  },
  (t) => [index('edition_sums_of_edition').on(t.editionId, t.state, t.reason)],
);

/** The links of an edition, as they were when it was sent. No row says who has clicked. */
export const editionLinks = pgTable(
  'edition_links',
  {
    editionId: ref('edition_id')
      .notNull()
      .references(() => editions.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    href: text('href').notNull(),
    clicks: integer('clicks').notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.editionId, t.position] })],
);

/** Tokens of reports of Mailgun: its signature covers nothing else, so each is accepted once. */
export const mailReportTokens = pgTable(
  'mail_report_tokens',
  {
    token: text('token').primaryKey(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [index('mail_report_tokens_age').on(t.createdAt)],
);
