import { PAGE_LIMITS } from '../../limits/paging';
import type { Ctx } from '../../runtime/ctx';
import { type CreatorView, toCreatorView } from '../creators/views';
import { type PageChapter, pageChapters } from '../episodes/chapters';
import { descriptionText } from '../episodes/description-html';
import { assertCanSee } from '../episodes/episode-catalog';
import { type PageTranscript, pageTranscript } from '../episodes/transcripts';
import { type EpisodeView, toEpisodeView } from '../episodes/views';
import { type EpisodesAround, episodesAround } from '../listening/other-episodes';
import { type ProductView, toProductView } from '../products/views';
import { assertNotTakenDown, findEpisodePage, type Moved } from './find-page';
import { lookupFeedUrl } from './public-feed';
import type { EpisodePageInput } from './schema';
import { episodeTexts, shareImagePath } from './share-image';
import { isForSale } from './show-offer';

export type EpisodePage = {
  moved: null;
  creator: CreatorView;
  product: ProductView;
  episode: EpisodeView;
  /** The description as plain text. */
  summary: string;
  transcript: PageTranscript | null;
  chapters: PageChapter[];
  around: EpisodesAround;
  /** Whether the caller can't hear the episode before they have bought the show. */
  isSold: boolean;
  /** Whether the show is for sale now. */
  isOnSale: boolean;
  /** Null without a public episode. */
  feedUrl: string | null;
  /** The picture for link previews. */
  shareImage: string;
};

/** An episode's public page. @throws creator.not_found, product.not_found, episode.not_found, page.taken_down */
export async function episodePage(ctx: Ctx, input: EpisodePageInput): Promise<Moved | EpisodePage> {
  const { creator, product, episode, movedTo } = await findEpisodePage(ctx, input);
  // comes before the redirect, which would reveal the current slug of an unpublished episode
  assertNotTakenDown(ctx, product.product, episode);
  assertCanSee(ctx, episode);
  if (movedTo) return { moved: movedTo };
  const view = toEpisodeView(ctx, episode);
  const isSold = !view.hasAccess && view.availableAt === null && product.product.priceMinor !== null;
  const [chapters, transcript, around, isOnSale] = await Promise.all([
    pageChapters(ctx, episode),
    pageTranscript(ctx, episode),
    episodesAround(ctx, episode, PAGE_LIMITS.around),
    isForSale(ctx, product.product),
  ]);
  return {
    moved: null,
    creator: toCreatorView(ctx, creator),
    product: toProductView(ctx, product),
    episode: view,
    ...{ isSold, isOnSale },
    chapters,
    transcript,
    around,
    summary: await descriptionText(episode.episode.description),
    feedUrl: await lookupFeedUrl(ctx, { product: product.product, creator }, [episode]),
    shareImage: ctx.urls.app(
      shareImagePath({ type: 'episode', id: episode.episode.id }, episodeTexts(episode), creator),
    ),
  };
}
