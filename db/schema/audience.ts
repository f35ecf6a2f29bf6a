import { sql } from 'drizzle-orm';
import { check, date, index, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { id, instant, ref, timestamps } from '../columns';
import { hasOtherLetters, lastSeen, plainText, sha256Of } from '../search';
import {
  CONTACT_SOURCES,
  type ContactAction,
  type ContactReason,
  type ContactSource,
  type ContactStatus,
  INACTIVE_STATES,
  type InactiveState,
} from '../values/contacts';
import { users } from './accounts';
import { creators } from './creators';

const oneOf = (values: readonly string[]) => sql.raw(values.map((value) => `'${value}'`).join(', '));

/** A creator's contacts (spec §3). */
export const contacts = pgTable(
  'contacts',
  {
    id: id(),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id),
    /** Case-folded. */
    email: text('email').notNull(),
    name: text('name').notNull().default(''),
    /** The account that followed, bought or donated; null for contacts that only gave an address. */
    userId: ref('user_id').references(() => users.id, { onDelete: 'set null' }),
    status: text('status').$type<ContactStatus>().notNull(),
    /** Of an inactive contact; null means unsubscribed. */
    inactiveAs: text('inactive_as').$type<InactiveState>(),
    statusReason: text('status_reason').$type<ContactReason>().notNull().default('form'),
    statusAt: instant('status_at').notNull().defaultNow(),
    /** The first one; `contact_sources` has all. */
    source: text('source').$type<ContactSource>().notNull(),
    language: text('language').notNull(),
    /** When the person came to the creator's list, here or elsewhere. */
    since: instant('since').notNull().defaultNow(),
    confirmedAt: instant('confirmed_at'),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('contacts_once').on(t.creatorId, t.email),
    index('contacts_of_creator').on(t.creatorId, t.id),
    index('contacts_since').on(t.creatorId, t.since, t.id),
    index('contacts_active').on(t.creatorId, t.since, t.id).where(sql`${t.status} = 'active'`),
    index('contacts_inactive').on(t.creatorId, t.since, t.id).where(sql`${t.status} <> 'active'`),
    index('contacts_by_state')
      .on(t.creatorId, sql`coalesce(${t.inactiveAs}, 'unsubscribed')`, t.since, t.id)
      .where(sql`${t.status} = 'inactive'`),
    index('contacts_named').on(t.creatorId, sql`lower(coalesce(nullif(${t.name}, ''), ${t.email}))`, t.id),
    index('contacts_parts').using('gin', t.email.op('gin_trgm_ops'), t.name.op('gin_trgm_ops')),
    // searches of one or two letters, for which trigrams find most contacts
    index('contacts_address_starts').on(t.creatorId, t.email.op('text_pattern_ops')),
    index('contacts_name_starts').on(t.creatorId, sql`lower(${t.name}) text_pattern_ops`).where(sql`${t.name} <> ''`),
    // names with accents are found without them
    index('contacts_plain_parts')
      .using('gin', sql`${plainText(t.name)} gin_trgm_ops`)
      .where(hasOtherLetters(t.name)),
    index('contacts_plain_starts')
      .on(t.creatorId, sql`${plainText(t.name)} text_pattern_ops`)
      .where(hasOtherLetters(t.name)),
    index('contacts_of_address').on(t.email),
    index('contacts_digests').on(t.creatorId, sha256Of(t.email)),
    index('contacts_of_user').on(t.userId).where(sql`${t.userId} is not null`),
    index('contacts_pending').on(t.updatedAt).where(sql`${t.status} = 'pending'`),
    // who has left since an edition
    index('contacts_left').on(t.creatorId, t.statusAt).where(sql`${t.inactiveAs} = 'unsubscribed'`),
    check('contacts_status', sql`${t.status} in ('pending', 'active', 'inactive')`),
  ],
);

/** A tag of a creator, however its letters are written. */
export const contactTags = pgTable(
  'contact_tags',
  {
    id: id(),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [uniqueIndex('contact_tags_once').on(t.creatorId, sql`lower(${t.name})`)],
);

/** Rows of their own: a tag for many contacts changes none of their indexes (docs/decisions/0340). */
export const taggedContacts = pgTable(
  'tagged_contacts',
  {
    tagId: ref('tag_id')
      .notNull()
      .references(() => contactTags.id, { onDelete: 'cascade' }),
    contactId: ref('contact_id')
      .notNull()
      .references(() => contacts.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.tagId, t.contactId] }), index('tagged_contacts_of_contact').on(t.contactId)],
);

/**
 * Without a foreign key, whose check for each row takes longer than its insertion: a trigger deletes the sources and consents
 * of the contacts that a statement has deleted (docs/decisions/0354).
 */
export const contactSources = pgTable(
  'contact_sources',
  {
    contactId: ref('contact_id').notNull(),
    creatorId: ref('creator_id').notNull(),
    source: text('source').$type<ContactSource>().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.contactId, t.source] }),
    index('contact_sources_of_creator').on(t.creatorId, t.source, t.contactId),
    check('contact_sources_source', sql`${t.source} in (${oneOf(CONTACT_SOURCES)})`),
  ],
);

