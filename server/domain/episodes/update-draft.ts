import type { Ctx } from '../../runtime/ctx';
import { saveChapters } from './chapters';
import { updateEpisode } from './draft-episode';
import { notADraft } from './errors';
import type { EpisodeRow } from './queries';
import type { UpdateDraft } from './schema';

/**
 * Changes an episode only if nobody sees it by then, whatever the caller has read before: a person may publish it
 * meanwhile. @throws episode.not_a_draft; as updateEpisode and saveChapters
 */
export async function updateDraft(ctx: Ctx, { chapters, ...input }: UpdateDraft): Promise<void> {
  if (input.name !== undefined || input.description !== undefined) await updateEpisode(ctx, input, assertDraft);
  if (chapters) await saveChapters(ctx, { id: input.id, chapters }, assertDraft);
}

function assertDraft({ status }: Pick<EpisodeRow, 'status'>): void {
  if (status !== 'on_hold') throw notADraft();
}
