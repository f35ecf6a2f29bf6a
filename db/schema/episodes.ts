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
import { id, instant, ref, timestamps } from '../columns';
import type { BatchAction, BatchedChange, EpisodeStatus, EpisodeType, Person, ServedHead } from '../values/episodes';
import type { TakeDown } from '../values/take-downs';
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
    /** Error code: the reason why the audio check failed, or why a job put the episode on hold. */
    failureReason: text('failure_reason'),
    /** The parameters of the error's text. */
    failureParams: jsonb('failure_params').$type<ErrorParams>().notNull().default({}),
    /** The release time: chosen by the creator, otherwise the time of publishing. */
    releaseAt: instant('release_at'),
    /** The release time of the last publication; null if it was never published. */
    publishedAt: instant('published_at'),
    /**
     * Until then only subscribers may hear this public episode; a job then sets it to null (episodes/early-access.ts).
     */
    earlyUntil: instant('early_until'),
    /** When it was put on hold; kept while another file is checked. */
    heldAt: instant('held_at'),
    sendEmail: boolean('send_email').notNull().default(true),
    season: integer('season'),
    number: integer('number'),
    explicit: boolean('explicit').notNull().default(false),
    /** Hosts and guests (`podcast:person`). */
    people: jsonb('people').$type<Person[]>().notNull().default([]),
    /** Whether the transcript is public; otherwise only listeners who may hear the episode can read it. */
    transcriptShowAll: boolean('transcript_show_all').notNull().default(false),
    /** A machine has made a notable part of its content (`podcast:txt purpose="ai-content"`). */
    aiContent: boolean('ai_content').notNull().default(false),
    /** Incremented to invalidate former preview links. */
    previewVersion: integer('preview_version').notNull().default(1),
    /** When the owner deleted it. The owner can undo that for some days; a job then deletes the row. */
    deletedAt: instant('deleted_at'),
    /** When and why an operator took it down; since then only its team has access (console/take-down.ts). */
    takenDownAt: instant('taken_down_at'),
    takeDown: jsonb('take_down').$type<TakeDown>(),
    /** Permanent identity in feeds; an imported episode keeps its own. */
    guid: text('guid').notNull(),
    uploadKey: text('upload_key').notNull(),
    fileName: text('file_name').notNull(),
    /** A new file for a published episode, whose current audio stays until that file has been checked. */
    replacementKey: text('replacement_key'),
    /** The name of that file; kept after a failure, until the owner saves the episode. */
    replacementName: text('replacement_name'),
    /** When the check of that file started. */
    replacementAt: instant('replacement_at'),
    audioKey: text('audio_key'),
    /** Size of the file as served. */
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
    /** When the job for audio without a waveform processed this episode, once per file. */
    soundTriedAt: instant('sound_tried_at'),
    /** The format of the uploaded file, if it was converted to MP3. */
    convertedFrom: text('converted_from'),
    /** A tag that replaces the file's own one when served, because the owner has edited the chapters. */
    servedHead: jsonb('served_head').$type<ServedHead>(),
    /** Bytes before the first audio frame, as served; the download count's minute starts after them. */
    headBytes: integer('head_bytes'),
    audioWarnings: jsonb('audio_warnings').$type<string[]>().notNull().default([]),
    ...timestamps(),
  },
  (t) => [
    // a deleted episode releases its slug
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

/** Former slugs of an episode; they redirect (db/slug-history.ts). */
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

/** The changes of a batch action on several episodes, which can be undone for a day. */
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
    /** One entry per changed episode. */
    changes: jsonb('changes').$type<BatchedChange[]>().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    undoneAt: instant('undone_at'),
  },
  (t) => [index('episode_batches_old').on(t.createdAt), index('episode_batches_of_product').on(t.productId)],
);
