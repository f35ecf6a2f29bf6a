import { audioPath } from '../../base/public-paths';
import type { Ctx } from '../../runtime/ctx';
import { findCreator } from '../creators/queries';
import { type CreatorView, toCreatorView } from '../creators/views';
import { previewExpired } from '../episodes/errors';
import { findPreviewed } from '../episodes/preview-links';
import { type PageTranscript, readForPage } from '../episodes/transcripts';
import { type EpisodeView, toEpisodeView } from '../episodes/views';
import type { EpisodePreviewInput } from './schema';

export type EpisodePreview = {
  creator: CreatorView;
  episode: EpisodeView;
  /** Works without a session and is not counted; null before the audio has been checked. */
  audio: string | null;
  transcript: PageTranscript | null;
};

/** The content of a preview link, on its creator's host only. @throws episode.preview_expired */
export async function episodePreview(ctx: Ctx, { domain, token }: EpisodePreviewInput): Promise<EpisodePreview> {
  const found = await findPreviewed(ctx, token);
  if (found.creator.domain !== domain) throw previewExpired();
  const { id, slug, audioKey } = found.episode;
  return {
    creator: toCreatorView(ctx, await findCreator(ctx, found.creator.id)),
    episode: toEpisodeView(ctx, found),
    audio: audioKey && `${audioPath(id, slug)}?preview=${token}`,
    transcript: await readForPage(ctx, found),
  };
}
