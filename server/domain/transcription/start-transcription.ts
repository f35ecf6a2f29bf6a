import { eq } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { transcriptionRuns } from '~/db/schema/transcription';
import { authorize } from '../../policy/authorize';
import { runTranscription } from '../../queue/jobs/transcription';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { findEpisodeRecord } from '../episodes/queries';
import { lookupTranscriptVersion } from '../episodes/transcripts';
import { requireFeature } from '../plans/features';
import { recordAbout } from '../team/activity';
import { creditMonth, readCredits } from './credits';
import { alreadyRunning, hasTranscript, noCredits, noEngine } from './errors';
import { minutesFor, soundToTranscribe } from './rules';
import type { StartTranscription } from './schema';

/**
 * Starts to transcribe an episode, and reserves its minutes in the current month.
 * @throws episode.not_found, plan.transcription_required, transcription.*
 */
export async function startTranscription(
  ctx: Ctx,
  input: StartTranscription,
): Promise<{ transcriptStatus: 'transcribing' }> {
  const found = await findEpisodeRecord(ctx, input.id, input.kind);
  const episode = authorize(ctx, 'episode.manage', found.episode);
  const { creatorId } = episode;
  await requireFeature(ctx, creatorId, 'transcription');
  if (!ctx.ports.transcriber) throw noEngine();
  const { audioKey, durationMs } = soundToTranscribe(episode);
  const former = await lookupTranscriptVersion(ctx, episode.id);
  if (former && !input.replaces) throw hasTranscript();
  await transact(ctx, async (tx) => {
    await reserve(tx, creatorId, minutesFor(durationMs));
    const [run] = await tx.db
      .insert(transcriptionRuns)
      .values({
        ...{ creatorId, episodeId: episode.id, status: 'running', audioKey, former, language: input.language },
        ...{ month: creditMonth(tx.now()), minutes: minutesFor(durationMs), startedAt: tx.now(), aliveAt: tx.now() },
      })
      .onConflictDoNothing()
      .returning({ id: transcriptionRuns.id });
    if (!run) throw alreadyRunning();
    await recordAbout(tx, 'episode.transcription_started', episode);
    await tx.jobs.enqueue(runTranscription, { runId: run.id });
  });
  return { transcriptStatus: 'transcribing' };
}

/** The creator's row is locked, so that two runs cannot take the same minutes. @throws transcription.no_credits */
async function reserve(tx: TxCtx, creatorId: number, minutes: number): Promise<void> {
  await tx.db.select({ id: creators.id }).from(creators).where(eq(creators.id, creatorId)).for('no key update');
  const { left } = await readCredits(tx, creatorId);
  if (minutes > left) throw noCredits();
}
