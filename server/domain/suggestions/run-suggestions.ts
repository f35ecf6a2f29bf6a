import { and, eq, sql } from 'drizzle-orm';
import { suggestionRuns } from '~/db/schema/suggestions';
import type { Suggestions } from '~/db/values/suggestions';
import { type AppError, LanguageModelRejected, LanguageModelUnavailable } from '../../base/errors';
import { later } from '../../base/time';
import { SUGGESTION_LIMITS } from '../../limits/suggestions';
import { authorize } from '../../policy/authorize';
import { runSuggestions as runJob } from '../../queue/jobs/suggestions';
import { type Ctx, transact } from '../../runtime/ctx';
import { lookupEpisodeRow } from '../episodes/queries';
import { lookupRow } from '../episodes/transcripts';
import {
  answerUnreadable,
  modelAway,
  modelRefused,
  noModel,
  noTranscript,
  nothingFound,
  transcriptTooLong,
} from './errors';
import type { RunRow } from './queries';
import { checkedSuggestions, isEmpty, questionFor } from './rules';

/**
 * The job of a run: sends the transcript to the language model, and stores what can be found in the transcript. Repeating
 * it after a crash asks again; a former process that still waits for an answer stores nothing.
 */
export async function runSuggestions(ctx: Ctx, runId: number): Promise<void> {
  const run = await takeOver(ctx, runId);
  if (!run) return;
  try {
    const result = await suggest(ctx, run);
    await ctx.reach('suggestions.answered');
    if ('result' in result) await endRun(ctx, run, { status: 'done', ...result });
    else await failRun(ctx, run, result.failure);
  } catch (error) {
    if (error instanceof LanguageModelUnavailable) {
      ctx.log.warn({ runId, message: error.message }, 'the language model is away');
      return tryLater(ctx, run);
    }
    if (!(error instanceof LanguageModelRejected)) throw error;
    ctx.log.warn({ runId, reason: error.reason, message: error.message }, 'nothing suggested');
    await failRun(ctx, run, error.reason === 'answer' ? answerUnreadable() : modelRefused());
  }
}

async function takeOver(ctx: Ctx, runId: number): Promise<RunRow | null> {
  const { attempt, startedAt } = suggestionRuns;
  const [run] = await ctx.db
    .update(suggestionRuns)
    .set({
      attempt: sql`${attempt} + 1`,
      // the limits of time begin with the first attempt: a run may have waited for others
      startedAt: sql`case when ${attempt} = 0 then ${ctx.now().toISOString()}::timestamptz else ${startedAt} end`,
    })
    .where(and(eq(suggestionRuns.id, runId), eq(suggestionRuns.status, 'running')))
    .returning();
  return run ?? null;
}

type Outcome = { failure: AppError } | (Pick<RunRow, 'transcriptAt' | 'audioKey'> & { result: Suggestions });

/** @throws LanguageModelUnavailable, LanguageModelRejected */
async function suggest(ctx: Ctx, run: RunRow): Promise<Outcome> {
  const { languageModel } = ctx.ports;
  if (!languageModel) return { failure: noModel() };
  const row = await lookupEpisodeRow(ctx, run.episodeId);
  const transcript = row && (await lookupRow(ctx, row.id));
  if (!row || !transcript) return { failure: noTranscript() };
  const { durationMs, audioKey } = authorize(ctx, 'episode.manage', row);
  const question = questionFor({ ...transcript, durationMs });
  if (!question) return { failure: transcriptTooLong() };
  const signal = AbortSignal.timeout(SUGGESTION_LIMITS.answerFor);
  const answer = await languageModel.ask({ ...question, signal });
  const result = checkedSuggestions(answer, { ...transcript, durationMs });
  if (!result) return { failure: answerUnreadable() };
  return isEmpty(result) ? { failure: nothingFound() } : { result, audioKey, transcriptAt: transcript.updatedAt };
}

async function tryLater(ctx: Ctx, run: RunRow): Promise<void> {
  const at = later(ctx.now(), SUGGESTION_LIMITS.retryAfter);
  if (at > later(run.startedAt, SUGGESTION_LIMITS.givenUp)) return failRun(ctx, run, modelAway());
  await transact(ctx, (tx) => tx.jobs.enqueue(runJob, { runId: run.id }, { at }));
}

const failRun = (ctx: Ctx, run: RunRow, { code }: AppError): Promise<void> =>
  endRun(ctx, run, { status: 'failed', reason: code });

/** A process that was taken over changes nothing. */
async function endRun(ctx: Ctx, { id, attempt }: RunRow, ending: Partial<RunRow>): Promise<void> {
  const { status } = suggestionRuns;
  await ctx.db
    .update(suggestionRuns)
    .set({ ...ending, endedAt: ctx.now() })
    .where(and(eq(suggestionRuns.id, id), eq(suggestionRuns.attempt, attempt), eq(status, 'running')));
}
