import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { ErrorParams } from '~/server/base/errors';
import type { BatchedChange, EpisodeStatus, EpisodeType } from '~/server/domain/episodes/rules';
import type { BatchAction, Person } from '~/server/domain/episodes/schema';
import type { ServedHead } from '~/server/domain/media/rules';
import type { TakeDown } from '~/server/domain/reference/kinds';
import { id, instant, ref, timestamps } from '../columns';
import { creators } from './creators';
import { products } from './products';

export const episodes = pgTable(
  'episodes',
  {
    id: id(),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id),
    productId: ref('product_id')
      .notNull()
      .references(() => products.id),
    name: text('name').notNull(),
    slug: text('slug').notNull(),
    /** Sanitised HTML. */
    description: text('description').notNull(),
    privateNote: text('private_note').notNull().default(''),
    coverKey: text('cover_key'),
    type: text('type').$type<EpisodeType>().notNull(),
    status: text('status').$type<EpisodeStatus>().notNull(),
    /** Error code: why the audio check failed, or why a job put the episode on hold. */
    failureReason: text('failure_reason'),
    /** The values of its text. */
    failureParams: jsonb('failure_params').$type<ErrorParams>().notNull().default({}),
    /** The release time: chosen by the creator, else the time of publishing. */
    releaseAt: instant('release_at'),
    /** The release time with which it was published last; null if it never was. */
    publishedAt: instant('published_at'),
    /** Until then only subscribers hear this public episode; a job then sets it to null (episodes/early-access.ts). */
    earlyUntil: instant('early_until'),
    /** Since when it is on hold; kept while another file is checked. */
    heldAt: instant('held_at'),
    sendEmail: boolean('send_email').notNull().default(true),
    season: integer('season'),
    number: integer('number'),
    explicit: boolean('explicit').notNull().default(false),
    /** Hosts and guests (`podcast:person`). */
    people: jsonb('people').$type<Person[]>().notNull().default([]),
    /** The transcript is for everybody; else for those who may hear the episode. */
    transcriptShowAll: boolean('transcript_show_all').notNull().default(false),
    /** Raised to make former preview links useless. */
    previewVersion: integer('preview_version').notNull().default(1),
    /** Deleted by the owner, who can undo it for some days; a job then deletes the row. */
    deletedAt: instant('deleted_at'),
    /** Since when an operator withholds it from everybody but its team, and why (console/taking-down.ts). */
    takenDownAt: instant('taken_down_at'),
    takeDown: jsonb('take_down').$type<TakeDown>(),
    /** Permanent identity in feeds; an imported episode keeps its own. */
    guid: text('guid').notNull(),
    uploadKey: text('upload_key').notNull(),
    fileName: text('file_name').notNull(),
    /** Another file for a published episode, which keeps its audio until that file has been checked. */
    replacementKey: text('replacement_key'),
    /** Its name; kept if it failed, until the owner saves the episode. */
    replacementName: text('replacement_name'),
    /** Since when it is checked. */
    replacementAt: instant('replacement_at'),
    audioKey: text('audio_key'),
    /** Of the file as served. */
    audioBytes: bigint('audio_bytes', { mode: 'number' }),
    audioSha256: text('audio_sha256'),
    durationMs: integer('duration_ms'),
    bitrate: integer('bitrate'),
    sampleRate: integer('sample_rate'),
    channels: integer('channels'),
    /** Integrated loudness in tenths of a LUFS; null until it has been measured, and for silence. */
    loudnessTenths: integer('loudness_tenths'),
    /** The object with the peaks of its waveform; null until they have been measured. */
    peaksKey: text('peaks_key'),
    /** When the job for audio without a waveform took this one, once per file. */
    soundTriedAt: instant('sound_tried_at'),
    /** The format of the file that was uploaded, if it was converted to MP3. */
    convertedFrom: text('converted_from'),
    /** A tag that is served instead of the file's own, because the owner has edited the chapters. */
    servedHead: jsonb('served_head').$type<ServedHead>(),
    /** Bytes before the first audio frame, as served; the download count's minute starts after them. */
    headBytes: integer('head_bytes'),
    audioWarnings: jsonb('audio_warnings').$type<string[]>().notNull().default([]),
    ...timestamps(),
  },
  (t) => [
    // a deleted episode gives its slug up
    uniqueIndex('episodes_slug_once').on(t.productId, t.slug).where(sql`${t.deletedAt} is null`),
    uniqueIndex('episodes_guid_once').on(t.productId, t.guid),
    uniqueIndex('episodes_upload_once').on(t.uploadKey),
    index('episodes_early').on(t.earlyUntil).where(sql`${t.earlyUntil} is not null`),
    index('episodes_in_drip')
      .on(t.productId, t.releaseAt, t.id)
      .where(sql`${t.status} = 'published' and ${t.type} = 'private' and ${t.deletedAt} is null`),
    uniqueIndex('episodes_replacement_once').on(t.replacementKey),
    index('episodes_in_play_order').on(
      t.productId,
      t.status,
      t.releaseAt.desc().nullsFirst(),
      t.id.desc().nullsFirst(),
    ),
    index('episodes_latest_of_creator').on(
      t.creatorId,
      t.status,
      t.releaseAt.desc().nullsFirst(),
      t.id.desc().nullsFirst(),
    ),
    index('episodes_without_waveform')
      .on(t.id)
      .where(sql`${t.audioKey} is not null and ${t.peaksKey} is null and ${t.soundTriedAt} is null`),
    index('episodes_deleted').on(t.deletedAt).where(sql`${t.deletedAt} is not null`),
    index('episodes_upcoming').on(t.creatorId, t.releaseAt).where(sql`${t.status} = 'scheduled'`),
    index('episodes_taken_down').on(t.takenDownAt).where(sql`${t.takenDownAt} is not null`),
    check('episodes_type', sql`${t.type} in ('public', 'trailer', 'private')`),
    check('episodes_status', sql`${t.status} in ('in_progress', 'failed', 'scheduled', 'published', 'on_hold')`),
    check(
      'episodes_published_has_audio',
      sql`${t.status} not in ('published', 'scheduled') or ${t.audioKey} is not null`,
    ),
    check(
      'episodes_published_has_time',
      sql`${t.status} not in ('published', 'scheduled') or ${t.releaseAt} is not null`,
    ),
  ],
);

/** Slugs that an episode had before; they redirect (db/slug-history.ts). */
export const formerEpisodeSlugs = pgTable(
  'former_episode_slugs',
  {
    scopeId: ref('product_id').notNull(),
    slug: text('slug').notNull(),
    ownerId: ref('episode_id')
      .notNull()
      .references(() => episodes.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.scopeId, t.slug] }), index('former_episode_slugs_of_episode').on(t.ownerId)],
);

/** What an action on several episodes has changed, so that it can be undone for a day. */
export const episodeBatches = pgTable(
  'episode_batches',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id),
    productId: ref('product_id')
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
    action: text('action').$type<BatchAction>().notNull(),
    /** One per episode that it changed. */
    changes: jsonb('changes').$type<BatchedChange[]>().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    undoneAt: instant('undone_at'),
  },
  (t) => [index('episode_batches_old').on(t.createdAt), index('episode_batches_of_product').on(t.productId)],
);
