import { bigint, boolean, date, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant, ref } from '../columns';
import type { Counts } from '../values/statistics';

const dayOf = (name: string) => date(name, { mode: 'string' });

/**
 * The minutes of an episode that a session of the web player has heard: one row for each UTC day and hour of the episode,
 * with a bit for each minute that no earlier row of the session has. Partitioned by day; no table references it.
 */
export const heardMinutes = pgTable(
  'heard_minutes',
  {
    day: dayOf('day').notNull(),
    creatorId: ref('creator_id').notNull(),
    productId: ref('product_id').notNull(),
    episodeId: ref('episode_id').notNull(),
    sessionId: text('session_id').notNull(),
    /** 0 is the first hour of the episode. */
    hour: integer('hour').notNull(),
    /** Bit 0 is the first minute of the hour. */
    minutes: bigint('minutes', { mode: 'bigint' }).notNull(),
    /** When the session's first ticket was issued: nobody hears more minutes than have passed since then, at full speed. */
    since: instant('since').notNull(),
    /** Whether the session began the episode with this row. */
    isStart: boolean('is_start').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.day, t.sessionId, t.episodeId, t.hour] }),
    index('heard_minutes_of_product').on(t.creatorId, t.productId, t.day),
  ],
);

/** The rollup of an episode for its curve: one row per UTC month, named by its first day. */
export const episodeMinutes = pgTable(
  'episode_minutes',
  {
    creatorId: ref('creator_id').notNull(),
    productId: ref('product_id').notNull(),
    episodeId: ref('episode_id').notNull(),
    month: dayOf('month').notNull(),
    /** Sessions that began the episode. */
    listeners: integer('listeners').notNull().default(0),
    /** The minutes that all of them have heard. */
    minutes: bigint('minutes', { mode: 'number' }).notNull().default(0),
    /** Listeners by minute of the episode, as `{"0": 12, "1": 9}`. */
    heard: jsonb('heard').$type<Counts>().notNull().default({}),
  },
  (t) => [primaryKey({ columns: [t.creatorId, t.productId, t.episodeId, t.month] })],
);
