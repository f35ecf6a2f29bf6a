import type { Track } from '~/app/features/listener/player/state';
import { translator } from '~/app/lib/texts.server';
import type { Language } from '~/locales/languages';
import { type ApiEpisode, type ListedEpisode, type PublicUrls, toListedEpisode, trackOf } from './page-data.server';

/** An episode in a public list. The last two are set only for the few episodes that have them. */
export type ListRow = ListedEpisode & {
  /** The picture in two sizes, if the list does not show it elsewhere. */
  cover?: { small: string; large: string };
  promo?: Track;
};

type RowOptions = {
  /** The language of the page, and the show's language tag. */
  page: Language;
  content: string;
  urls: PublicUrls;
  /** The list has episodes of several shows, so each row has a cover. */
  isMixed?: boolean;
};

export function toListRow(episode: ApiEpisode, { page, content, urls, isMixed = false }: RowOptions): ListRow {
  const { webp } = episode.cover;
  const promo = promoTrack(episode, { page, urls });
  return {
    ...toListedEpisode(episode, content, urls),
    ...((isMixed || episode.hasOwnCover) && { cover: { small: webp[96], large: webp[320] } }),
    ...(promo && { promo }),
  };
}

/**
 * The promo of an episode that the visitor may not hear. Its id is negative, so that no position, count or queue of the
 * episode takes it for the episode (`isPromo`).
 */
export function promoTrack(episode: ApiEpisode, { page, urls }: Pick<RowOptions, 'page' | 'urls'>): Track | null {
  if (episode.hasAccess || !episode.promo) return null;
  return {
    ...trackOf(episode, urls),
    id: -episode.id,
    url: new URL(episode.promo.url).pathname,
    episodeName: translator(page, 'offer')('promo.name', { name: episode.name }),
  };
}
