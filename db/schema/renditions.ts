import { sql } from 'drizzle-orm';
import {
  bigint,
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
import { instant, ref } from '../columns';
import type { Arrangement, LISTENER_DOORS, ServedPart } from '../values/insertions';
import { episodes } from './episodes';
import { insertionCampaigns } from './insertions';
import { products } from './products';

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
const int8multirange = customType<{ data: string }>({ dataType: () => 'int8multirange' });
const day = () => date('day', { mode: 'string' });

/**
 * An episode with clips, as served. A row never changes: a listener who has begun to download it gets the same bytes from
 * it. No foreign keys of clips: a rendition of a deleted clip is served for as long as its files exist.
 */
export const renditions = pgTable(
  'renditions',
  {
    /** Hash of the bytes, the episode and the arrangement, in hexadecimal; the strong ETag. */
    id: text('id').primaryKey(),
    episodeId: ref('episode_id')
      .notNull()
      .references(() => episodes.id, { onDelete: 'cascade' }),
    /** The episode's file at that time, and the hash of its tag if that was edited. */
    audioKey: text('audio_key').notNull(),
    headHash: text('head_hash').notNull(),
    /** The object with the rendition's own tag, whose chapters have its times; null without a tag. */
    headKey: text('head_key'),
    arrangement: jsonb('arrangement').$type<Arrangement>().notNull(),
    /** Hash of `arrangement`. */
    arrangementHash: text('arrangement_hash').notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    headBytes: integer('head_bytes').notNull(),
    durationMs: integer('duration_ms').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    uniqueIndex('renditions_once').on(t.episodeId, t.audioKey, t.headHash, t.arrangementHash),
    index('renditions_of_audio').on(t.audioKey),
    index('renditions_of_head').on(t.headKey),
  ],
);

/** The rendition that listeners of a door get now, whose length feeds and pages state. Without a row: the file itself. */
export const servedRenditions = pgTable(
  'served_renditions',
  {
    episodeId: ref('episode_id')
      .notNull()
      .references(() => episodes.id, { onDelete: 'cascade' }),
    door: text('door').$type<(typeof LISTENER_DOORS)[number]>().notNull(),
    renditionId: text('rendition_id')
      .notNull()
      .references(() => renditions.id, { onDelete: 'cascade' }),
    /** The episode's file of which it was made: for another one, the lengths are wrong. */
    audioKey: text('audio_key'),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    durationMs: integer('duration_ms').notNull(),
    /** Where the parts of the episode are in it. Null in rows from before feeds needed them. */
    parts: jsonb('parts').$type<ServedPart[]>(),
  },
  (t) => [primaryKey({ columns: [t.episodeId, t.door] }), index('served_renditions_of_rendition').on(t.renditionId)],
);

/** The day for which `served_renditions` of a show were written last, in the creator's time zone. */
export const servedShows = pgTable('served_shows', {
  productId: ref('product_id')
    .primaryKey()
    .references(() => products.id, { onDelete: 'cascade' }),
  day: day().notNull(),
});

/**
 * One row per listener, episode and window of 24 hours: the rendition that the listener keeps for that time, and the
 * bytes of it that were sent. `day`: the UTC day on which the window began.
 */
export const renditionDownloads = pgTable(
  'rendition_downloads',
  {
    day: day().notNull(),
    episodeId: ref('episode_id')
      .notNull()
      .references(() => episodes.id, { onDelete: 'cascade' }),
    /** With a salt of its day, as in `downloads`. */
    listenerKey: bytea('listener_key').notNull(),
    renditionId: text('rendition_id')
      .notNull()
      .references(() => renditions.id, { onDelete: 'cascade' }),
    beganAt: instant('began_at').notNull(),
    spans: int8multirange('spans').notNull().default('{}'),
    country: text('country'),
    app: text('app'),
    /** Positions in the arrangement of the clips that have become impressions. */
    counted: integer('counted').array().notNull().default(sql`'{}'`),
    /** Campaigns with a cap that expect an impression from this download. */
    reservedIds: bigint('reserved_ids', { mode: 'number' }).array().notNull().default(sql`'{}'`),
  },
  (t) => [
    primaryKey({ columns: [t.day, t.episodeId, t.listenerKey] }),
    index('rendition_downloads_old').on(t.beganAt),
    index('rendition_downloads_of_rendition').on(t.renditionId),
  ],
);

/** Impressions of a campaign: clips of which all bytes were delivered, in a counted download. */
export const impressionDays = pgTable(
  'impression_days',
  {
    campaignId: ref('campaign_id')
      .notNull()
      .references(() => insertionCampaigns.id, { onDelete: 'cascade' }),
    day: day().notNull(),
    episodeId: ref('episode_id').notNull(),
    /** `ZZ` where it is not known, as in `downloads`. */
    country: text('country').notNull(),
    app: text('app').notNull(),
    impressions: integer('impressions').notNull(),
  },
  (t) => [primaryKey({ columns: [t.campaignId, t.day, t.episodeId, t.country, t.app] })],
);
