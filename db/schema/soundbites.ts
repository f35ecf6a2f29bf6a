import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { id, ref, timestamps } from '../columns';
import { creators } from './creators';
import { episodes } from './episodes';

/** A passage of an episode that its creator shares apart from it (`podcast:soundbite`). */
export const soundbites = pgTable(
  'soundbites',
  {
    id: id(),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id, { onDelete: 'cascade' }),
    episodeId: ref('episode_id')
      .notNull()
      .references(() => episodes.id, { onDelete: 'cascade' }),
    title: text('title').notNull(),
    startMs: integer('start_ms').notNull(),
    endMs: integer('end_ms').notNull(),
    /** The file of the episode in which it was chosen: in another one, its times are wrong. */
    sourceKey: text('source_key').notNull(),
    /** The passage as a file of its own. */
    audioKey: text('audio_key').notNull(),
    audioBytes: integer('audio_bytes').notNull(),
    ...timestamps(),
  },
  (t) => [
    index('soundbites_of_episode').on(t.episodeId, t.startMs, t.id),
    index('soundbites_of_creator').on(t.creatorId),
    index('soundbites_of_audio').on(t.audioKey),
    check('soundbites_times', sql`${t.startMs} >= 0 and ${t.endMs} > ${t.startMs}`),
  ],
);
