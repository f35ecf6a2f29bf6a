import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import type { SearchOwnTranscripts } from './schema';
import { type FoundPassages, searchTranscripts } from './search-transcripts';

/** Searches the transcripts of the creator for whom the user works, also those of unpublished episodes. */
export async function searchOwnTranscripts(ctx: Ctx, { words, part }: SearchOwnTranscripts): Promise<FoundPassages> {
  const { id: creatorId } = currentCreator(ctx);
  authorize(ctx, 'episode.read', { creatorId });
  return searchTranscripts(ctx, { within: { creatorId }, words, part });
}
