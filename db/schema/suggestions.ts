import { sql } from 'drizzle-orm';
import { check, date, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { id, instant, ref } from '../columns';
import type { SuggestionStatus, Suggestions } from '../values/suggestions';
import { creators } from './creators';
import { episodes } from './episodes';

/** A language model suggests chapters, a title and notes for an episode, from its transcript. */
export const suggestionRuns = pgTable(
  'suggestion_runs',
  {
    id: id(),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id, { onDelete: 'cascade' }),
    episodeId: ref('episode_id')
      .notNull()
      .references(() => episodes.id, { onDelete: 'cascade' }),
    status: text('status').$type<SuggestionStatus>().notNull(),
    /** Error code of a failure. */
    reason: text('reason'),
    /** The version of the transcript that the model reads. */
    transcriptAt: instant('transcript_at').notNull(),
    /** The file to which the times of chapters refer; null if the episode has none yet. */
    audioKey: text('audio_key'),
    result: jsonb('result').$type<Suggestions>(),
    /** The UTC day in which it began: each creator has a number of runs a day. */
    day: date('day', { mode: 'string' }).notNull(),
    /** Which process works on it: a new one increments it, and the former one stores nothing. */
    attempt: integer('attempt').notNull().default(0),
    startedAt: instant('started_at').notNull(),
    endedAt: instant('ended_at'),
  },
  (t) => [
    uniqueIndex('suggestion_runs_once').on(t.episodeId).where(sql`${t.status} = 'running'`),
    index('suggestion_runs_of_episode').on(t.episodeId, t.id),
    index('suggestion_runs_of_day').on(t.creatorId, t.day),
    check('suggestion_runs_status', sql`${t.status} in ('running', 'done', 'failed')`),
  ],
);
