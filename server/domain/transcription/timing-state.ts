import { eq, sql } from 'drizzle-orm';
import { episodeTranscripts } from '~/db/schema/episode-parts';
import { textTimings } from '~/db/schema/transcription';
import type { TimingStatus } from '~/db/values/transcription';
import { TIMING_LIMITS } from '../../limits/transcription';
import { authorize } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { findEpisodeRecord } from '../episodes/queries';
import type { FindTranscription } from './schema';

/** What the screen about times for a text shows. */
export type TimingState = {
  /** Whether words are compared with the sound; otherwise they get rough times. */
  isExact: boolean;
  hasSound: boolean;
  /** The language of the show, or of the last text. */
  language: string;
  /** Null unless a text is being timed, or the last attempt failed. */
  timing: { status: TimingStatus; reason: string | null; percent: number } | null;
  /** Of a transcript that was timed here: its sentences, and those that somebody should look at. */
  result: { sentences: number; unsure: number } | null;
};

/** @throws episode.not_found */
export async function timingState(ctx: Ctx, { id, kind }: FindTranscription): Promise<TimingState> {
  const found = await findEpisodeRecord(ctx, id, kind);
  const episode = authorize(ctx, 'episode.read', found.episode);
  const { status, reason, percent, language } = textTimings;
  const [[timing], [transcript]] = await Promise.all([
    ctx.db.select({ status, reason, percent, language }).from(textTimings).where(eq(textTimings.episodeId, episode.id)),
    ctx.db.select(RESULT).from(episodeTranscripts).where(eq(episodeTranscripts.episodeId, episode.id)),
  ]);
  return {
    isExact: ctx.ports.speech !== null,
    hasSound: episode.audioKey !== null,
    language: timing?.language ?? found.product.language,
    timing: timing ? { status: timing.status, reason: timing.reason, percent: timing.percent } : null,
    result: transcript?.source === 'aligned' ? { sentences: transcript.sentences, unsure: transcript.unsure } : null,
  };
}

const UNSURE = sql.raw(`'$[*] ? (@.confidence < ${TIMING_LIMITS.unsure})'`);
const RESULT = {
  source: episodeTranscripts.source,
  sentences: sql<number>`jsonb_array_length(${episodeTranscripts.cues})`,
  unsure: sql<number>`jsonb_array_length(jsonb_path_query_array(${episodeTranscripts.cues}, ${UNSURE}))`,
};
