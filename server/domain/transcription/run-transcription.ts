import { and, eq, sql } from 'drizzle-orm';
import { transcriptionRuns } from '~/db/schema/transcription';
import { type AppError, type TranscriberRefusal, TranscriberRejected, TranscriberUnavailable } from '../../base/errors';
import { later } from '../../base/time';
import { TRANSCRIPTION_LIMITS } from '../../limits/transcription';
import { authorize } from '../../policy/authorize';
import { runTranscription as runJob } from '../../queue/jobs/transcription';
import { type Ctx, transact } from '../../runtime/ctx';
import { spellingsOf } from '../../transcript/glossary';
import { lookupGlossary } from '../episodes/glossary';
import { type EpisodeRow, lookupEpisodeRow } from '../episodes/queries';
import {
  answerUnreadable,
  engineAway,
  engineBroken,
  engineRefused,
  noEngine,
  soundMissing,
  soundRefused,
} from './errors';
import { hearPieces } from './hear-pieces';
import { preparePieces } from './prepare-pieces';
import type { RunRow } from './queries';
import { cancelRun, failRun, finishRun } from './settle-run';

/**
 * The job of a run: cuts the sound into pieces, has those heard that were not heard yet, and stores the transcript.
 * Repeating it after a crash sends only the pieces without a result again.
 */
export async function runTranscription(ctx: Ctx, runId: number): Promise<void> {
  const run = await takeOver(ctx, runId);
  if (!run) return;
  const { transcriber } = ctx.ports;
  if (!transcriber) return failRun(ctx, run, noEngine());
  const found = await lookupTranscribed(ctx, run);
  if (!found) return cancelRun(ctx, run);
  const episode = authorize(ctx, 'episode.manage', found);
  const prepared = await preparePieces(ctx, { run, episode, pieceMs: transcriber.pieceMs });
  if (!prepared) return failRun(ctx, run, soundMissing());
  try {
    await ctx.reach('transcription.planned');
    const terms = spellingsOf((await lookupGlossary(ctx, episode.productId))?.lines ?? []);
    const isComplete = await hearPieces(ctx, { run, transcriber, terms, ...prepared });
    if (isComplete) await finishRun(ctx, run);
    else if (!(await lookupTranscribed(ctx, run))) await cancelRun(ctx, run);
  } catch (error) {
    if (error instanceof TranscriberRejected) {
      ctx.log.warn(
        { runId, engine: transcriber.name, reason: error.reason, message: error.message },
        'not transcribed',
      );
      return failRun(ctx, run, REFUSALS[error.reason]());
    }
    if (!(error instanceof TranscriberUnavailable)) throw error;
    ctx.log.warn({ runId, engine: transcriber.name, message: error.message }, 'the transcriber is away');
    await tryLater(ctx, run);
  } finally {
    await prepared.recording.close();
  }
}

/** Null if the episode was deleted, or has another file. */
async function lookupTranscribed(ctx: Ctx, { episodeId, audioKey }: RunRow): Promise<EpisodeRow | null> {
  const episode = episodeId === null ? null : await lookupEpisodeRow(ctx, episodeId);
  return episode?.audioKey === audioKey ? episode : null;
}

const REFUSALS: Record<TranscriberRefusal, () => AppError> = {
  account: engineRefused,
  sound: soundRefused,
  answer: answerUnreadable,
  setup: engineBroken,
};

/** Another process that still works on the run stops before its next piece. */
async function takeOver(ctx: Ctx, runId: number): Promise<RunRow | null> {
  const [run] = await ctx.db
    .update(transcriptionRuns)
    .set({ attempt: sql`${transcriptionRuns.attempt} + 1`, aliveAt: ctx.now() })
    .where(and(eq(transcriptionRuns.id, runId), eq(transcriptionRuns.status, 'running')))
    .returning();
  return run ?? null;
}

async function tryLater(ctx: Ctx, run: RunRow): Promise<void> {
  const at = later(ctx.now(), TRANSCRIPTION_LIMITS.retryAfter);
  if (at > later(run.startedAt, TRANSCRIPTION_LIMITS.givenUp)) return failRun(ctx, run, engineAway());
  await transact(ctx, (tx) => tx.jobs.enqueue(runJob, { runId: run.id }, { at }));
}
