import type { Ctx } from '../../ctx';
import { type CreatorView, toCreatorView } from '../creators/views';
import { assertCanSee } from '../episodes/catalog';
import { descriptionText } from '../episodes/description-html';
import { type PageTranscript, pageTranscript } from '../episodes/transcripts';
import { type EpisodeView, toEpisodeView } from '../episodes/views';
import { type ProductView, toProductView } from '../products/views';
import { findEpisodePage, type Moved } from './find-page';
import type { EpisodePageInput } from './schema';

export type EpisodePage = {
  moved: null;
  creator: CreatorView;
  product: ProductView;
  episode: EpisodeView;
  /** The description as plain text. */
  summary: string;
  transcript: PageTranscript | null;
  feedUrl: string;
};

/** An episode's public page. @throws creator.not_found, product.not_found, episode.not_found */
export async function episodePage(ctx: Ctx, input: EpisodePageInput): Promise<Moved | EpisodePage> {
  const { creator, product, episode, movedTo } = await findEpisodePage(ctx, input);
  // before the redirect, which would reveal the current slug of an unpublished episode
  assertCanSee(ctx, episode);
  if (movedTo) return { moved: movedTo };
  return {
    moved: null,
    creator: toCreatorView(ctx, creator),
    product: toProductView(ctx, product),
    episode: toEpisodeView(ctx, episode),
    transcript: await pageTranscript(ctx, episode),
    summary: await descriptionText(episode.episode.description),
    feedUrl: ctx.urls.feed(creator.domain, product.product.slug),
  };
}
