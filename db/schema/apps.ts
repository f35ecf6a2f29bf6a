import { sql } from 'drizzle-orm';
import { check, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { id, instant, ref } from '../columns';
import type { Scope } from '../values/api-scopes';
import { AUDIENCES, type Audience, TOKEN_KINDS, type TokenKind } from '../values/apps';
import { users } from './accounts';
import { creators } from './creators';

const oneOf = (values: readonly string[]) => sql.raw(values.map((value) => `'${value}'`).join(', '));

/** Apps that have registered themselves (RFC 7591). Anyone can register one, so nothing about it is verified. */
export const oauthClients = pgTable(
  'oauth_clients',
  {
    id: id(),
    clientId: text('client_id').notNull(),
    name: text('name').notNull(),
    redirectUris: text('redirect_uris').array().notNull(),
    createdAt: instant('created_at').notNull(),
    /** When somebody last connected it; null until then. */
    usedAt: instant('used_at'),
  },
  (t) => [
    uniqueIndex('oauth_clients_once').on(t.clientId),
    index('oauth_clients_unused').on(t.createdAt).where(sql`${t.usedAt} is null`),
    index('oauth_clients_used').on(t.usedAt),
  ],
);

/** An app that a person has connected to a creator. Its tokens never do more than these scopes and the person's role. */
export const oauthGrants = pgTable(
  'oauth_grants',
  {
    id: id(),
    appId: ref('app_id')
      .notNull()
      .references(() => oauthClients.id, { onDelete: 'cascade' }),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id, { onDelete: 'cascade' }),
    userId: ref('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    audience: text('audience').$type<Audience>().notNull(),
    scopes: text('scopes').array().$type<Scope[]>().notNull(),
    createdAt: instant('created_at').notNull(),
    lastUsedAt: instant('last_used_at'),
    revokedAt: instant('revoked_at'),
  },
  (t) => [
    uniqueIndex('oauth_grants_once').on(t.appId, t.creatorId, t.userId, t.audience).where(sql`${t.revokedAt} is null`),
    index('oauth_grants_of_creator').on(t.creatorId, t.id),
    index('oauth_grants_of_user').on(t.userId),
    check('oauth_grants_audience', sql`${t.audience} in (${oneOf(AUDIENCES)})`),
  ],
);

/** One consent: a code that works once, and the head of the family of tokens that it has become. */
export const oauthCodes = pgTable(
  'oauth_codes',
  {
    id: id(),
    grantId: ref('grant_id')
      .notNull()
      .references(() => oauthGrants.id, { onDelete: 'cascade' }),
    codeHash: text('code_hash').notNull(),
    redirectUri: text('redirect_uri').notNull(),
    /** SHA-256 of the verifier (RFC 7636), in base64url. */
    challenge: text('challenge').notNull(),
    scopes: text('scopes').array().$type<Scope[]>().notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
    /** Then none of its tokens works. */
    revokedAt: instant('revoked_at'),
  },
  (t) => [
    uniqueIndex('oauth_codes_once').on(t.codeHash),
    index('oauth_codes_of_grant').on(t.grantId),
    index('oauth_codes_expiry').on(t.expiresAt),
  ],
);

/** Only hashes of tokens are stored. */
export const oauthTokens = pgTable(
  'oauth_tokens',
  {
    id: id(),
    codeId: ref('code_id')
      .notNull()
      .references(() => oauthCodes.id, { onDelete: 'cascade' }),
    kind: text('kind').$type<TokenKind>().notNull(),
    tokenHash: text('token_hash').notNull(),
    scopes: text('scopes').array().$type<Scope[]>().notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    /** Of a refresh token: when it was exchanged for the next one. */
    usedAt: instant('used_at'),
  },
  (t) => [
    uniqueIndex('oauth_tokens_once').on(t.tokenHash),
    index('oauth_tokens_of_code').on(t.codeId),
    index('oauth_tokens_expiry').on(t.expiresAt),
    check('oauth_tokens_kind', sql`${t.kind} in (${oneOf(TOKEN_KINDS)})`),
  ],
);
