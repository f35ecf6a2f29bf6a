import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  customType,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { MachineReason } from '~/server/agents/machines';
import { id, instant, ref } from '../columns';
import type { ChangeReason, Counts, DimensionCounts, Source, TimeCounts } from '../values/statistics';
import { users } from './accounts';
import { episodes } from './episodes';

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
const int8multirange = customType<{ data: string }>({ dataType: () => 'int8multirange' });
const day = () => date('day', { mode: 'string' });
const dayOf = (name: string) => date(name, { mode: 'string' });
const counts = <Shape>(name: string) =>
  jsonb(name)
    .$type<Shape>()
    .notNull()
    .default({} as never);

/** Who played, from where and with what (db/values/statistics.ts); null in rows of former releases. */
const facts = () => ({
  country: text('country'),
  region: text('region'),
  app: text('app'),
  device: text('device'),
  os: text('os'),
  source: text('source').$type<Source>(),
  referrer: text('referrer'),
});

/**
 * Downloads of our own players, which are no plays: the listen of the same minute is one. `downloads` is without them
 * (decision 0325).
 */
const playerDownloads = () => integer('player_downloads').notNull().default(0);

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
    ...facts(),
  },
  (t) => [
    primaryKey({ columns: [t.day, t.sessionId, t.episodeId] }),
    index('listens_of_creator').on(t.creatorId, t.day),
    // the last hour of a show
    index('listens_of_product').on(t.productId, t.at),
  ],
);

/**
 * One row per listener, episode and window of 24 hours; `spans` merges the ranges that were sent. Partitioned by day.
 * `day`: the UTC day on which the window began, with `firstAt`.
 */
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
    ...facts(),
  },
  (t) => [
    primaryKey({ columns: [t.day, t.episodeId, t.listenerKey] }),
    index('downloads_of_creator').on(t.creatorId, t.day),
    // the last hour of a show; `counted_at` would change after the insert, and the index with it
    index('downloads_of_product').on(t.productId, t.firstAt),
  ],
);

/** The rollup for charts: one row per product and UTC day. A download belongs to the day on which its window began. */
export const listeningDays = pgTable(
  'listening_days',
  {
    creatorId: ref('creator_id').notNull(),
    productId: ref('product_id').notNull(),
    day: day().notNull(),
    listens: integer('listens').notNull().default(0),
    downloads: integer('downloads').notNull().default(0),
    playerDownloads: playerDownloads(),
    /** Different listeners with a download; null on days before they were counted. */
    listeners: integer('listeners'),
    /** By quarter of an hour, 0 to 95, so that a day of any time zone can be summed up. */
    slots: counts<TimeCounts>('slots'),
    dimensions: counts<DimensionCounts>('dimensions'),
    /** Plays by country and app, as `{"ES|spotify": 3}`, for charts that combine both. */
    pairs: counts<Counts>('pairs'),
    /** Plays that are in the sums here, but whose times and values are in the store beside Postgres (decision 0333). */
    elsewhere: counts<Partial<Record<'l' | 'd' | 'p', number>>>('elsewhere'),
  },
  (t) => [
    primaryKey({ columns: [t.creatorId, t.productId, t.day] }),
    index('listening_days_of_creator').on(t.creatorId, t.day),
  ],
);

/** The rollup of an episode: one row per UTC month, named by its first day. */
export const episodeMonths = pgTable(
  'episode_months',
  {
    creatorId: ref('creator_id').notNull(),
    productId: ref('product_id').notNull(),
    episodeId: ref('episode_id').notNull(),
    month: dayOf('month').notNull(),
    listens: integer('listens').notNull().default(0),
    downloads: integer('downloads').notNull().default(0),
    playerDownloads: playerDownloads(),
    /** By day of the month and hour, as in `{"d": {"0113": 4}}`. */
    hours: counts<TimeCounts>('hours'),
    dimensions: counts<DimensionCounts>('dimensions'),
  },
  (t) => [primaryKey({ columns: [t.creatorId, t.productId, t.episodeId, t.month] })],
);

