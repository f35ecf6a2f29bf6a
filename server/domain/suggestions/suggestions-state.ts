import type { SuggestionStatus, Suggestions } from '~/db/values/suggestions';
import { pick } from '../../base/fields';
import { authorize } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { lookupChapters } from '../episodes/chapters';
import { findEpisodeRecord } from '../episodes/queries';
import { lookupTranscriptVersion } from '../episodes/transcripts';
import { runLost } from './errors';
import { lookupLastRun, type RunRow } from './queries';
import { isLost } from './rules';
import type { FindSuggestions } from './schema';
import { countLeft } from './start-suggestions';

/** What the screen about suggestions shows. */
export type SuggestionsState = {
  hasTranscript: boolean;
  /** Runs that the creator may start today. */
  left: number;
  /** How many chapters suggested ones would replace. */
  chapters: number;
  /** The last run; null if there was none. `isCurrent`: of the transcript and the file that the episode has now. */
  run: {
    id: number;
    status: SuggestionStatus;
    reason: string | null;
    startedAt: Date;
    isCurrent: boolean;
    result: Suggestions | null;
  } | null;
};

/** A run whose job was lost counts as failed, so that another one may begin. */
function shownRun(run: RunRow, now: Date) {
  const { id, startedAt, result } = run;
  const ending = isLost(run, now)
    ? { status: 'failed' as const, reason: runLost().code }
    : pick(run, ['status', 'reason']);
  return { id, startedAt, result, ...ending };
}

/** Null if this installation has no language model: then nothing of it is shown. @throws episode.not_found */
export async function suggestionsState(ctx: Ctx, { id, kind }: FindSuggestions): Promise<SuggestionsState | null> {
  const found = await findEpisodeRecord(ctx, id, kind);
  const episode = authorize(ctx, 'episode.manage', found.episode);
  if (!ctx.ports.languageModel) return null;
  const [version, left, chapters, run] = await Promise.all([
    lookupTranscriptVersion(ctx, episode.id),
    countLeft(ctx, episode.creatorId),
    lookupChapters(ctx, episode.id),
    lookupLastRun(ctx, episode.id),
  ]);
  const isCurrent = run?.transcriptAt.getTime() === version?.getTime() && run?.audioKey === episode.audioKey;
  return {
    hasTranscript: version !== null,
    left,
    chapters: chapters?.chapters.length ?? 0,
    run: run && { ...shownRun(run, ctx.now()), isCurrent },
  };
}
