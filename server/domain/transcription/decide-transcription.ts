import { and, desc, eq } from 'drizzle-orm';
import { transcriptionRuns } from '~/db/schema/transcription';
import { authorize } from '../../policy/authorize';
import { type Ctx, transact } from '../../runtime/ctx';
import { findEpisodeRecord, lockEpisodeRow } from '../episodes/queries';
import { storeTranscript } from '../episodes/store-transcript';
import { nothingToDecide, resultOutdated } from './errors';
import { listPieces } from './queries';
import type { DecideTranscription } from './schema';
import { dropPieces, engineTranscript, joined } from './settle-run';

/**
 * The creator's answer after the transcript was changed while the engine was hearing: `takes` replaces it by what the
 * engine heard; otherwise that is deleted. @throws transcription.nothing_to_decide, also for the second of two answers,
 * transcription.result_outdated if the episode has another file by now, in which the times would be wrong
 */
export async function decideTranscription(ctx: Ctx, { id, kind, takes }: DecideTranscription): Promise<void> {
  const found = await findEpisodeRecord(ctx, id, kind);
  const episode = authorize(ctx, 'episode.manage', found.episode);
  const isWaiting = and(eq(transcriptionRuns.episodeId, id), eq(transcriptionRuns.status, 'waiting'));
  const [run] = await ctx.db
    .select()
    .from(transcriptionRuns)
    .where(isWaiting)
    .orderBy(desc(transcriptionRuns.id))
    .limit(1);
  if (!run) throw nothingToDecide();
  const { cues, language } = joined(ctx, await listPieces(ctx, run.id));
  await transact(ctx, async (tx) => {
    const locked = await lockEpisodeRow(tx, episode.id);
    const decided = await tx.db
      .update(transcriptionRuns)
      .set({ status: 'done' })
      .where(and(eq(transcriptionRuns.id, run.id), isWaiting))
      .returning({ id: transcriptionRuns.id });
    if (decided.length === 0) throw nothingToDecide();
    const spoken = language ?? run.language ?? found.product.language;
    if (takes) {
      if (locked?.audioKey !== run.audioKey) throw resultOutdated();
      const transcript = await engineTranscript(tx, episode.productId, { cues, language: spoken });
      await storeTranscript(tx, episode, transcript);
    }
    await dropPieces(tx, run.id);
  });
}