/** What a person agreed to, in the words that they read. An import has the creator's declaration. Deleted as sources are. */
export const contactConsents = pgTable(
  'contact_consents',
  {
    contactId: ref('contact_id').notNull(),
    givenAt: instant('given_at').notNull(),
    source: text('source').$type<ContactSource>().notNull(),
    text: text('text').notNull(),
  },
  (t) => [primaryKey({ columns: [t.contactId, t.givenAt, t.source] })],
);

/**
 * The consent of a contact's person that the creator sees when they last read, in the words that they agreed to. They give
 * it on the sign-up form or on the page that each email leads to, and withdraw it there.
 */
export const trackingConsents = pgTable(
  'tracking_consents',
  {
    contactId: ref('contact_id')
      .notNull()
      .references(() => contacts.id, { onDelete: 'cascade' }),
    givenAt: instant('given_at').notNull(),
    text: text('text').notNull(),
    withdrawnAt: instant('withdrawn_at'),
    /**
     * The UTC day on which they last opened an edition or a link in one: all that is kept of it. In the row of the consent,
     * so that one statement checks the consent and stores the day (docs/decisions/0358).
     */
    lastSeenOn: date('last_seen_on'),
    /** The creator of the contact, for the index. A trigger sets it. */
    creatorId: ref('creator_id'),
  },
  (t) => [
    primaryKey({ columns: [t.contactId, t.givenAt] }),
    uniqueIndex('tracking_consents_one_at_a_time').on(t.contactId).where(sql`${t.withdrawnAt} is null`),
    // who has not read for so long, the longest first
    index('tracking_consents_unseen')
      .on(t.creatorId, lastSeen(t.lastSeenOn), t.contactId, t.givenAt)
      .where(sql`${t.withdrawnAt} is null`),
  ],
);

/** Contacts that became a part of another one: links in the emails that they got lead there. */
export const mergedContacts = pgTable(
  'merged_contacts',
  {
    formerId: ref('former_id').primaryKey(),
    contactId: ref('contact_id')
      .notNull()
      .references(() => contacts.id, { onDelete: 'cascade' }),
  },
  (t) => [index('merged_contacts_of_contact').on(t.contactId)],
);

/**
 * The addresses that a contact had before, as digests, so that its erasure finds what is kept under them
 * (docs/decisions/0341).
 */
export const contactFormerAddresses = pgTable(
  'contact_former_addresses',
  {
    contactId: ref('contact_id')
      .notNull()
      .references(() => contacts.id, { onDelete: 'cascade' }),
    addressDigest: text('address_digest').notNull(),
  },
  (t) => [primaryKey({ columns: [t.contactId, t.addressDigest] })],
);

/**
 * Addresses to which a creator may send no emails. The row stays when the contact is deleted, so it has only the
 * SHA-256 of the case-folded address, in hex (docs/decisions/0341).
 */
export const suppressions = pgTable(
  'suppressions',
  {
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id, { onDelete: 'cascade' }),
    addressDigest: text('address_digest').notNull(),
    reason: text('reason').$type<InactiveState>().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.creatorId, t.addressDigest] }),
    check('suppressions_reason', sql`${t.reason} in (${oneOf(INACTIVE_STATES)})`),
  ],
);

/**
 * Contacts that were deleted, so that an email to unsubscribe, which has only their id, still ends the emails to the
 * address. Like a suppression, the row has only the address's digest.
 */
export const deletedContacts = pgTable(
  'deleted_contacts',
  {
    contactId: ref('contact_id').primaryKey(),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id, { onDelete: 'cascade' }),
    addressDigest: text('address_digest').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [index('deleted_contacts_of_creator').on(t.creatorId), index('deleted_contacts_age').on(t.createdAt)],
);

/** Filters of the list that a creator has named. */
export const contactSegments = pgTable(
  'contact_segments',
  {
    id: id(),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    filter: jsonb('filter').$type<Record<string, string | number>>().notNull(),
    ...timestamps(),
  },
  (t) => [uniqueIndex('contact_segments_once').on(t.creatorId, sql`lower(${t.name})`)],
);

/** A change of several contacts that can be undone for a day. */
export const contactBatches = pgTable(
  'contact_batches',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id, { onDelete: 'cascade' }),
    action: text('action').$type<ContactAction>().notNull(),
    /** The tag of `tag` and `untag`. */
    tagId: ref('tag_id').references(() => contactTags.id, { onDelete: 'cascade' }),
    undoneAt: instant('undone_at'),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [index('contact_batches_of_creator').on(t.creatorId), index('contact_batches_by_age').on(t.createdAt)],
);

/** A contact that a batch has changed, as it was before. `email` finds the rows of a person who is erased. */
export const contactBatchRows = pgTable(
  'contact_batch_rows',
  {
    batchId: uuid('batch_id')
      .notNull()
      .references(() => contactBatches.id, { onDelete: 'cascade' }),
    contactId: ref('contact_id').notNull(),
    email: text('email').notNull(),
    before: jsonb('before').$type<unknown>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.batchId, t.contactId] }), index('contact_batch_rows_of_address').on(t.email)],
);
