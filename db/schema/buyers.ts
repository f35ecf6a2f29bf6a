import { sql } from 'drizzle-orm';
import { date, index, integer, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import { id, instant, ref, timestamps } from '../columns';
import type { BuyerState } from '../values/buyer-states';
import { users } from './accounts';
import { creators } from './creators';
import { products } from './products';

/**
 * The states of everyone who is listed as a buyer of a show, each with its time: a state changes when access or a
 * subscription ends, without a write. Triggers on all tables that decide it write these rows from the view
 * `buyer_state_facts` (docs/decisions/0295).
 */
export const buyerStates = pgTable(
  'buyer_states',
  {
    creatorId: ref('creator_id').notNull(),
    productId: ref('product_id')
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
    userId: ref('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The start of the first grant, or the first payment: the same in all rows of a person. */
    since: instant('since').notNull(),
    state: text('state').$type<BuyerState>().notNull(),
    /** Inclusive; `-infinity` for the first state. */
    begins: instant('begins').notNull(),
    /** Exclusive; `infinity` for the last state. */
    ends: instant('ends').notNull(),
  },
  (t) => [
    unique('buyer_states_once').on(t.productId, t.userId, t.begins),
    index('buyer_states_of_user').on(t.userId),
    index('buyer_states_since').on(t.productId, t.since, t.userId, t.begins, t.ends, t.state),
    index('buyer_states_in_state').on(t.productId, t.state, t.since, t.userId, t.begins, t.ends),
    index('buyer_states_begin').on(t.productId, t.state, t.begins).where(sql`${t.begins} > '-infinity'`),
    index('buyer_states_end').on(t.productId, t.state, t.ends).where(sql`${t.ends} < 'infinity'`),
  ],
);

/** What a creator's team noted about a person. Only the team reads it. */
export const buyerNotes = pgTable(
  'buyer_notes',
  {
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id, { onDelete: 'cascade' }),
    userId: ref('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    text: text('text').notNull(),
    ...timestamps(),
  },
  (t) => [primaryKey({ columns: [t.creatorId, t.userId] }), index('buyer_notes_of_user').on(t.userId)],
);

/** What a creator's team wrote to a person by email. The form's key lets a form that is sent twice write once. */
export const buyerMessages = pgTable(
  'buyer_messages',
  {
    id: id(),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id, { onDelete: 'cascade' }),
    userId: ref('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    key: uuid('key').notNull(),
    subject: text('subject').notNull(),
    text: text('text').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    unique('buyer_messages_once').on(t.creatorId, t.key),
    index('buyer_messages_by_age').on(t.creatorId, t.createdAt),
    index('buyer_messages_of_person').on(t.userId, t.creatorId, t.createdAt),
  ],
);

/** People who want no messages from a creator. */
export const messageOptOuts = pgTable(
  'message_opt_outs',
  {
    userId: ref('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id, { onDelete: 'cascade' }),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.creatorId] }), index('message_opt_outs_of_creator').on(t.creatorId)],
);

/**
 * The people whose state begins on a UTC day (`-infinity` for the first state), less those whose state ends on it. A
 * trigger on `buyer_states` adds and subtracts; foreign keys would make it fail while a creator is deleted.
 */
export const buyerStateCounts = pgTable(
  'buyer_state_counts',
  {
    creatorId: ref('creator_id').notNull(),
    productId: ref('product_id').notNull(),
    state: text('state').$type<BuyerState>().notNull(),
    onDay: date('on_day', { mode: 'string' }).notNull(),
    people: integer('people').notNull(),
  },
  (t) => [unique('buyer_state_counts_once').on(t.creatorId, t.productId, t.state, t.onDay)],
);
