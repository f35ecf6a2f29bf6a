import type { Ctx } from '../../runtime/ctx';
import { type CreatorView, toCreatorView } from '../creators/views';
import { assertCanSee } from '../episodes/episode-catalog';
import { type EpisodeView, toEpisodeView } from '../episodes/views';
import { type ProductView, toProductView } from '../products/views';
import { type PageSoundbite, pageSoundbite } from '../soundbites/page-soundbites';
import { assertNotTakenDown, findEpisodePage, type Moved } from './find-page';
import type { SoundbitePageInput } from './schema';
import { episodeTexts, shareImagePath } from './share-image';

export type SoundbitePage = {
  moved: null;
  creator: CreatorView;
  product: ProductView;
  episode: EpisodeView;
  soundbite: PageSoundbite;
  /** The picture for link previews. */
  shareImage: string;
};

/**
 * A soundbite's public page, below that of its episode.
 * @throws creator.not_found, product.not_found, episode.not_found, page.taken_down; soundbite.not_found, also if the
 * caller may not hear the episode
 */
export async function soundbitePage(ctx: Ctx, input: SoundbitePageInput): Promise<Moved | SoundbitePage> {
  const { creator, product, episode, movedTo } = await findEpisodePage(ctx, input);
  assertNotTakenDown(ctx, product.product, episode);
  assertCanSee(ctx, episode);
  const soundbite = await pageSoundbite(ctx, episode, input.id);
  if (movedTo) return { moved: { ...movedTo, soundbiteId: input.id } };
  return {
    moved: null,
    creator: toCreatorView(ctx, creator),
    product: toProductView(ctx, product),
    episode: toEpisodeView(ctx, episode),
    soundbite,
    shareImage: ctx.urls.app(
      shareImagePath({ type: 'episode', id: episode.episode.id }, episodeTexts(episode), creator),
    ),
  };
}
