import { sql } from 'drizzle-orm';
import { check, date, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { PieceTimes } from '~/server/transcript/cues-of-piece';
import type { Heard } from '~/server/transcript/heard';
import type { Cue } from '~/server/transcript/model';
import { id, instant, ref } from '../columns';
import type { RunStatus, TimingStatus } from '../values/transcription';
import { creators } from './creators';
import { episodes } from './episodes';

/** An engine writes down what is said in an episode. Its minutes count in the month in which it began. */
export const transcriptionRuns = pgTable(
  'transcription_runs',
  {
    id: id(),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id),
    /** Null once the episode is deleted for good: its minutes still count. */
    episodeId: ref('episode_id').references(() => episodes.id, { onDelete: 'set null' }),
    status: text('status').$type<RunStatus>().notNull(),
    /** Error code of a failure. */
    reason: text('reason'),
    /** The language that the creator has chosen; null if the engine has to find it. */
    language: text('language'),
    /** The file that is heard: another file of the episode ends the run. */
    audioKey: text('audio_key').notNull(),
    /** When the transcript that the result may replace was stored; null if the episode had none. */
    former: instant('former'),
    /** The first day of the UTC month in which it began. */
    month: date('month', { mode: 'string' }).notNull(),
    /** Minutes that it takes from the month: reserved while it runs, returned if it fails. */
    minutes: integer('minutes').notNull(),
    /** Which process works on it: a new one increments it, and the former one stops. */
    attempt: integer('attempt').notNull().default(0),
    /** When a piece was last heard, or a process began. */
    aliveAt: instant('alive_at').notNull(),
    startedAt: instant('started_at').notNull(),
    endedAt: instant('ended_at'),
  },
  (t) => [
    uniqueIndex('transcription_runs_once').on(t.episodeId).where(sql`${t.status} = 'running'`),
    index('transcription_runs_of_month').on(t.creatorId, t.month),
    index('transcription_runs_of_episode').on(t.episodeId, t.id),
    index('transcription_runs_running').on(t.aliveAt).where(sql`${t.status} = 'running'`),
    check('transcription_runs_status', sql`${t.status} in ('running', 'done', 'waiting', 'failed', 'cancelled')`),
    check('transcription_runs_minutes', sql`${t.minutes} >= 0`),
  ],
);

/**
 * A part of the sound, in the order of time. A piece that has its result is never sent again. Deleted once the transcript
 * is stored.
 */
export const transcriptionPieces = pgTable(
  'transcription_pieces',
  {
    runId: ref('run_id')
      .notNull()
      .references(() => transcriptionRuns.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    fromFrame: integer('from_frame').notNull(),
    toFrame: integer('to_frame').notNull(),
    times: jsonb('times').$type<PieceTimes>().notNull(),
    /** The engine's name for the work, if it keeps orders: asking for it again costs nothing. */
    remoteOrder: text('remote_order'),
    heard: jsonb('heard').$type<Heard>(),
    heardAt: instant('heard_at'),
  },
  (t) => [primaryKey({ columns: [t.runId, t.position] })],
);

/** A text whose words get their times from the sound of its episode. Deleted once the transcript is stored. */
export const textTimings = pgTable(
  'text_timings',
  {
    episodeId: ref('episode_id')
      .primaryKey()
      .references(() => episodes.id, { onDelete: 'cascade' }),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id),
    status: text('status').$type<TimingStatus>().notNull(),
    /** Error code of a failure. */
    reason: text('reason'),
    cues: jsonb('cues').$type<Cue[]>().notNull(),
    language: text('language').notNull(),
    fileName: text('file_name').notNull(),
    /** The file that is compared: with another file of the episode, nothing is stored. */
    audioKey: text('audio_key').notNull(),
    /** When the transcript that the result may replace was stored; null if the episode had none. */
    former: instant('former'),
    percent: integer('percent').notNull().default(0),
    /** Which process works on it: a new one increments it, and the former one stores nothing. */
    attempt: integer('attempt').notNull().default(0),
    aliveAt: instant('alive_at').notNull(),
    startedAt: instant('started_at').notNull(),
  },
  (t) => [
    index('text_timings_of_creator').on(t.creatorId),
    check('text_timings_status', sql`${t.status} in ('running', 'failed')`),
    check('text_timings_percent', sql`${t.percent} between 0 and 100`),
  ],
);
