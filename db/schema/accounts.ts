import { date, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { Language } from '~/locales/languages';
import { id, instant, ref, timestamps } from '../columns';

export const users = pgTable(
  'users',
  {
    id: id(),
    email: text('email').notNull(),
    name: text('name').notNull(),
    passwordHash: text('password_hash').notNull(),
    country: text('country').notNull(),
    language: text('language').$type<Language>().notNull(),
    currency: text('currency').$type<'eur' | 'usd'>().notNull(),
    birthDate: date('birth_date', { mode: 'string' }),
    avatarKey: text('avatar_key'),
    emailVerifiedAt: instant('email_verified_at'),
    termsAcceptedAt: instant('terms_accepted_at').notNull(),
    marketingConsentedAt: instant('marketing_consented_at'),
    planBannerHiddenAt: instant('plan_banner_hidden_at'),
    ...timestamps(),
  },
  (t) => [uniqueIndex('users_email_once').on(t.email)],
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
    userAgent: text('user_agent'),
  },
  (t) => [index('sessions_of_user').on(t.userId), index('sessions_expiry').on(t.expiresAt)],
);

/** Links sent by email; only the hash of the token is stored. */
export const emailTokens = pgTable(
  'email_tokens',
  {
    hash: text('hash').primaryKey(),
    userId: ref('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    purpose: text('purpose').$type<'verify_email'>().notNull(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [index('email_tokens_of_user').on(t.userId, t.purpose)],
);
