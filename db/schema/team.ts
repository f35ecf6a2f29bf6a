import { sql } from 'drizzle-orm';
import { check, index, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { TeamRole } from '~/server/policy/roles';
import { id, instant, ref } from '../columns';
import { users } from './accounts';
import { creators } from './creators';

/** People who work for a creator page that another account owns. */
export const members = pgTable(
  'members',
  {
    id: id(),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id, { onDelete: 'cascade' }),
    userId: ref('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: text('role').$type<TeamRole>().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('members_once').on(t.creatorId, t.userId),
    index('members_of_user').on(t.userId),
    check('members_role', sql`${t.role} in ('editor', 'analyst', 'finance')`),
  ],
);

/** Invitations by email. Only the hash of a link's token is stored. */
export const invitations = pgTable(
  'invitations',
  {
    id: id(),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id, { onDelete: 'cascade' }),
    email: text('email').notNull(),
    role: text('role').$type<TeamRole>().notNull(),
    tokenHash: text('token_hash').notNull(),
    invitedBy: ref('invited_by')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: instant('created_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    uniqueIndex('invitations_once').on(t.creatorId, t.email),
    uniqueIndex('invitations_token_once').on(t.tokenHash),
    index('invitations_expiry').on(t.expiresAt),
    check('invitations_role', sql`${t.role} in ('editor', 'analyst', 'finance')`),
  ],
);

/** The team's actions for a creator. Texts of actions are in `locales`; the parameters are the names at that time. */
export const activity = pgTable(
  'activity',
  {
    id: id(),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id, { onDelete: 'cascade' }),
    /** Null once the account has been deleted. */
    userId: ref('user_id').references(() => users.id, { onDelete: 'set null' }),
    action: text('action').notNull(),
    subjectId: ref('subject_id'),
    params: jsonb('params').$type<Record<string, string | number>>().notNull().default({}),
    at: instant('at').notNull(),
  },
  (t) => [
    index('activity_of_creator').on(t.creatorId, t.id),
    index('activity_of_user').on(t.userId),
    index('activity_old').on(t.at),
  ],
);
