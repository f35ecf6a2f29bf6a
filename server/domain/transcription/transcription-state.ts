import { count, desc, eq } from 'drizzle-orm';
import { transcriptionPieces, transcriptionRuns } from '~/db/schema/transcription';
import type { RunStatus } from '~/db/values/transcription';
import { AppError } from '../../base/errors';
import { authorize } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { findEpisodeRecord } from '../episodes/queries';
import { includesFeature } from '../plans/features';
import { type Credits, readCredits } from './credits';
import { minutesFor, soundToTranscribe } from './rules';
import type { FindTranscription } from './schema';

/** The last run of an episode. `pieces`, `heard`: its progress; both 0 once it has ended. */
type RunView = {
  status: RunStatus;
  /** The code of the error that ended it. */
  reason: string | null;
  pieces: number;
  heard: number;
  startedAt: Date;
};

/** What the screen about an engine's transcript shows. */
export type TranscriptionState = {
  /** Whether this installation has an engine. */
  isConfigured: boolean;
  isInPlan: boolean;
  credits: Credits;
  /** Minutes that this episode takes; null if it cannot be transcribed now. */
  neededMinutes: number | null;
  /** The code of the error why it cannot. */
  obstacle: string | null;
  hasTranscript: boolean;
  run: RunView | null;
};

/** @throws episode.not_found */
export async function transcriptionState(ctx: Ctx, { id, kind }: FindTranscription): Promise<TranscriptionState> {
  const found = await findEpisodeRecord(ctx, id, kind);
  const episode = authorize(ctx, 'episode.read', found.episode);
  const [isInPlan, credits, run] = await Promise.all([
    includesFeature(ctx, episode.creatorId, 'transcription'),
    readCredits(ctx, episode.creatorId),
    lookupRun(ctx, episode.id),
  ]);
  return {
    isConfigured: ctx.ports.transcriber !== null,
    isInPlan,
    credits,
    ...needsOf(episode),
    hasTranscript: found.hasTranscript,
    run,
  };
}

function needsOf(episode: Parameters<typeof soundToTranscribe>[0]) {
  try {
    return { neededMinutes: minutesFor(soundToTranscribe(episode).durationMs), obstacle: null };
  } catch (error) {
    if (error instanceof AppError) return { neededMinutes: null, obstacle: error.code };
    throw error;
  }
}

async function lookupRun({ db }: Pick<Ctx, 'db'>, episodeId: number): Promise<RunView | null> {
  const { id, status, reason, startedAt } = transcriptionRuns;
  const [run] = await db
    .select({ id, status, reason, startedAt })
    .from(transcriptionRuns)
    .where(eq(transcriptionRuns.episodeId, episodeId))
    .orderBy(desc(id))
    .limit(1);
  if (!run) return null;
  const [counted] = await db
    .select({ pieces: count(), heard: count(transcriptionPieces.heardAt) })
    .from(transcriptionPieces)
    .where(eq(transcriptionPieces.runId, run.id));
  return { status: run.status, reason: run.reason, startedAt: run.startedAt, ...(counted ?? { pieces: 0, heard: 0 }) };
}
