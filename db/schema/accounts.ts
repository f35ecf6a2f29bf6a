import { sql } from 'drizzle-orm';
import { bigint, date, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { Language } from '~/locales/languages';
import { id, instant, ref, timestamps } from '../columns';

/** `email`: by a link in an email, which followers of a show use; they have no password yet. */
export type SignUpMethod = 'password' | 'email' | 'google' | 'facebook';
export type SignUpSource = { ref?: string; utmSource?: string; utmMedium?: string; utmCampaign?: string };

export const users = pgTable(
  'users',
  {
    id: id(),
    email: text('email').notNull(),
    name: text('name').notNull(),
    /** Null for an account that was created in another way and has no password yet. */
    passwordHash: text('password_hash'),
    signedUpWith: text('signed_up_with').$type<SignUpMethod>().notNull().default('password'),
    /** Null until the user has chosen one: accounts of imported subscribers start without a country. */
    country: text('country'),
    language: text('language').$type<Language>(),
    currency: text('currency').$type<'eur' | 'usd'>().notNull(),
    description: text('description'),
    timeZone: text('time_zone'),
    birthDate: date('birth_date', { mode: 'string' }),
    /** Required below 18 years for a creator page and for paid memberships (spec §5). */
    parentalPermissionAt: instant('parental_permission_at'),
    avatarKey: text('avatar_key'),
    emailVerifiedAt: instant('email_verified_at'),
    termsAcceptedAt: instant('terms_accepted_at').notNull(),
    marketingConsentedAt: instant('marketing_consented_at'),
    planBannerHiddenAt: instant('plan_banner_hidden_at'),
    /** The affiliate and campaign that brought the user. */
    signUpSource: jsonb('sign_up_source').$type<SignUpSource>(),
    /** Answers of the start wizard, which ends when the page is shared. */
    signUpReason: text('sign_up_reason'),
    pageSharedAt: instant('page_shared_at'),
    /** When an operator suspended the account: logins are rejected. Its sales stay with their buyers. */
    suspendedAt: instant('suspended_at'),
    deletionRequestedAt: instant('deletion_requested_at'),
    deletionDueAt: instant('deletion_due_at'),
    /** Personal data is removed; the row stays for purchases of other users and for the ledger. */
    deletedAt: instant('deleted_at'),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('users_email_once').on(t.email),
    // operators search for the beginning of an address or a name
    index('users_email_prefix').on(t.email.op('text_pattern_ops')),
    // creators search for any part of them
    index('users_parts').using('gin', t.email.op('gin_trgm_ops'), t.name.op('gin_trgm_ops')),
    index('users_name_prefix').on(sql`lower(${t.name}) text_pattern_ops`),
    index('users_to_delete').on(t.deletionDueAt).where(sql`deletion_due_at is not null and deleted_at is null`),
  ],
);

/** The id is the SHA-256 of the client's token, so a leak of this table gives no access. */
export const sessions = pgTable(
  'sessions',
  {
    id: text('id').primaryKey(),
    userId: ref('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: instant('expires_at').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    lastUsedAt: instant('last_used_at').notNull().defaultNow(),
    /** The REST token is a session as well. */
    channel: text('channel').$type<'web' | 'rest'>().notNull().default('web'),
    userAgent: text('user_agent'),
    country: text('country'),
    /** The creator for whom the user has chosen to work, valid only while the user is a member of that team. */
    worksFor: ref('works_for'),
    /** When the user last proved a second factor in this session, or the password if there is no second factor. */
    confirmedAt: instant('confirmed_at'),
  },
  (t) => [index('sessions_of_user').on(t.userId), index('sessions_expiry').on(t.expiresAt)],
);

export type EmailLinkPurpose =
  | 'verify_email'
  | 'reset_password'
  | 'confirm_new_email'
  | 'confirm_old_email'
  | 'undo_deletion';

/** Links sent by email; only the hash of the token is stored. */
export const emailTokens = pgTable(
  'email_tokens',
  {
    hash: text('hash').primaryKey(),
    userId: ref('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    purpose: text('purpose').$type<EmailLinkPurpose>().notNull(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [index('email_tokens_of_user').on(t.userId, t.purpose)],
);

/**
 * Codes that verify an address, sent with the links. The newest works; the others stay for a day, because the wrong
 * attempts of an account are counted over all of its codes.
 */
export const emailCodes = pgTable(
  'email_codes',
  {
    id: id(),
    userId: ref('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The address that got the code. */
    email: text('email').notNull(),
    /** The keyed fingerprint of the code. */
    hash: text('hash').notNull(),
    attempts: integer('attempts').notNull().default(0),
    expiresAt: instant('expires_at').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [index('email_codes_of_user').on(t.userId, t.createdAt), index('email_codes_age').on(t.createdAt)],
);

/** A change of address takes effect once both the old and the new address have confirmed it. */
export const emailChanges = pgTable('email_changes', {
  userId: ref('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  newEmail: text('new_email').notNull(),
  oldConfirmedAt: instant('old_confirmed_at'),
  newConfirmedAt: instant('new_confirmed_at'),
  expiresAt: instant('expires_at').notNull(),
  createdAt: instant('created_at').notNull().defaultNow(),
});

/** The address of payouts, and texts on invoices. */
export const billingDetails = pgTable('billing_details', {
  userId: ref('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  iban: text('iban'),
  paypalEmail: text('paypal_email'),
  taxNumber: text('tax_number'),
  billingName: text('billing_name'),
  street: text('street'),
  postalCode: text('postal_code'),
  city: text('city'),
  ...timestamps(),
});

/** A topic about which the user wants no emails. */
export const notificationOptOuts = pgTable(
  'notification_opt_outs',
  {
    userId: ref('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    topic: text('topic').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.topic] })],
);

/** The export of all personal data of a user. */
export const accountExports = pgTable(
  'account_exports',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: ref('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    objectKey: text('object_key'),
    bytes: bigint('bytes', { mode: 'number' }),
    /** In UTC: one export per day. */
    day: date('day', { mode: 'string' }).notNull(),
    requestedAt: instant('requested_at').notNull(),
    readyAt: instant('ready_at'),
    expiresAt: instant('expires_at'),
    failedAt: instant('failed_at'),
  },
  (t) => [
    uniqueIndex('account_exports_once_a_day').on(t.userId, t.day).where(sql`failed_at is null`),
    index('account_exports_of_user').on(t.userId, t.requestedAt),
    index('account_exports_expiry').on(t.expiresAt),
  ],
);
