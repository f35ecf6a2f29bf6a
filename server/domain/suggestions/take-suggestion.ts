import { and, eq } from 'drizzle-orm';
import { suggestionRuns } from '~/db/schema/suggestions';
import { escapeHtml } from '../../base/html';
import { EPISODE_LIMITS } from '../../limits/episodes';
import { authorize } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { saveChapters } from '../episodes/chapters';
import { descriptionHtml } from '../episodes/description-html';
import { rewriteDescription, updateEpisode } from '../episodes/draft-episode';
import { findEpisodeRecord } from '../episodes/queries';
import { descriptionTooLong, nothingToTake, soundReplaced } from './errors';
import type { TakeSuggestion } from './schema';

/**
 * Takes over one suggested part, as if its creator had entered it: the title and the chapters replace those of the
 * episode, notes are added below its description. Repeating it adds no notes twice.
 * @throws episode.not_found, suggestions.nothing_to_take, suggestions.audio_replaced, suggestions.description_too_long
 */
export async function takeSuggestion(ctx: Ctx, { id, kind, runId, part }: TakeSuggestion): Promise<void> {
  const found = await findEpisodeRecord(ctx, id, kind);
  authorize(ctx, 'episode.manage', found.episode);
  const isIt = and(eq(suggestionRuns.id, runId), eq(suggestionRuns.episodeId, id));
  const [run] = await ctx.db.select().from(suggestionRuns).where(isIt);
  await ctx.reach('suggestion.read');
  const { title = null, notes = null, chapters = [] } = run?.result ?? {};
  const ref = { id, kind: found.product.kind };
  if (part === 'title' && title) await updateEpisode(ctx, { ...ref, name: title.text });
  else if (part === 'notes' && notes) {
    // as it is stored, so that it is found again
    const added = await descriptionHtml(notesHtml(notes.text));
    await rewriteDescription(ctx, ref, (description) => withNotes(description, added));
  } else if (part === 'chapters' && chapters.length > 0) {
    const all = chapters.map(({ title: name, startMs }) => ({ title: name, startMs, url: null, imageKey: null }));
    // in another file, the times would be wrong
    const assertFits = ({ audioKey }: { audioKey: string | null }) => {
      if (run?.audioKey !== audioKey) throw soundReplaced();
    };
    assertFits(found.episode);
    await saveChapters(ctx, { ...ref, chapters: all }, assertFits);
  } else throw nothingToTake();
}

function withNotes(description: string, added: string): string {
  if (description.includes(added)) return description;
  if (description.length + added.length > EPISODE_LIMITS.descriptionLength) throw descriptionTooLong();
  return description + added;
}

const notesHtml = (text: string): string =>
  text
    .split('\n\n')
    .map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`)
    .join('');
