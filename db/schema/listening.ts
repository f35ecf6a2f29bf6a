import { bigint, boolean, customType, date, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant, ref } from '../columns';
import { users } from './accounts';
import { episodes } from './episodes';

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
const int8multirange = customType<{ data: string }>({ dataType: () => 'int8multirange' });
const day = () => date('day', { mode: 'string' });

/** Counted listens in the web player (spec §4). Partitioned by day; no table references it. */
export const listens = pgTable(
  'listens',
  {
    day: day().notNull(),
    creatorId: ref('creator_id').notNull(),
    productId: ref('product_id').notNull(),
    episodeId: ref('episode_id').notNull(),
    sessionId: text('session_id').notNull(),
    at: instant('at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.day, t.sessionId, t.episodeId] }),
    index('listens_of_creator').on(t.creatorId, t.day),
  ],
);

/** One row per listener, episode and UTC day; `spans` merges the ranges that were sent. Partitioned by day. */
export const downloads = pgTable(
  'downloads',
  {
    day: day().notNull(),
    creatorId: ref('creator_id').notNull(),
    productId: ref('product_id').notNull(),
    episodeId: ref('episode_id').notNull(),
    listenerKey: bytea('listener_key').notNull(),
    userAgent: text('user_agent').notNull(),
    spans: int8multirange('spans').notNull(),
    /** Bytes of audio that count as a download; `spans` contains audio only. */
    neededBytes: integer('needed_bytes').notNull(),
    firstAt: instant('first_at').notNull(),
    countedAt: instant('counted_at'),
    /** The id of the statement that counts the download and adds it to the rollups. */
    countedIn: bigint('counted_in', { mode: 'number' }),
    /** The app got the episode from the feed to which the former host redirects. */
    isFromOldFeed: boolean('is_from_old_feed').notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.day, t.episodeId, t.listenerKey] }),
    index('downloads_of_creator').on(t.creatorId, t.day),
  ],
);

/** The rollup for charts: one row per product and day. */
export const listeningDays = pgTable(
  'listening_days',
  {
    creatorId: ref('creator_id').notNull(),
    productId: ref('product_id').notNull(),
    day: day().notNull(),
    listens: integer('listens').notNull().default(0),
    downloads: integer('downloads').notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.creatorId, t.productId, t.day] }),
    index('listening_days_of_creator').on(t.creatorId, t.day),
  ],
);

export const episodeTotals = pgTable('episode_totals', {
  episodeId: ref('episode_id').primaryKey(),
  creatorId: ref('creator_id').notNull(),
  listens: bigint('listens', { mode: 'number' }).notNull().default(0),
  downloads: bigint('downloads', { mode: 'number' }).notNull().default(0),
});

/** The key of a day's listener hashes; deleted after that day. */
export const dailySalts = pgTable('daily_salts', {
  day: day().primaryKey(),
  salt: bytea('salt').notNull(),
});

/**
 * Calls by which legacy clients start to play an episode: each lets the same caller report one listen (decision 0165).
 * Deleted after a day.
 */
export const legacyPlays = pgTable(
  'legacy_plays',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    episodeId: ref('episode_id')
      .notNull()
      .references(() => episodes.id, { onDelete: 'cascade' }),
    /** A hash with the day's salt, as for downloads. */
    caller: bytea('caller').notNull(),
    at: instant('at').notNull(),
  },
  (t) => [index('legacy_plays_of_caller').on(t.episodeId, t.caller, t.at), index('legacy_plays_by_age').on(t.at)],
);

/** The position at which a listener stopped in an episode, so that another device continues there. */
export const episodePositions = pgTable(
  'episode_positions',
  {
    userId: ref('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    episodeId: ref('episode_id')
      .notNull()
      .references(() => episodes.id, { onDelete: 'cascade' }),
    positionMs: integer('position_ms').notNull(),
    /** When it was played to its end: the next playback starts from the beginning. */
    finishedAt: instant('finished_at'),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.episodeId] }),
    index('episode_positions_latest').on(t.userId, t.updatedAt),
    index('episode_positions_of_episode').on(t.episodeId),
  ],
);