/**
 * Counted plays on their way to the store of statistics beside Postgres, if there is one. Written by the statement that
 * counts them, and deleted once they are stored. `batch`: the largest ID of those that are sent together; null if nobody
 * has sent them yet.
 */
export const playOutbox = pgTable(
  'play_outbox',
  {
    id: id(),
    batch: bigint('batch', { mode: 'number' }),
    measure: text('measure').$type<'l' | 'd' | 'p'>().notNull(),
    creatorId: ref('creator_id').notNull(),
    productId: ref('product_id').notNull(),
    episodeId: ref('episode_id').notNull(),
    at: instant('at').notNull(),
    ...facts(),
  },
  (t) => [index('play_outbox_batches').on(t.batch).where(sql`${t.batch} is not null`)],
);

/** Requests of machines, which are no downloads: one row per product and UTC day. */
export const machineDays = pgTable(
  'machine_days',
  {
    creatorId: ref('creator_id').notNull(),
    productId: ref('product_id').notNull(),
    day: day().notNull(),
    requests: integer('requests').notNull().default(0),
    reasons: counts<Partial<Record<MachineReason, number>>>('reasons'),
    agents: counts<Counts>('agents'),
  },
  (t) => [primaryKey({ columns: [t.creatorId, t.productId, t.day] })],
);

/** The listeners who are counted on a day already. Deleted with the day's salt. */
export const dailyListeners = pgTable(
  'daily_listeners',
  {
    day: day().notNull(),
    productId: ref('product_id').notNull(),
    listenerKey: bytea('listener_key').notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.productId, t.listenerKey] })],
);

/** Figures that were corrected: charts note the day, so that none changes silently. */
export const statisticsChanges = pgTable(
  'statistics_changes',
  {
    id: id(),
    creatorId: ref('creator_id').notNull(),
    productId: ref('product_id').notNull(),
    /** The day of the correction. */
    day: day().notNull(),
    reason: text('reason').$type<ChangeReason>().notNull(),
    /** The days whose figures have changed. */
    fromDay: dayOf('from_day').notNull(),
    toDay: dayOf('to_day').notNull(),
    /** How much the figures have grown; negative if they have shrunk. */
    listens: integer('listens').notNull(),
    downloads: integer('downloads').notNull(),
  },
  (t) => [
    index('statistics_changes_of_product').on(t.creatorId, t.productId, t.day),
    check('statistics_changes_reason', sql`${t.reason} in ('machines', 'recount')`),
  ],
);

/** Recounts of past days, product by product. `doneProductId`: the last one that is finished. */
export const statisticsRecounts = pgTable(
  'statistics_recounts',
  {
    id: id(),
    fromDay: dayOf('from_day').notNull(),
    toDay: dayOf('to_day').notNull(),
    /** Null: all products. */
    productId: ref('product_id'),
    doneProductId: ref('done_product_id').notNull().default(0),
    startedAt: instant('started_at').notNull().defaultNow(),
    finishedAt: instant('finished_at'),
  },
  (t) => [
    uniqueIndex('statistics_recounts_open')
      .on(t.fromDay, t.toDay, sql`coalesce(${t.productId}, 0)`)
      .where(sql`${t.finishedAt} is null`),
  ],
);

const sum = (name: string) => bigint(name, { mode: 'number' });

/**
 * All plays of an episode, and those of its first 24 hours, 7 and 30 days. The starts are right if `releasedHour` is the
 * hour of the release, and `startsPlays` are all plays: a former release adds plays without them (decision 0344).
 */
export const episodeTotals = pgTable('episode_totals', {
  episodeId: ref('episode_id').primaryKey(),
  creatorId: ref('creator_id').notNull(),
  listens: sum('listens').notNull().default(0),
  downloads: sum('downloads').notNull().default(0),
  playerDownloads: sum('player_downloads').notNull().default(0),
  /** In hours since 1970. */
  releasedHour: integer('released_hour'),
  startsPlays: sum('starts_plays'),
  first24h: sum('first_24h').notNull().default(0),
  first7d: sum('first_7d').notNull().default(0),
  first30d: sum('first_30d').notNull().default(0),
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
