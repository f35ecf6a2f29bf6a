import { bigint, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { instant, ref } from '../columns';
import { users } from './accounts';

/** Accounts at other services by which a user can log in. */
export const identities = pgTable(
  'identities',
  {
    userId: ref('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    provider: text('provider').$type<'google' | 'facebook'>().notNull(),
    /** The user's id at the provider. */
    subject: text('subject').notNull(),
    /** The address at the provider; null if the provider sent none. */
    email: text('email'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('identities_subject_once').on(t.provider, t.subject),
    uniqueIndex('identities_one_per_provider').on(t.userId, t.provider),
  ],
);

/** A user's authenticator app (TOTP, RFC 6238). */
export const authenticators = pgTable('authenticators', {
  userId: ref('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** Encrypted with the server's secret. */
  secret: text('secret').notNull(),
  /** Null until the user has entered a first code. */
  confirmedAt: instant('confirmed_at'),
  /** The time step of the last accepted code: no code is accepted twice. */
  lastStep: bigint('last_step', { mode: 'number' }),
  createdAt: instant('created_at').notNull().defaultNow(),
});

export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    hash: text('hash').primaryKey(),
    userId: ref('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    usedAt: instant('used_at'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [index('recovery_codes_of_user').on(t.userId)],
);

/** WebAuthn credentials. */
export const passkeys = pgTable(
  'passkeys',
  {
    /** The credential id, in base64url. */
    id: text('id').primaryKey(),
    userId: ref('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** COSE key, in base64url. */
    publicKey: text('public_key').notNull(),
    counter: bigint('counter', { mode: 'number' }).notNull(),
    transports: text('transports').array().notNull(),
    lastUsedAt: instant('last_used_at'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [index('passkeys_of_user').on(t.userId)],
);

export type LoginChallengePurpose =
  | 'second_factor'
  | 'passkey_login'
  | 'passkey_confirmation'
  | 'passkey_registration'
  | 'identity_attempt'
  | 'identity_pending'
  | 'seller_account'
  | 'spotify_link';

/**
 * Unfinished log-ins: a password that waits for its second factor, the challenge of a passkey, or the steps of a log-in
 * with an account at another service.
 */
export const loginChallenges = pgTable(
  'login_challenges',
  {
    /** The SHA-256 of the client's token. */
    hash: text('hash').primaryKey(),
    purpose: text('purpose').$type<LoginChallengePurpose>().notNull(),
    userId: ref('user_id').references(() => users.id, { onDelete: 'cascade' }),
    challenge: text('challenge'),
    attempts: integer('attempts').notNull().default(0),
    expiresAt: instant('expires_at').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [index('login_challenges_expiry').on(t.expiresAt)],
);
