import { and, count, eq, lt, ne } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { suggestionRuns } from '~/db/schema/suggestions';
import { utcDay } from '../../base/time';
import { SUGGESTION_LIMITS } from '../../limits/suggestions';
import { authorize } from '../../policy/authorize';
import { runSuggestions } from '../../queue/jobs/suggestions';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { findEpisodeRecord } from '../episodes/queries';
import { lookupRow } from '../episodes/transcripts';
import { recordAbout } from '../team/activity';
import { alreadyRunning, noModel, noTranscript, runLost, tooManyToday, transcriptTooLong } from './errors';
import { lookupLastRun } from './queries';
import { isLost, questionFor } from './rules';
import type { FindSuggestions } from './schema';

/** Asks the language model for suggestions about an episode. @throws episode.not_found, suggestions.* */
export async function startSuggestions(ctx: Ctx, { id, kind }: FindSuggestions): Promise<{ runId: number }> {
  const found = await findEpisodeRecord(ctx, id, kind);
  const episode = authorize(ctx, 'episode.manage', found.episode);
  if (!ctx.ports.languageModel) throw noModel();
  const transcript = await lookupRow(ctx, episode.id);
  if (!transcript) throw noTranscript();
  if (!questionFor({ ...transcript, durationMs: episode.durationMs })) throw transcriptTooLong();
  return transact(ctx, async (tx) => {
    await reserveRun(tx, episode.creatorId);
    await dropFormer(tx, episode.id);
    const [run] = await tx.db
      .insert(suggestionRuns)
      .values({
        ...{ creatorId: episode.creatorId, episodeId: episode.id, status: 'running', audioKey: episode.audioKey },
        ...{ transcriptAt: transcript.updatedAt, day: utcDay(tx.now()), startedAt: tx.now() },
      })
      .onConflictDoNothing()
      .returning({ id: suggestionRuns.id });
    if (!run) throw alreadyRunning();
    await recordAbout(tx, 'episode.suggestions_started', episode);
    await tx.jobs.enqueue(runSuggestions, { runId: run.id });
    return { runId: run.id };
  });
}

/** How many runs the creator has left today. Failed ones count: the model was asked. */
export async function countLeft({ db, now }: Pick<Ctx, 'db' | 'now'>, creatorId: number): Promise<number> {
  const isToday = and(eq(suggestionRuns.creatorId, creatorId), eq(suggestionRuns.day, utcDay(now())));
  const [row] = await db.select({ used: count() }).from(suggestionRuns).where(isToday);
  return Math.max(0, SUGGESTION_LIMITS.perDay - (row?.used ?? 0));
}

/** The creator's row is locked, so that two runs cannot take the last one. @throws suggestions.too_many_today */
async function reserveRun(tx: TxCtx, creatorId: number): Promise<void> {
  await tx.db.select({ id: creators.id }).from(creators).where(eq(creators.id, creatorId)).for('no key update');
  if ((await countLeft(tx, creatorId)) === 0) throw tooManyToday({ max: SUGGESTION_LIMITS.perDay });
}

/** Ends a run whose job was lost, and deletes those of former days, which no count needs. */
async function dropFormer(tx: TxCtx, episodeId: number): Promise<void> {
  const { id, status, day } = suggestionRuns;
  const last = await lookupLastRun(tx, episodeId);
  const { code: reason } = runLost();
  if (last && isLost(last, tx.now()))
    await tx.db
      .update(suggestionRuns)
      .set({ status: 'failed', reason, endedAt: tx.now() })
      .where(and(eq(id, last.id), eq(status, 'running'), eq(suggestionRuns.attempt, last.attempt)));
  const isOfEpisode = eq(suggestionRuns.episodeId, episodeId);
  await tx.db.delete(suggestionRuns).where(and(isOfEpisode, ne(status, 'running'), lt(day, utcDay(tx.now()))));
}
