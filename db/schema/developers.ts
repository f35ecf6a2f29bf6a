import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { id, instant, ref } from '../columns';
import type { Scope } from '../values/api-scopes';
import { users } from './accounts';
import { creators } from './creators';

const creatorId = () =>
  ref('creator_id')
    .notNull()
    .references(() => creators.id, { onDelete: 'cascade' });

/** Keys of the API. Only the hash of a key is stored; people recognise it by its last characters. */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: id(),
    creatorId: creatorId(),
    /** Who created it: the key has the role that this person has now. */
    userId: ref('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    tokenHash: text('token_hash').notNull(),
    lastFour: text('last_four').notNull(),
    scopes: text('scopes').array().$type<Scope[]>().notNull(),
    createdAt: instant('created_at').notNull(),
    /** Also the end of the overlap, if another key has replaced it. Null: it works until it is revoked. */
    expiresAt: instant('expires_at'),
    revokedAt: instant('revoked_at'),
    /** When another key replaced it. */
    rotatedAt: instant('rotated_at'),
    /** Written at most once a minute. */
    lastUsedAt: instant('last_used_at'),
    /** The network of the client, not its whole address. */
    lastUsedNetwork: text('last_used_network'),
  },
  (t) => [
    uniqueIndex('api_keys_token_once').on(t.tokenHash),
    index('api_keys_of_creator').on(t.creatorId, t.id),
    index('api_keys_of_user').on(t.userId),
    check('api_keys_scopes', sql`cardinality(${t.scopes}) > 0`),
  ],
);

/**
 * Calls that their client may repeat: the answer to the first one is kept for a day. Without a status, the call is
 * running, or its process has ended, so that nobody knows how far it came.
 */
export const idempotentCalls = pgTable(
  'idempotent_calls',
  {
    id: id(),
    creatorId: creatorId(),
    /** The key or the app: `key:7`. */
    caller: text('caller').notNull(),
    /** The hash of what the client has chosen. */
    keyHash: text('key_hash').notNull(),
    /** The hash of method, path and body. */
    requestHash: text('request_hash').notNull(),
    status: integer('status'),
    body: text('body'),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    uniqueIndex('idempotent_calls_once').on(t.caller, t.keyHash),
    index('idempotent_calls_of_creator').on(t.creatorId),
    index('idempotent_calls_old').on(t.createdAt),
  ],
);

/** The calls of the last days, for the studio. */
export const apiCalls = pgTable(
  'api_calls',
  {
    id: id(),
    creatorId: creatorId(),
    caller: text('caller').notNull(),
    method: text('method').notNull(),
    /** The template, such as `/v1/shows/{id}`, because a path could contain anything. */
    path: text('path').notNull(),
    status: integer('status').notNull(),
    ms: integer('ms').notNull(),
    /** As in the answer and in our logs; null for calls of before it was kept. */
    requestId: text('request_id'),
    at: instant('at').notNull(),
  },
  (t) => [index('api_calls_of_creator').on(t.creatorId, t.id), index('api_calls_old').on(t.at)],
);
