import {
  bigint,
  boolean,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { Cue, TranscriptSource } from '~/server/transcript/model';
import { instant, ref, tsvector } from '../columns';
import type { Chapter } from '../values/episodes';
import { users } from './accounts';
import { creators } from './creators';
import { episodes } from './episodes';

/** Large parts of an episode, in separate tables so that lists do not read them. */
const episodeId = () =>
  ref('episode_id')
    .primaryKey()
    .references(() => episodes.id, { onDelete: 'cascade' });

export const episodeChapters = pgTable('episode_chapters', {
  episodeId: episodeId(),
  /** Ordered by time. */
  chapters: jsonb('chapters').$type<Chapter[]>().notNull(),
  /** The owner has saved them: the chapters of another file do not replace them. */
  edited: boolean('edited').notNull().default(false),
  updatedAt: instant('updated_at').notNull().defaultNow(),
});

/**
 * Audio that is being fetched from another host, for the upload that the episode waits for (episodes/fetch-audio.ts). The
 * row is gone once the file has arrived, or could not be fetched.
 */
export const audioFetches = pgTable(
  'audio_fetches',
  {
    episodeId: episodeId(),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id, { onDelete: 'cascade' }),
    /** Who named the address: the file counts as this account's upload. */
    userId: ref('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    uploadKey: text('upload_key').notNull(),
    url: text('url').notNull(),
    host: text('host').notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** Each lease and each fault increments it, so that only one job continues. */
    step: integer('step').notNull().default(0),
    /** When the next attempt may begin. */
    dueAt: instant('due_at').notNull(),
    /** While set and in the future, a job has one of the places. */
    leasedUntil: instant('leased_until'),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    uniqueIndex('audio_fetches_upload_once').on(t.uploadKey),
    index('audio_fetches_of_creator').on(t.creatorId, t.dueAt),
    index('audio_fetches_leased').on(t.leasedUntil),
  ],
);

/** A release that waits until the user who pressed the button has verified their email address. */
export const keptReleases = pgTable(
  'kept_releases',
  {
    episodeId: episodeId(),
    userId: ref('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Null: as soon as possible. */
    releaseAt: instant('release_at'),
    /** The hold under which the episode was then: another one means that its state has changed since. */
    heldAt: instant('held_at').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [index('kept_releases_of_user').on(t.userId, t.createdAt)],
);

export const episodeTranscripts = pgTable('episode_transcripts', {
  episodeId: episodeId(),
  language: text('language').notNull(),
  /** The format of the upload, or what else made it. */
  source: text('source').$type<TranscriptSource>().notNull(),
  fileName: text('file_name').notNull(),
  /** Without times if plain text was uploaded. */
  cues: jsonb('cues').$type<Cue[]>().notNull(),
  /** The passages as they were uploaded or heard; null until they are edited. */
  original: jsonb('original').$type<Cue[]>(),
  updatedAt: instant('updated_at').notNull().defaultNow(),
});

/**
 * Pieces of transcripts for the search: passages that follow each other, with the time of the first one. A function of the
 * database writes them (docs/decisions/0370); who may read them is decided when someone searches.
 */
export const transcriptSearch = pgTable(
  'transcript_search',
  {
    episodeId: ref('episode_id')
      .notNull()
      .references(() => episodeTranscripts.episodeId, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    productId: ref('product_id').notNull(),
    /** Null without times. */
    startMs: integer('start_ms'),
    text: text('text').notNull(),
    words: tsvector('words').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.episodeId, t.position] }),
    index('transcript_search_words').using('gin', t.words).with({ fastupdate: false }),
    index('transcript_search_of_product').on(t.productId),
  ],
);

/** Transcripts that have changed since the search has read them. A trigger writes it. */
export const unsearchedTranscripts = pgTable(
  'unsearched_transcripts',
  {
    episodeId: ref('episode_id')
      .primaryKey()
      .references(() => episodeTranscripts.episodeId, { onDelete: 'cascade' }),
    changedAt: instant('changed_at').notNull(),
  },
  (t) => [index('unsearched_transcripts_order').on(t.changedAt)],
);

/** Up to 30 seconds that advertise an episode. */
export const promos = pgTable(
  'promos',
  {
    episodeId: episodeId(),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id),
    audioKey: text('audio_key').notNull(),
    audioBytes: bigint('audio_bytes', { mode: 'number' }).notNull(),
    durationMs: integer('duration_ms').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [index('promos_of_creator').on(t.creatorId)],
);

/** The days (UTC) on which a creator has uploaded a promo: one per day, even if it was deleted. */
export const promoDays = pgTable(
  'promo_days',
  {
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id),
    day: date('day', { mode: 'string' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.creatorId, t.day] })],
);

/** People who got an email about an episode: only once per person and episode. */
export const announcements = pgTable(
  'announcements',
  {
    episodeId: ref('episode_id')
      .notNull()
      .references(() => episodes.id, { onDelete: 'cascade' }),
    userId: ref('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [uniqueIndex('announcements_once').on(t.episodeId, t.userId), index('announcements_of_user').on(t.userId)],
);
